import FxAudio

/// Extracts the bass of the difference of two channels, to make the bass mono: the difference less
/// a second-order high-pass of it.
///
/// Render thread. The trapezoidal state variable filter of A. Simper, "Solving the continuous SVF
/// equations using trapezoidal integration" (2013), in doubles.
struct SideBass: BitwiseCopyable {
  /// The frequency in hertz at which it is off. It fades in up to twice that frequency.
  static var off: Double { @_noLocks get { 10 } }
  private static var damping: Double { @_noLocks get { 1.414_213_562_373_095 } }

  private let sampleRate: Double
  private var frequency: Float = .nan
  private var share = 0.0
  private var (a1, a2, a3) = (0.0, 0.0, 0.0)
  private var (first, second) = (0.0, 0.0)

  init(sampleRate: Double) { self.sampleRate = sampleRate }

  // MARK: - Realtime

  /// The bass of the next frame's difference.
  @_noLocks
  mutating func next(_ difference: Float, below frequency: Float) -> Float {
    if frequency != self.frequency { set(frequency) }
    guard share > 0 else {
      clear()
      return 0
    }
    let input = Double(difference.finiteSample)
    let rest = input - second
    let band = a1 * first + a2 * rest
    let low = second + a2 * first + a3 * rest
    first = 2 * band - first
    second = 2 * low - second
    return Float(share * (Self.damping * band + low))
  }

  @_noLocks
  private mutating func set(_ frequency: Float) {
    self.frequency = frequency
    let hertz = Double(frequency)
    let open = (hertz - Self.off) / Self.off
    share = open < 0 ? 0 : open < 1 ? open : 1
    let highest = 0.45 * sampleRate
    let g = Math.tan(.pi * (hertz < highest ? hertz : highest) / sampleRate)
    a1 = 1 / (1 + g * (g + Self.damping))
    a2 = g * a1
    a3 = g * a2
  }

  @_noLocks
  mutating func clear() {
    first = 0
    second = 0
  }
}
