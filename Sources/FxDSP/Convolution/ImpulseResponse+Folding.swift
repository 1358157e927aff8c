import FxAudio

/// Two impulses in a row as one. On the control thread.
extension ImpulseResponse {
  /// Channels of the impulse that two of so many make for a signal.
  package static func foldedCount(_ first: Int, _ second: Int, channelCount: Int) -> Int {
    if first == 1 && second == 1 { return 1 }
    let square = channelCount * channelCount
    return first == square || second == square ? square : channelCount
  }

  /// Frames of the impulse that two of so many frames make.
  package static func foldedFrameCount(_ first: Int, _ second: Int) -> Int {
    max(first + second - 1, 0)
  }

  /// What a sound hears that goes through this impulse and then through another one.
  package func folded(with other: ImpulseResponse, channelCount: Int) -> ImpulseResponse {
    let count = Self.foldedCount(self.channelCount, other.channelCount, channelCount: channelCount)
    let channels = (0..<count).map { index -> [Float] in
      guard count == channelCount * channelCount, channelCount > 1 else {
        return convolved(
          min(index, self.channelCount - 1), other, min(index, other.channelCount - 1))
      }
      // From an input to each channel between the two, and from there to the output.
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

  /// Which channel leads from an input to an output; nil for none.
  private func channel(from input: Int, to output: Int, of count: Int) -> Int? {
    if channelCount == count * count { return input * count + output }
    guard input == output else { return nil }
    return channelCount == 1 ? 0 : input
  }

  /// One channel of this impulse through one of another.
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
