private import CKernels
import FxAudio

/// Filters in series, the same for every channel.
///
/// The cascade computes in double precision. It rounds only at its output (and after each twelfth
/// filter), so its noise is that of the output format. A high-pass at 20 Hz and 96 kHz leaves less
/// than -160 dBFS of a constant input; with states of single precision the decay would stall. Two
/// channels and several filters share a vector, skewed in time. Any split into blocks gives the
/// same bits, also while filters move. A sample that is not a number, or beyond 1e18, counts as
/// silence.
///
/// Filters that are set before the first frame apply at once. Later filters glide in (see
/// `FilterGlide`): until they arrive, the owner calls `startPiece` at each point of the control
/// grid. A filter that follows a control signal is set at each frame instead (see `follow`).
struct FilterCascade: ~Copyable {
  package let sectionCount: Int
  package let channelCount: Int
  private let passCount: Int
  private let vectorLevel: Int32
  /// Passes × five rows of coefficients.
  private let coefficients: UnsafeMutablePointer<Double>
  /// Channel pairs × passes × two rows of states.
  private let states: UnsafeMutablePointer<Double>
  /// The current design of each section, or the design that it is moving to.
  private let sections: UnsafeMutablePointer<FilterSection>
  private var glide: FilterGlide
  /// False until a frame is rendered.
  private var hasStarted = false
  /// True while filters are moving; the first states are then unscaled.
  private(set) var isMoving = false
  /// True when a section gets a new design at each frame; the first states then stay unscaled.
  private var isFollowing = false

  static var filtersPerPass: Int { @_noLocks get { 12 } }
  static var row: Int { @_noLocks get { 24 } }
  /// The number of state values of one channel pair in one pass.
  static var stateCount: Int { @_noLocks get { 2 * row } }

  /// All sections pass the signal unchanged until they are set.
  ///
  /// - Parameter vectorLevel: The instruction set to use: 0 is the one that every processor has,
  ///   nil the best available one. The output bits are the same.
  package init(
    sectionCount: Int, channelCount: Int, sampleRate: Double, vectorLevel: Int? = nil
  ) {
    self.sectionCount = sectionCount
    self.channelCount = channelCount
    let best = fx_vector_level()
    // Level 2 has narrower AVX-512 vectors. Such a processor also has the wider ones (level 3).
    let widest = best == 2 ? 3 : best
    self.vectorLevel = vectorLevel.map { min(Int32(clamping: $0), widest) } ?? best
    passCount = (sectionCount + Self.filtersPerPass - 1) / Self.filtersPerPass
    coefficients = .allocate(capacity: max(1, passCount * 5 * Self.row))
    states = .allocate(capacity: max(1, (channelCount + 1) / 2 * passCount * 2 * Self.row))
    sections = .allocate(capacity: max(1, sectionCount))
    glide = FilterGlide(sectionCount: sectionCount, passCount: passCount, sampleRate: sampleRate)
    coefficients.initialize(repeating: 0, count: passCount * 5 * Self.row)
    for pass in 0..<passCount {
      let rows = coefficients + pass * 5 * Self.row
      (rows + 2 * Self.row).update(repeating: 1, count: Self.row)
      for lane in Self.spareLanes(sectionCount: sectionCount, pass: pass) {
        rows[3 * Self.row + lane] = -0.0
        rows[4 * Self.row + lane] = -0.0
      }
    }
    states.initialize(repeating: 0, count: (channelCount + 1) / 2 * passCount * 2 * Self.row)
    sections.initialize(repeating: FilterSection(), count: sectionCount)
  }

  /// Lanes that only vectors of four filters reach. In these lanes -0 must stay -0, as it does with
  /// vectors of two.
  static func spareLanes(sectionCount: Int, pass: Int) -> Range<Int> {
    let sections = min(sectionCount - pass * filtersPerPass, filtersPerPass)
    return 2 * (sections + sections % 2)..<row
  }

  /// The bytes that a cascade with these counts allocates.
  package static func byteCount(
    sectionCount: Int, channelCount: Int, sampleRate: Double
  ) -> Int {
    let passCount = (sectionCount + filtersPerPass - 1) / filtersPerPass
    let rows = passCount * 5 + (channelCount + 1) / 2 * passCount * 2
    return rows * row * MemoryLayout<Double>.stride
      + sectionCount * MemoryLayout<FilterSection>.stride
      + FilterGlide.byteCount(
        sectionCount: sectionCount, passCount: passCount, sampleRate: sampleRate)
  }

  deinit {
    coefficients.deallocate()
    states.deallocate()
    sections.deallocate()
  }

  // MARK: - Realtime

  /// Replaces a section, from the first frame or from a point of the control grid on. The new
  /// section keeps the state of the old one.
  @_noLocks
  package mutating func set(_ index: Int, _ section: FilterSection) {
    if hasStarted {
      if !isMoving { unscale() }
      glide.head(index, from: sections[index])
    }
    sections[index] = section
    if !hasStarted { place(index) }
  }

  /// Replaces a section from the next frame on, without a glide. Use it for a design that changes
  /// at each frame with a control signal that is already smooth. Such a cascade renders frame by
  /// frame.
  @_noLocks
  package mutating func follow(_ index: Int, _ section: FilterSection) {
    if !isMoving { unscale() }
    isFollowing = true
    sections[index] = section
    glide.hold(index, section)
  }

