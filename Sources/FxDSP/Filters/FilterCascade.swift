private import CKernels
package import FxAudio

/// Filters one after the other on any number of channels, all channels alike.
///
/// Computes in double precision and rounds on its way out only (and after each twelfth filter), so
/// its noise is that of the output format: a high-pass at 20 Hz and 96 kHz leaves less than
/// -160 dBFS of a constant, on which states of single precision would stall. Two channels and
/// several filters share a vector, skewed in time; any split into blocks gives the same bits,
/// moving filters included.
package struct FilterCascade: ~Copyable {
  package let sectionCount: Int
  package let channelCount: Int
  private let passCount: Int
  private let vectorLevel: Int32
  /// Pass by pass, five rows of coefficients.
  private let coefficients: UnsafeMutablePointer<Double>
  /// Channel pair by channel pair, pass by pass, two rows of states.
  private let states: UnsafeMutablePointer<Double>
  /// What each section's first state is scaled by.
  private let scales: UnsafeMutablePointer<Double>

  private static var filtersPerPass: Int { @_noLocks get { 12 } }
  private static var row: Int { @_noLocks get { 24 } }

  /// All sections pass the signal on until they are set.
  ///
  /// - Parameter vectorLevel: The instruction set to use, 0 the one that every processor has; nil
  ///   takes the best there is. The bits are the same.
  package init(sectionCount: Int, channelCount: Int, vectorLevel: Int? = nil) {
    self.sectionCount = sectionCount
    self.channelCount = channelCount
    let best = fx_vector_level()
    self.vectorLevel = vectorLevel.map { min(Int32(clamping: $0), best) } ?? best
    passCount = (sectionCount + Self.filtersPerPass - 1) / Self.filtersPerPass
    coefficients = .allocate(capacity: max(1, passCount * 5 * Self.row))
    states = .allocate(capacity: max(1, (channelCount + 1) / 2 * passCount * 2 * Self.row))
    scales = .allocate(capacity: max(1, sectionCount))
    coefficients.initialize(repeating: 0, count: passCount * 5 * Self.row)
    for pass in 0..<passCount {
      (coefficients + (pass * 5 + 2) * Self.row).update(repeating: 1, count: Self.row)
    }
    states.initialize(repeating: 0, count: (channelCount + 1) / 2 * passCount * 2 * Self.row)
    scales.initialize(repeating: 1, count: sectionCount)
  }

  deinit {
    coefficients.deallocate()
    states.deallocate()
    scales.deallocate()
  }

  // MARK: - Realtime

  /// Replaces a section; what it holds of the signal lives on in the new one.
  @_noLocks
  package mutating func set(_ index: Int, _ section: FilterSection) {
    let pass = index / Self.filtersPerPass
    let lane = 2 * (index - pass * Self.filtersPerPass)
    let rows = coefficients + (pass * 5 * Self.row + lane)
    for channel in 0..<2 {
      rows[channel] = section.a
      rows[channel + Self.row] = section.c
      rows[channel + Self.row * 2] = section.d
      rows[channel + Self.row * 3] = section.p
      rows[channel + Self.row * 4] = section.q
    }
    if section.g == scales[index] { return }
    let scale = section.g / scales[index]
    scales[index] = section.g
    for pair in 0..<(channelCount + 1) / 2 {
      let state = states + ((pair * passCount + pass) * 2 * Self.row + lane)
      state[0] *= scale
      state[1] *= scale
    }
  }

  /// Filters frames `start..<end` of a block's first `channelCount` channels.
  @_noLocks
  package mutating func render(_ block: RenderBlock, from start: Int, to end: Int) {
    var left = 0
    while left < channelCount {
      // A channel without a partner is filtered twice, to the same result.
      let right = left + 1 < channelCount ? left + 1 : left
      var sourceLeft = block.inputs[left] + start
      var sourceRight = block.inputs[right] + start
      let leftOut = block.outputs[left] + start
      let rightOut = block.outputs[right] + start
      if passCount == 0 {
        for frame in 0..<(end - start) {
          leftOut[frame] = sourceLeft[frame]
          rightOut[frame] = sourceRight[frame]
        }
      }
      for pass in 0..<passCount {
        let rest = sectionCount - pass * Self.filtersPerPass
        fx_filter_pass(
          vectorLevel, coefficients + pass * 5 * Self.row,
          states + (left / 2 * passCount + pass) * 2 * Self.row,
          rest < Self.filtersPerPass ? rest : Self.filtersPerPass, sourceLeft, sourceRight,
          leftOut, rightOut, end - start)
        sourceLeft = UnsafePointer(leftOut)
        sourceRight = UnsafePointer(rightOut)
      }
      left += 2
    }
  }

  /// Forgets the signal and keeps the filters.
  @_noLocks
  package mutating func reset() {
    for index in 0..<((channelCount + 1) / 2 * passCount * 2 * Self.row) { states[index] = 0 }
  }
}
