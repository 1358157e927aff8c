import CKernels
package import FxAudio

/// Filters of consecutive units, run in one pass. A single filter mostly waits for its own last
/// result; other filters can be computed meanwhile. The output is bit-identical to separate units.
/// Only the last samples of a unit's output are stored, except for the last unit.
package struct JoinedFilters: BitwiseCopyable {
  private let count: Int
  private let filters: UnsafeMutablePointer<StillFilters>
  private let units: UnsafeMutablePointer<fx_filter_unit>
  /// Two samples per unit.
  private let last: UnsafeMutablePointer<Float>

  /// The memory for `count` units, in words.
  package static func wordCount(_ count: Int) -> Int {
    count * (MemoryLayout<StillFilters>.stride + MemoryLayout<fx_filter_unit>.stride + 8) / 8
  }

  /// - Parameter memory: `wordCount(count)` words, which must outlive this value.
  package init(count: Int, in memory: UnsafeMutablePointer<Int>) {
    self.count = count
    let start = UnsafeMutableRawPointer(memory)
    let units = start + count * MemoryLayout<StillFilters>.stride
    let last = units + count * MemoryLayout<fx_filter_unit>.stride
    filters = start.bindMemory(to: StillFilters.self, capacity: count)
    self.units = units.bindMemory(to: fx_filter_unit.self, capacity: count)
    self.last = last.bindMemory(to: Float.self, capacity: 2 * count)
  }

  // MARK: - Realtime

  /// Where to write a unit's filters before a render.
  @_noLocks
  package func place(_ index: Int) -> UnsafeMutablePointer<StillFilters> { filters + index }

  /// Filters a block.
  ///
  /// - Parameters:
  ///   - inputs: The inputs of the first unit.
  ///   - outputs: The outputs of the last unit.
  ///   - frame: The absolute frame of the block's start, the same for all units.
  ///   - lastSamples: By unit, except the last one: receives the last sample of each channel.
  @_noLocks
  package func render(
    _ inputs: UnsafePointer<UnsafePointer<Float>>,
    _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, frame: Int, frameCount: Int,
    lastSamples: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    var start = 0
    while start < frameCount {
      let left = InaudibleState.frameCount(from: frame &+ start)
      let end = left < frameCount &- start ? start &+ left : frameCount
      renderPiece(inputs, outputs, from: start, to: end, lastSamples)
      if InaudibleState.isDue(from: frame &+ end, frameCount: 0) {
        for index in 0..<count { forgetInaudible(filters[index]) }
      }
      start = end
    }
  }

  @_noLocks
  private func renderPiece(
    _ inputs: UnsafePointer<UnsafePointer<Float>>,
    _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, to end: Int,
    _ lastSamples: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    let channelCount = filters[0].channelCount
    var left = 0
    while left < channelCount {
      let right = left + 1 < channelCount ? left + 1 : left
      for index in 0..<count {
        let own = filters[index]
        units[index] = fx_filter_unit(
          coefficients: own.coefficients,
          states: own.states + left / 2 * StillFilters.statesPerPair,
          count: own.count, last: last + 2 * index)
      }
      fx_filter_pass_joined(
        filters[0].vectorLevel, units, count, inputs[left] + start, inputs[right] + start,
        outputs[left] + start, outputs[right] + start, end - start)
      for index in 0..<count - 1 {
        lastSamples[index][left] = last[2 * index]
        lastSamples[index][right] = last[2 * index + 1]
      }
      left += 2
    }
  }

  @_noLocks
  private func forgetInaudible(_ filters: StillFilters) {
    for pair in 0..<(filters.channelCount + 1) / 2 {
      InaudibleState.forget(
        filters.states + pair * StillFilters.statesPerPair, count: StillFilters.statesPerPair)
    }
  }
}
