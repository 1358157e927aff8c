import FxAudio
import FxDSP

/// What moves a unit of movement: a shape over time, from -1 to 1, which every second channel follows
/// some way behind.
///
/// Render thread. Its phase is 0 at frame 0 of the sound, where a sine passes 0 upwards.
struct Swing: ~Copyable {
  enum Shape: String, CaseIterable {
    case sine, triangle, square
  }

  let shape: Shape
  private var clock: PeriodClock
  private var glide: PhaseGlide
  /// The period of the last frame.
  private var beats = Float.nan
  /// The shares of its period that have passed at the frames taken last.
  let shares = NumberBuffer(count: Swing.chunk)
  /// Places in its period, from 0 to less than 2, or its values there.
  let values = NumberBuffer(count: Swing.chunk)

  /// Frames that are worked on together at most.
  static var chunk: Int { @_noLocks get { 64 } }
  static var byteCount: Int { 2 * NumberBuffer.byteCount(count: chunk) }

  /// Of a unit whose first parameter is its rate.
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

  /// To be called before the frames of a block.
  @_noLocks
  mutating func begin() { clock.begin() }

  /// Takes so many frames of a block, at most `chunk`. Another period lies elsewhere on the beats: it
  /// gets there smoothly.
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

  /// Has its values in `values`, at the frames taken last.
  ///
  /// - Parameter ahead: Periods by which they are ahead, 0...1.
  @_noLocks
  func findValues(ahead: ParameterSignal, from frame: Int, count: Int) {
    for index in 0..<count {
      values.numbers[index] = shares.numbers[index] + Double(ahead[frame &+ index])
    }
    findValues(count: count)
  }

  /// Replaces the places in `values` by its values there.
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
    // A twelfth of a half period from one side to the other.
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
