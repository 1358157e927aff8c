import FxAudio

/// Passes its input on, fails in its ninth and eleventh block and is later from the fifteenth on.
struct FailingUnit {
  let monitor: UnitMonitor
  private var blockCount = 0

  static let entry = UnitEntry(
    render: { $0.assumingMemoryBound(to: FailingUnit.self).pointee.render(RenderBlock(at: $1)) },
    reset: { _ in })

  init(monitor: UnitMonitor) { self.monitor = monitor }

  private mutating func render(_ block: RenderBlock) {
    blockCount += 1
    if blockCount == 15 { monitor.latency = 700 }
    for channel in 0..<block.outputCount {
      for frame in 0..<block.frameCount {
        block.outputs[channel][frame] = block.inputs[channel][frame]
      }
      if blockCount == 9 || blockCount == 11 { block.outputs[channel][0] = .nan }
    }
  }
}