  /// Starts the glide of moving sections to the next point of the control grid.
  @_noLocks
  mutating func startPiece() {
    guard isMoving else { return }
    glide.startPiece(UnsafePointer(sections))
    if glide.movingCount == 0 && !isFollowing { rescale() }
  }

  /// Switches to the coefficients of moving filters.
  @_noLocks
  private mutating func unscale() {
    isMoving = true
    for index in 0..<sectionCount {
      glide.hold(index, sections[index])
      scale(index, by: 1 / sections[index].g)
    }
  }

  /// Switches to the coefficients of still filters.
  @_noLocks
  private mutating func rescale() {
    isMoving = false
    for index in 0..<sectionCount {
      place(index)
      scale(index, by: sections[index].g)
    }
  }

  /// Writes the coefficients of a still section.
  @_noLocks
  private func place(_ index: Int) {
    let section = sections[index]
    let pass = index / Self.filtersPerPass
    let rows = coefficients + (pass * 5 * Self.row + 2 * (index - pass * Self.filtersPerPass))
    for channel in 0..<2 {
      rows[channel] = section.a
      rows[channel + Self.row] = section.c
      rows[channel + Self.row * 2] = section.d
      rows[channel + Self.row * 3] = section.p
      rows[channel + Self.row * 4] = section.q
    }
  }

  /// Scales a section's first state.
  @_noLocks
  private func scale(_ index: Int, by factor: Double) {
    let pass = index / Self.filtersPerPass
    let lane = 2 * (index - pass * Self.filtersPerPass)
    for pair in 0..<(channelCount + 1) / 2 {
      let state = states + ((pair * passCount + pass) * 2 * Self.row + lane)
      state[0] *= factor
      state[1] *= factor
    }
  }

  /// Filters frames `start..<end` of a block's first `channelCount` channels.
  @_noLocks
  package mutating func render(_ block: RenderBlock, from start: Int, to end: Int) {
    hasStarted = true
    if InaudibleState.isDue(from: block.frame &+ start, frameCount: end &- start) {
      renderAndForget(block, from: start, to: end)
    } else {
      renderPiece(block, from: start, to: end)
    }
  }

  /// Filters frames, and clears inaudible states at the frames that `InaudibleState` gives.
  @_noLocks
  private mutating func renderAndForget(_ block: RenderBlock, from start: Int, to end: Int) {
    var frame = start
    while frame < end {
      let left = InaudibleState.frameCount(from: block.frame &+ frame)
      let pieceEnd = left < end &- frame ? frame &+ left : end
      renderPiece(block, from: frame, to: pieceEnd)
      frame = pieceEnd
      if InaudibleState.isDue(from: block.frame &+ frame, frameCount: 0) { forgetInaudible() }
    }
  }

  @_noLocks
  private mutating func renderPiece(_ block: RenderBlock, from start: Int, to end: Int) {
    let position = (block.frame + start) & (ControlGrid.interval - 1)
    var left = 0
    while left < channelCount {
      // A channel without a partner is filtered twice, with the same result.
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
        let count = rest < Self.filtersPerPass ? rest : Self.filtersPerPass
        let state = states + (left / 2 * passCount + pass) * 2 * Self.row
        if isMoving {
          fx_filter_glide(
            vectorLevel, glide.rows(pass: pass), state, count, sourceLeft, sourceRight, leftOut,
            rightOut, end - start, position)
        } else {
          fx_filter_pass(
            vectorLevel, coefficients + pass * 5 * Self.row, state, count, sourceLeft, sourceRight,
            leftOut, rightOut, end - start)
        }
        sourceLeft = UnsafePointer(leftOut)
        sourceRight = UnsafePointer(rightOut)
      }
      left += 2
    }
  }

  @_noLocks
  private func forgetInaudible() {
    for pass in 0..<(channelCount + 1) / 2 * passCount {
      InaudibleState.forget(states + pass * Self.stateCount, count: Self.stateCount)
    }
  }

  /// Writes what `UnitEntry.join` needs to render a whole block instead of `render`. False when
  /// filters are moving or need several passes.
  @_noLocks
  package mutating func join(_ place: UnsafeMutablePointer<StillFilters>) -> Bool {
    guard !isMoving, passCount == 1 else { return false }
    hasStarted = true
    place.pointee = StillFilters(
      coefficients: UnsafePointer(coefficients), states: states, count: sectionCount,
      channelCount: channelCount, vectorLevel: vectorLevel)
    return true
  }

  /// True when silence in gives silence out, see `UnitEntry.isAtRest`.
  package var isAtRest: Bool {
    @_noLocks get {
      if isMoving { return false }
      for index in 0..<((channelCount + 1) / 2 * passCount * 2 * Self.row)
      where states[index].bitPattern != 0 {
        return false
      }
      return true
    }
  }

  /// Clears the state and keeps the filters; moving filters take their target at once.
  @_noLocks
  package mutating func reset() {
    hasStarted = false
    if isMoving { rescale() }
    isFollowing = false
    for index in 0..<((channelCount + 1) / 2 * passCount * 2 * Self.row) { states[index] = 0 }
  }
}
