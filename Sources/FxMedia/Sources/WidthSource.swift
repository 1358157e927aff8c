import FxAudio

/// A source with a different number of channels. A single output channel gets the mean of all.
/// Otherwise missing channels repeat the last one, and surplus channels are dropped.
final class WidthSource: ChangedSource {
  let source: any AudioSource
  let format: StreamFormat
  private let block: PlanarBuffer
  private static let blockFrameCount = 4096

  init(_ source: any AudioSource, channelCount: Int) {
    self.source = source
    format = StreamFormat(sampleRate: source.format.sampleRate, channelCount: channelCount)
    block = PlanarBuffer(
      channelCount: source.format.channelCount, frameCount: WidthSource.blockFrameCount)
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let count = try source.read(
      into: block.channels, frameCount: min(frameCount, WidthSource.blockFrameCount))
    let width = block.channelCount
    let scale = 1 / Float(width)
    for channel in 0..<format.channelCount {
      let target = channels[channel]
      if width > 1, format.channelCount == 1 {
        for frame in 0..<count {
          target[frame] = (0..<width).reduce(0) { $0 + block[$1][frame] } * scale
        }
      } else {
        target.update(from: block[min(channel, width - 1)], count: count)
      }
    }
    return count
  }
}
