import FxAudio

/// Combines two impulses in series into one. On the control thread.
extension ImpulseResponse {
  /// The channel count of the combination of two impulses with these channel counts.
  static func foldedCount(_ first: Int, _ second: Int, channelCount: Int) -> Int {
    if first == 1 && second == 1 { return 1 }
    let square = channelCount * channelCount
    return first == square || second == square ? square : channelCount
  }

  /// The frame count of the combination of two impulses with these frame counts.
  static func foldedFrameCount(_ first: Int, _ second: Int) -> Int {
    max(first + second - 1, 0)
  }

  /// The impulse of a signal path through this impulse and then through another.
  package func folded(with other: ImpulseResponse, channelCount: Int) -> ImpulseResponse {
    let count = Self.foldedCount(self.channelCount, other.channelCount, channelCount: channelCount)
    let channels = (0..<count).map { index -> [Float] in
      guard count == channelCount * channelCount, channelCount > 1 else {
        return convolved(
          min(index, self.channelCount - 1), other, min(index, other.channelCount - 1))
      }
      // Sum over the channels between the two impulses: from the input to such a channel, and from
      // there to the output.
      let (input, output) = (index / channelCount, index % channelCount)
      var sum = [Float](repeating: 0, count: Self.foldedFrameCount(frameCount, other.frameCount))
      for middle in 0..<channelCount {
        guard let first = channel(from: input, to: middle, of: channelCount),
          let second = other.channel(from: middle, to: output, of: channelCount)
        else { continue }
        for (frame, sample) in convolved(first, other, second).enumerated() { sum[frame] += sample }
      }
      return sum
    }
    return ImpulseResponse(SoundAsset(channels))
  }

  /// The impulse channel from an input to an output; nil when there is none.
  private func channel(from input: Int, to output: Int, of count: Int) -> Int? {
    if channelCount == count * count { return input * count + output }
    guard input == output else { return nil }
    return channelCount == 1 ? 0 : input
  }

  /// Convolves one channel of this impulse with one channel of another.
  private func convolved(_ channel: Int, _ other: ImpulseResponse, _ otherChannel: Int) -> [Float] {
    let count = Self.foldedFrameCount(frameCount, other.frameCount)
    let taps = SampleBuffer(count: other.frameCount)
    other.copy(otherChannel, from: 0, count: other.frameCount, to: taps.samples)
    let single = SoundAsset([(0..<other.frameCount).map { taps.samples[$0] }])
    var convolution = Convolution(ImpulseResponse(single), channelCount: 1)
    let sound = SampleBuffer(count: count)
    copy(channel, from: 0, count: frameCount, to: sound.samples)
    var input = UnsafePointer(sound.samples)
    var output = sound.samples
    convolution.process(&input, to: &output, frameCount: count)
    return (0..<count).map { sound.samples[$0] }
  }
}
