import FxEngine

/// The last hundredth of a second before a stop, which ends in silence without a click.
struct FadeOut {
  private let length: Int
  private var done = 0

  init(frameCount: Int) { length = max(1, frameCount) }

  var isDone: Bool { done >= length }

  /// Fades a block. Its buffers are the program's own and are written anew by the next render.
  mutating func apply(to outputs: Outputs, frameCount: Int) {
    for channel in 0..<outputs.count {
      let samples = UnsafeMutablePointer(mutating: outputs.channels[channel])
      for frame in 0..<frameCount {
        let left = length - done - frame
        samples[frame] *= left > 0 ? Float(left) / Float(length + 1) : 0
      }
    }
    done += frameCount
  }
}

/// What the sound device is given: the program's buffers of its sink.
struct Outputs: BitwiseCopyable {
  let channels: UnsafePointer<UnsafePointer<Float>>
  let count: Int

  init(_ program: RenderProgram, _ sink: Int?) {
    count = sink.map { program.sinkWidths[$0] } ?? 0
    let table = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: max(count, 1))
    if let sink {
      for channel in 0..<count {
        (table + channel).initialize(to: program.sinkBuffer(sink, channel: channel))
      }
    }
    channels = UnsafePointer(table)
  }

  func destroy() { channels.deallocate() }
}
