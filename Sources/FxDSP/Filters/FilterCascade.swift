private import CKernels
package import FxAudio

/// Filters one after the other on any number of channels, all channels alike.
///
/// Computes in double precision and rounds on its way out only (and after each twelfth filter), so
/// its noise is that of the output format: a high-pass at 20 Hz and 96 kHz leaves less than
/// -160 dBFS of a constant, on which states of single precision would stall. Two channels and
/// several filters share a vector, skewed in time; any split into blocks gives the same bits,
/// moving filters included. A sample that is no number, or beyond 1e18, counts as silence.
///
/// Before its first frame a cascade takes filters as they are set; later ones it fades in (see
/// `FilterGlide`), and then wants to be notified of each point of the control grid until it is still.
/// A filter that follows a control signal is set at each frame instead (see `follow`).
package struct FilterCascade: ~Copyable {
  package let sectionCount: Int
  package let channelCount: Int
  private let passCount: Int
  private let vectorLevel: Int32
  /// Pass by pass, five rows of coefficients.
  private let coefficients: UnsafeMutablePointer<Double>
  /// Channel pair by channel pair, pass by pass, two rows of states.
  private let states: UnsafeMutablePointer<Double>
  /// What each section is, or is on its way to.
  private let sections: UnsafeMutablePointer<FilterSection>
  private var glide: FilterGlide
  /// False until a frame is rendered.
  private var hasStarted = false
  /// True while filters are on their way; the first states are then unscaled.
  package private(set) var isMoving = false
  /// True when a section follows its design frame by frame; the first states then stay unscaled.
  private var isFollowing = false

  static var filtersPerPass: Int { @_noLocks get { 12 } }
  static var row: Int { @_noLocks get { 24 } }
  /// Numbers that two channels of a pass hold.
  static var stateCount: Int { @_noLocks get { 2 * row } }

  /// All sections pass the signal on until they are set.
  ///
  /// - Parameter vectorLevel: The instruction set to use, 0 the one that every processor has; nil
  ///   takes the best there is. The bits are the same.
  package init(
    sectionCount: Int, channelCount: Int, sampleRate: Double, vectorLevel: Int? = nil
  ) {
    self.sectionCount = sectionCount
    self.channelCount = channelCount
    let best = fx_vector_level()
    // A processor that is faster with the narrower vectors of AVX-512 has the wider ones too.
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

  /// Lanes that only vectors of four filters reach: there -0 has to stay what it is, as where vectors
  /// are of two.
  static func spareLanes(sectionCount: Int, pass: Int) -> Range<Int> {
    let sections = min(sectionCount - pass * filtersPerPass, filtersPerPass)
    return 2 * (sections + sections % 2)..<row
  }

  /// What a cascade of so many sections and channels allocates.
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

  /// Replaces a section, from the first frame or from a point of the control grid on; what it holds
  /// of the signal lives on in the new one.
  @_noLocks
  package mutating func set(_ index: Int, _ section: FilterSection) {
    if hasStarted {
      if !isMoving { unscale() }
      glide.head(index, from: sections[index])
    }
    sections[index] = section
    if !hasStarted { place(index) }
  }

  /// Replaces a section from the next frame on, without a way to it: for a design that is renewed at
  /// each frame, by a control signal that is smooth itself. Such a cascade renders frame by frame.
  @_noLocks
  package mutating func follow(_ index: Int, _ section: FilterSection) {
    if !isMoving { unscale() }
    isFollowing = true
    sections[index] = section
    glide.hold(index, section)
  }

  /// Takes sections that are on their way on to the next point of the control grid.
  @_noLocks
  package mutating func startPiece() {
    guard isMoving else { return }
    glide.startPiece(UnsafePointer(sections))
    if glide.movingCount == 0 && !isFollowing { rescale() }
  }

  /// Turns to the numbers that move.
  @_noLocks
  private mutating func unscale() {
    isMoving = true
    for index in 0..<sectionCount {
      glide.hold(index, sections[index])
      scale(index, by: 1 / sections[index].g)
    }
  }

  /// Turns to the numbers that stay.
  @_noLocks
  private mutating func rescale() {
    isMoving = false
    for index in 0..<sectionCount {
      place(index)
      scale(index, by: sections[index].g)
    }
  }

  /// Writes a still section's numbers.
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

  /// Filters frames, and looks at the states where `InaudibleState` says.
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

  /// Puts down what another call needs to render a whole block in place of `render`; false where
  /// filters move or take several passes.
  @_noLocks
  package mutating func join(_ place: UnsafeMutablePointer<StillFilters>) -> Bool {
    guard !isMoving, passCount == 1 else { return false }
    hasStarted = true
    place.pointee = StillFilters(
      coefficients: UnsafePointer(coefficients), states: states, count: sectionCount,
      channelCount: channelCount, vectorLevel: vectorLevel)
    return true
  }

  /// True when it is at rest: silence in gives silence out, as `UnitEntry.isAtRest` says.
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

  /// Forgets the signal and keeps the filters; those on their way have arrived.
  @_noLocks
  package mutating func reset() {
    hasStarted = false
    if isMoving { rescale() }
    isFollowing = false
    for index in 0..<((channelCount + 1) / 2 * passCount * 2 * Self.row) { states[index] = 0 }
  }
}
