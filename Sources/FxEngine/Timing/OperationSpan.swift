import CRealtime
import FxGraph

/// Steps in a row that belong to one node, or to none: what is timed at once.
struct OperationSpan: BitwiseCopyable {
  /// One behind its last step, within its section.
  let end: Int
  let slot: Int

  /// The spans of a section's steps, given the slot of each.
  static func spans(_ slots: [Int]) -> [OperationSpan] {
    slots.indices.compactMap { index in
      let isLast = index == slots.count - 1 || slots[index + 1] != slots[index]
      return isLast ? OperationSpan(end: index + 1, slot: slots[index]) : nil
    }
  }
}

extension RenderPlan.Step {
  /// The node that the step belongs to.
  var node: Int? {
    switch self {
    case .run(let node, _, _), .blend(let node, _, _, _): node
    case .sum, .delay, .feedbackRead, .feedbackWrite: nil
    }
  }
}

/// What is measured while a program renders.
struct ProgramMeasures: BitwiseCopyable {
  let times: NodeTimes
  let levels: NodeLevels

  // MARK: - Realtime

  /// Whether the block that is about to be rendered is looked at.
  var isDue: Bool {
    @_noLocks get {
      let isTimed = times.beginBlock()
      return isTimed || levels.isWanted
    }
  }
}

extension OperationSection {
  // MARK: - Realtime

  /// Renders with a look at the clock behind each span, and at the node's level where it is wanted.
  @_noLocks
  func render(frame: Int, frameCount: Int, measures: ProgramMeasures, levels isLevelWanted: Bool) {
    let slice = slice.pointee
    var offset = 0
    var clock = fx_ticks()
    while offset < frameCount {
      let run = min(slice, frameCount - offset)
      var index = 0
      for span in 0..<spanCount {
        let (end, slot) = (spans[span].end, spans[span].slot)
        while index < end {
          operations[index].render(frame: frame + offset, offset: offset, frameCount: run)
          index += 1
        }
        clock = measures.times.lap(slot, since: clock)
        guard isLevelWanted else { continue }
        measures.levels.note(operations[index - 1], slot, offset: offset, frameCount: run)
        clock = fx_ticks()
      }
      offset += run
    }
  }
}
