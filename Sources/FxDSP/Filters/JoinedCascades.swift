private import CKernels

/// A cascade of one pass whose filters stand still, for a call that runs it together with others.
package struct StillCascade: BitwiseCopyable {
  let coefficients: UnsafePointer<Double>
  /// By channel pair.
  let states: UnsafeMutablePointer<Double>
  let sectionCount: Int
  let channelCount: Int
  let vectorLevel: Int32

  // MARK: - Realtime

  @_noLocks
  init(
    coefficients: UnsafePointer<Double>, states: UnsafeMutablePointer<Double>, sectionCount: Int,
    channelCount: Int, vectorLevel: Int32
  ) {
    self.coefficients = coefficients
    self.states = states
    self.sectionCount = sectionCount
    self.channelCount = channelCount
    self.vectorLevel = vectorLevel
  }

  @_noLocks
  fileprivate func forgetInaudible() {
    for pair in 0..<(channelCount + 1) / 2 {
      FilterCascade.forgetInaudible(states + pair * FilterCascade.stateCount)
    }
  }
}

/// Cascades of units that follow one another, run in one pass: a unit of one filter waits most of the
/// time for its own last result, and others can be computed meanwhile. The bits are those of each
/// cascade by itself. What a unit gives to the next one is written nowhere but for its last samples.
package struct JoinedCascades: BitwiseCopyable {
  private let count: Int
  private let cascades: UnsafeMutablePointer<StillCascade>
  private let units: UnsafeMutablePointer<fx_filter_unit>
  /// Two samples a unit.
  private let last: UnsafeMutablePointer<Float>

  /// Words that `count` cascades need.
  package static func wordCount(_ count: Int) -> Int {
    count * (MemoryLayout<StillCascade>.stride + MemoryLayout<fx_filter_unit>.stride + 8) / 8
  }

  /// - Parameter memory: `wordCount(count)` words, which outlive this.
  package init(count: Int, in memory: UnsafeMutablePointer<Int>) {
    self.count = count
    let start = UnsafeMutableRawPointer(memory)
    let units = start + count * MemoryLayout<StillCascade>.stride
    let last = units + count * MemoryLayout<fx_filter_unit>.stride
    cascades = start.bindMemory(to: StillCascade.self, capacity: count)
    self.units = units.bindMemory(to: fx_filter_unit.self, capacity: count)
    self.last = last.bindMemory(to: Float.self, capacity: 2 * count)
  }

  // MARK: - Realtime

  /// Where the cascade of a unit is put before a render.
  @_noLocks
  package func place(_ index: Int) -> UnsafeMutablePointer<StillCascade> { cascades + index }

  /// Filters a block.
  ///
  /// - Parameters:
  ///   - inputs: Those of the first unit.
  ///   - outputs: Those of the last unit.
  ///   - frame: The absolute frame of the block's first, the same for all units.
  ///   - lastSamples: By unit but for the last one, where the last sample of each channel is put.
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
        for index in 0..<count { cascades[index].forgetInaudible() }
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
    let channelCount = cascades[0].channelCount
    var left = 0
    while left < channelCount {
      let right = left + 1 < channelCount ? left + 1 : left
      for index in 0..<count {
        let cascade = cascades[index]
        units[index] = fx_filter_unit(
          coefficients: cascade.coefficients,
          states: cascade.states + left / 2 * FilterCascade.stateCount,
          count: cascade.sectionCount, last: last + 2 * index)
      }
      fx_filter_pass_joined(
        cascades[0].vectorLevel, units, count, inputs[left] + start, inputs[right] + start,
        outputs[left] + start, outputs[right] + start, end - start)
      for index in 0..<count - 1 {
        lastSamples[index][left] = last[2 * index]
        lastSamples[index][right] = last[2 * index + 1]
      }
      left += 2
    }
  }
}
