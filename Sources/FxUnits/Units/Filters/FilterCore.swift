import FxAudio

/// The shared part of the single-filter units: a cascade with one frequency, Q and gain.
struct FilterCore: ~Copyable {
  private let shape: FilterShape
  /// The order of a Butterworth cascade, or 0 for one section with a Q.
  private let order: Int
  private let sampleRate: Double
  private var cascade: FilterCascade
  private var grid = ControlGrid()
  private var frequency = ControlValue()
  private var q = ControlValue()
  private var gain = ControlValue()

  init(_ shape: FilterShape, order: Int = 0, _ preparation: Preparation) {
    self.shape = shape
    self.order = order
    sampleRate = preparation.sampleRate
    cascade = FilterCascade(
      sectionCount: Self.sectionCount(order: order),
      channelCount: preparation.outputWidths.first ?? 0, sampleRate: sampleRate)
  }

  private static func sectionCount(order: Int) -> Int {
    order == 0 ? 1 : Butterworth.sectionCount(order: order)
  }

  /// - Parameter values: The parameters that determine the tail, as the unit receives them (gain as
  ///   an amplitude).
  static func traits(
    _ shape: FilterShape, order: Int = 0, _ preparation: Preparation,
    values: (frequency: Double, q: Double, amplitude: Double)
  ) -> UnitTraits {
    let sampleRate = preparation.sampleRate
    let sectionCount = sectionCount(order: order)
    var frames = 0.0
    for section in 0..<sectionCount {
      frames +=
        self.section(
          section, shape, order, values.frequency, values.q, values.amplitude, sampleRate
        ).ringingFrames
    }
    return UnitTraits(
      tail: .ringing(frames: frames, sampleRate: sampleRate),
      memory: FilterCascade.byteCount(
        sectionCount: sectionCount, channelCount: preparation.outputWidths.first ?? 0,
        sampleRate: sampleRate),
      filterCount: sectionCount)
  }

  // MARK: - Realtime

  @_noLocks
  private static func section(
    _ index: Int, _ shape: FilterShape, _ order: Int, _ frequency: Double, _ q: Double,
    _ amplitude: Double, _ sampleRate: Double
  ) -> FilterSection {
    let part = SectionPlace(index: index, order: order == 0 ? 2 : order)
    return FilterSection(
      part.shape(shape), frequency: frequency, quality: part.quality(q), amplitude: amplitude,
      sampleRate: sampleRate)
  }

  /// Renders a block; `q` and `gain` are constant if the unit has no such parameter.
  @_noLocks
  mutating func render(
    _ block: RenderBlock, frequency frequencySignal: ParameterSignal,
    q qSignal: ParameterSignal = ParameterSignal(constant: 1),
    gain gainSignal: ParameterSignal = ParameterSignal(constant: 1)
  ) {
    if frequencySignal.isModulated || qSignal.isModulated || gainSignal.isModulated {
      follow(block, frequencySignal, qSignal, gainSignal)
      return
    }
    var start = 0
    while start < block.frameCount {
      if !isSettled(frequencySignal, qSignal, gainSignal) && grid.isDue(block.frame + start) {
        let frequencyMoved = frequency.take(frequencySignal, start)
        let qMoved = q.take(qSignal, start)
        let gainMoved = gain.take(gainSignal, start)
        if frequencyMoved || qMoved || gainMoved {
          for index in 0..<cascade.sectionCount { cascade.set(index, section(index)) }
        }
        cascade.startPiece()
      }
      let end =
        isSettled(frequencySignal, qSignal, gainSignal)
        ? block.frameCount : grid.pieceEnd(block, after: start)
      cascade.render(block, from: start, to: end)
      start = end
    }
  }

  /// See `UnitEntry.join`; parameters as in `render`.
  @_noLocks
  mutating func join(
    _ place: UnsafeMutablePointer<StillFilters>, frequency frequencySignal: ParameterSignal,
    q qSignal: ParameterSignal = ParameterSignal(constant: 1),
    gain gainSignal: ParameterSignal = ParameterSignal(constant: 1)
  ) -> Bool {
    isSettled(frequencySignal, qSignal, gainSignal) && cascade.join(place)
  }

  /// See `UnitEntry.isAtRest`; parameters as in `render`.
  @_noLocks
  func isAtRest(
    frequency frequencySignal: ParameterSignal,
    q qSignal: ParameterSignal = ParameterSignal(constant: 1),
    gain gainSignal: ParameterSignal = ParameterSignal(constant: 1)
  ) -> Bool {
    isSettled(frequencySignal, qSignal, gainSignal) && cascade.isAtRest
  }

  @_noLocks
  private func isSettled(
    _ frequencySignal: ParameterSignal, _ qSignal: ParameterSignal, _ gainSignal: ParameterSignal
  ) -> Bool {
    !cascade.isMoving && frequency.isSettled(frequencySignal) && q.isSettled(qSignal)
      && gain.isSettled(gainSignal)
  }

  /// Renders a block with modulated parameters: a design for each frame.
  @_noLocks
  private mutating func follow(
    _ block: RenderBlock, _ frequencySignal: ParameterSignal, _ qSignal: ParameterSignal,
    _ gainSignal: ParameterSignal
  ) {
    for frame in 0..<block.frameCount {
      let frequencyMoved = frequency.take(frequencySignal, frame)
      let qMoved = q.take(qSignal, frame)
      let gainMoved = gain.take(gainSignal, frame)
      if frequencyMoved || qMoved || gainMoved {
        for index in 0..<cascade.sectionCount { cascade.follow(index, section(index)) }
      }
      cascade.render(block, from: frame, to: frame + 1)
    }
  }

  /// A section for the latest values.
  @_noLocks
  private func section(_ index: Int) -> FilterSection {
    Self.section(
      index, shape, order, Double(frequency.value), Double(q.value), Double(gain.value), sampleRate)
  }

  @_noLocks
  mutating func reset() {
    cascade.reset()
    grid.reset()
    frequency.reset()
    q.reset()
    gain.reset()
  }
}

extension Tail {
  /// The tail of filters that ring for this many frames, at most thirty seconds.
  static func ringing(frames: Double, sampleRate: Double) -> Tail {
    let longest = 30 * sampleRate
    guard frames < longest else { return .frames(Int(max(0, longest))) }
    return .frames(max(0, Int(frames) + 1))
  }
}
