import FxAudio
import FxDSP

/// What moves a unit of movement: a shape over time, from -1 to 1, which every second channel follows
/// some way behind.
///
/// Render thread. Its phase is 0 at frame 0 of the sound, where a sine passes 0 upwards.
struct Swing: BitwiseCopyable {
  enum Shape: String, CaseIterable {
    case sine, triangle, square
  }

  let shape: Shape
  private var clock: PeriodClock
  private var glide: PhaseGlide
  /// The period of the last frame.
  private var beats = Float.nan

  /// Of a unit whose first parameter is its rate.
  init(_ preparation: Preparation) {
    shape = preparation.text("shape").flatMap { Shape(rawValue: $0) } ?? .sine
    clock = PeriodClock(preparation)
    glide = PhaseGlide(sampleRate: preparation.sampleRate)
  }

  static let option = OptionSpec(
    "shape", "How it moves; the edges of the square are round.",
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

  /// The share of its period that has passed at a frame. Another period lies elsewhere on the beats:
  /// it gets there smoothly.
  @_noLocks
  mutating func share(
    _ block: RenderBlock, _ frame: Int, _ rate: ParameterSignal, _ period: ParameterSignal
  ) -> Double {
    let share = clock.place(block, frame, rate, period).share
    let jumps = period[frame] != beats
    beats = period[frame]
    return glide.follow(share, jumps: jumps)
  }

  /// Its value so many periods ahead of a share of a period, from 0 to less than 2.
  @_noLocks
  func value(_ share: Double, ahead: Double = 0) -> Double {
    let sum = share + ahead
    let place = sum < 1 ? sum : sum - 1
    switch shape {
    case .sine: return Math.sin(place * 6.283_185_307_179_586)
    case .triangle: return Swing.triangle(place)
    case .square:
      // A twelfth of a half period from one side to the other.
      let steep = 12 * Swing.triangle(place)
      let time = steep < -1 ? 0 : steep > 1 ? 1 : 0.5 + 0.5 * steep
      return 2 * SmoothStep.share(time) - 1
    }
  }

  @_noLocks
  private static func triangle(_ share: Double) -> Double {
    share < 0.25 ? 4 * share : (share < 0.75 ? 2 - 4 * share : 4 * share - 4)
  }

  @_noLocks
  mutating func reset() {
    clock.reset()
    glide.reset()
    beats = .nan
  }
}
