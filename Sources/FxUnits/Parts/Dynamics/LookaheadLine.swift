import FxAudio

/// Delays the channels of a unit by the look-ahead of its gain.
struct LookaheadLine: ~Copyable {
  /// In frames; 0 for none.
  let latency: Int
  private let channelCount: Int
  private var line: DelayLine

  init(channelCount: Int, latency: Int, maximumFrameCount: Int) {
    self.latency = latency
    self.channelCount = channelCount
    line = DelayLine(
      channelCount: latency > 0 ? channelCount : 0, maximumDelay: latency,
      maximumFrameCount: maximumFrameCount)
  }

  static func byteCount(channelCount: Int, latency: Int, maximumFrameCount: Int) -> Int {
    DelayLine.byteCount(
      channelCount: latency > 0 ? channelCount : 0, maximumDelay: latency,
      maximumFrameCount: maximumFrameCount)
  }

  // MARK: - Realtime

  /// The delayed frames of a channel. They may be in the channel's output.
  @_noLocks @inline(__always)
  func delayed(
    _ block: RenderBlock, _ channel: Int, from frame: Int, count: Int
  ) -> UnsafePointer<Float> {
    let input = block.inputs[channel] + frame
    guard latency > 0 else { return input }
    let output = block.outputs[channel] + frame
    line.write(input, channel: channel, frameCount: count)
    line.read(into: output, channel: channel, delay: latency, frameCount: count)
    return UnsafePointer(output)
  }

  @_noLocks
  mutating func advance(_ count: Int) { line.advance(count) }

  /// Writes the delayed frames of all channels with a gain for each frame, and advances.
  @_noLocks @inline(__always)
  mutating func apply(
    _ gains: UnsafeMutablePointer<Float>, _ block: RenderBlock, from frame: Int, count: Int
  ) {
    for channel in 0..<channelCount {
      let output = block.outputs[channel] + frame
      let input = delayed(block, channel, from: frame, count: count)
      for index in 0..<count { output[index] = input[index] * gains[index] }
    }
    line.advance(count)
  }

  var isSilent: Bool {
    @_noLocks get { line.isSilent }
  }

  @_noLocks
  mutating func clear() { line.clear() }
}
