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

  /// What of the block that is about to be rendered is looked at; `slot` is its number among those in
  /// flight.
  @_noLocks
  func looks(atBlock slot: Int) -> BlockLooks {
    let isTimed = times.beginBlock()
    let areLevelsWanted = levels.isWanted
    return BlockLooks(
      isDue: isTimed || areLevelsWanted, areLevelsWanted: areLevelsWanted,
      ticks: slot * times.slotCount)
  }
}

/// What is looked at while a block is rendered.
struct BlockLooks: BitwiseCopyable {
  let isDue: Bool
  let areLevelsWanted: Bool
  /// Where its times are counted.
  let ticks: Int

  // MARK: - Realtime

  @_noLocks
  init(isDue: Bool = false, areLevelsWanted: Bool = false, ticks: Int = 0) {
    self.isDue = isDue
    self.areLevelsWanted = areLevelsWanted
    self.ticks = ticks
  }
}

extension OperationSection {
  // MARK: - Realtime

  /// Renders with a look at the clock behind each span, and at the node's level where it is wanted.
  @_noLocks
  func render(_ block: BlockPlace, measures: ProgramMeasures, _ looks: BlockLooks) {
    let slice = slice.pointee
    var place = block
    var clock = fx_ticks()
    while place.offset < block.frameCount {
      place.frameCount = min(slice, block.frameCount - place.offset)
      var index = 0
      for span in 0..<spanCount {
        let (end, slot) = (spans[span].end, spans[span].slot)
        while index < end {
          operations[index].render(place)
          index += 1
        }
        clock = measures.times.lap(slot, since: clock, in: looks.ticks)
        guard looks.areLevelsWanted else { continue }
        measures.levels.note(operations[index - 1], slot, place)
        clock = fx_ticks()
      }
      place.offset += place.frameCount
      place.frame += place.frameCount
    }
  }
}
