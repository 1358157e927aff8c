/// Fades out the last hundredth of a second before a stop, so that it does not click.
struct FadeOut {
  private let length: Int
  private var done = 0

  init(frameCount: Int) { length = max(1, frameCount) }

  var isDone: Bool { done >= length }

  /// Fades a block in place. The buffers belong to the program; the next render overwrites them.
  mutating func apply(
    to channels: UnsafePointer<UnsafePointer<Float>>, channelCount: Int, frameCount: Int
  ) {
    for channel in 0..<channelCount {
      let samples = UnsafeMutablePointer(mutating: channels[channel])
      for frame in 0..<frameCount {
        let left = length - done - frame
        samples[frame] *= left > 0 ? Float(left) / Float(length + 1) : 0
      }
    }
    done += frameCount
  }
}
