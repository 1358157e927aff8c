import CRealtime

/// Consecutive steps that belong to one node, or to none. They are timed together.
struct OperationSpan: BitwiseCopyable {
  /// One past its last step, within its section.
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

/// Measurements while a program renders.
struct ProgramMeasures: BitwiseCopyable {
  let times: NodeTimes
  let levels: NodeLevels

  // MARK: - Realtime

  /// What to measure in the next block. `slot` is the block's number among those in flight.
  @_noLocks
  func looks(atBlock slot: Int) -> BlockLooks {
    let isTimed = times.beginBlock()
    let areLevelsWanted = levels.isWanted
    return BlockLooks(
      isDue: isTimed || areLevelsWanted, areLevelsWanted: areLevelsWanted,
      ticks: slot * times.slotCount)
  }
}

/// What is measured while a block is rendered.
struct BlockLooks: BitwiseCopyable {
  let isDue: Bool
  let areLevelsWanted: Bool
  /// The offset of its ticks.
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

  /// Renders, reads the clock after each span, and measures the node's level if wanted.
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
