import FxAudio

/// The oscillator of the movement units: a shape over time from -1 to 1. Every second channel is
/// ahead by a share of the period.
///
/// Render thread. Its phase is 0 at frame 0 of the sound, where a sine passes through 0 upwards.
struct Swing: ~Copyable {
  enum Shape: String, CaseIterable {
    case sine, triangle, square
  }

  let shape: Shape
  private var clock: PeriodClock
  private var glide: PhaseGlide
  /// The period of the last frame.
  private var beats = Float.nan
  /// The phases of the latest frames, as shares of a period.
  let shares = NumberBuffer(count: Swing.chunk)
  /// Phases from 0 to less than 2, or the values at these phases.
  let values = NumberBuffer(count: Swing.chunk)

  /// The maximum number of frames that are processed together.
  static var chunk: Int { @_noLocks get { 64 } }
  static var byteCount: Int { 2 * NumberBuffer.byteCount(count: chunk) }

  /// For a unit whose first parameter is its rate.
  init(_ preparation: Preparation) {
    shape = preparation.text("shape").flatMap { Shape(rawValue: $0) } ?? .sine
    clock = PeriodClock(preparation)
    glide = PhaseGlide(sampleRate: preparation.sampleRate)
  }

  static let option = OptionSpec(
    "shape", "The waveform; the edges of the square are round.",
    .choice(Shape.allCases.map(\.rawValue)), default: .text(Shape.sine.rawValue))

  /// The first two parameters of every unit of movement.
  static func rate(_ value: Double) -> [ParameterSpec] {
    [.modulatorRate("Periods a second.", default: value), .modulatorPeriod("a period")]
  }

  static func spread(_ value: Double) -> ParameterSpec {
    ParameterSpec(
      "spread", "How far every second channel is ahead of the first, as a share of a period.",
      .ratio, 0...1, default: value)
  }

  // MARK: - Realtime

  /// Must be called before the frames of a block.
  @_noLocks
  mutating func begin() { clock.begin() }

  /// Calculates the phases of frames of a block, at most `chunk`. If the period changes, the phase
  /// moves smoothly to its new position.
  @_noLocks
  mutating func take(
    _ block: RenderBlock, from frame: Int, count: Int, rate: ParameterSignal,
    period: ParameterSignal
  ) {
    if rate.isConstant, period.isConstant, period.value <= 0, beats == period.value {
      clock.findShares(
        from: block.frame &+ frame, count: count, rate: rate.value, into: shares.numbers)
      if glide.follow(UnsafePointer(shares.numbers), count: count) { return }
      for index in 0..<count {
        shares.numbers[index] = glide.follow(shares.numbers[index], jumps: false)
      }
      return
    }
    for index in 0..<count {
      let now = frame &+ index
      let share = clock.place(block, now, rate, period).share
      let jumps = period[now] != beats
      beats = period[now]
      shares.numbers[index] = glide.follow(share, jumps: jumps)
    }
  }

  /// Calculates the values of the latest frames in `values`.
  ///
  /// - Parameter ahead: Periods by which they are ahead, 0...1.
  @_noLocks
  func findValues(ahead: ParameterSignal, from frame: Int, count: Int) {
    for index in 0..<count {
      values.numbers[index] = shares.numbers[index] + Double(ahead[frame &+ index])
    }
    findValues(count: count)
  }

  /// Replaces the phases in `values` by the values there.
  @_noLocks
  func findValues(count: Int) {
    let values = values.numbers
    for index in 0..<count {
      let sum = values[index]
      values[index] = sum < 1 ? sum : sum - 1
    }
    switch shape {
    case .sine:
      for index in 0..<count { values[index] *= 6.283_185_307_179_586 }
      self.values.takeSines(count: count)
    case .triangle:
      for index in 0..<count { values[index] = Swing.triangle(values[index]) }
    case .square:
      for index in 0..<count { values[index] = Swing.square(values[index]) }
    }
  }

  @_noLocks
  private static func triangle(_ share: Double) -> Double {
    share < 0.25 ? 4 * share : (share < 0.75 ? 2 - 4 * share : 4 * share - 4)
  }

  @_noLocks
  private static func square(_ share: Double) -> Double {
    // A change of side takes a twelfth of half a period.
    let steep = 12 * triangle(share)
    let time = steep < -1 ? 0 : steep > 1 ? 1 : 0.5 + 0.5 * steep
    return 2 * SmoothStep.share(time) - 1
  }

  @_noLocks
  mutating func reset() {
    clock.reset()
    glide.reset()
    beats = .nan
  }
}
