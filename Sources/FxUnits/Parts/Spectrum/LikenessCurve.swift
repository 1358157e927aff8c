import FxAudio

/// How similar a window of a signal is to itself, some samples later: the normalised square
/// difference of McLeod and Wyvill, with values between whole samples.
///
/// The curve has the bandwidth of the signal. A windowed sinc interpolates it in quarters of a sample,
/// and a parabola within them. The sinc is a low-pass too, because so few taps interpolate nothing
/// near half the rate; the curve is then that of the low-passed signal. Allocated on the control
/// thread, used on the render thread.
struct LikenessCurve: ~Copyable {
  struct Peak: BitwiseCopyable {
    /// In samples.
    let lag: Double
    let value: Double
  }

  /// The taps of the sinc on either side.
  private static var reach: Int { @_noLocks get { 16 } }
  private static var taps: Int { @_noLocks get { 2 &* reach } }

  private let longest: Int
  /// The samples that are compared.
  private let window: Int
  /// The values at lags from `-reach` to `longest + reach`; the curve is even.
  private let values: SampleBuffer
  /// The sinc at no, one, two and three quarters of a sample.
  private let kernel: SampleBuffer
  /// The cutoff as a share of half the rate.
  private static var cutoff: Double { 0.82 }

  /// - Parameter longest: The longest lag of a peak, at least `reach`.
  init(longest: Int) {
    self.longest = longest
    window = 2 * longest - Self.reach
    values = SampleBuffer(count: longest + 2 * Self.reach + 1)
    kernel = SampleBuffer(count: 4 * Self.taps)
    for quarter in 0...3 {
      for tap in 0..<Self.taps {
        let distance = Double(tap - Self.reach + 1) - Double(quarter) / 4
        let share = distance / Double(Self.reach)
        let shape = Kaiser.bessel(5 * Math.squareRoot(max(0, 1 - share * share))) / Kaiser.bessel(5)
        let angle = Double.pi * Self.cutoff * distance
        let sinc = angle == 0 ? 1 : Math.sin(angle) / angle
        kernel.samples[quarter * Self.taps + tap] = Float(shape * Self.cutoff * sinc)
      }
      // The same gain at every quarter: a difference would bend the flat peak of a low note.
      let taps = kernel.samples + quarter * Self.taps
      let sum = (0..<Self.taps).reduce(0.0) { $0 + Double(taps[$1]) }
      for tap in 0..<Self.taps { taps[tap] = Float(Double(taps[tap]) / sum) }
    }
  }

  static func byteCount(longest: Int) -> Int {
    SampleBuffer.byteCount(count: longest + 2 * reach + 1)
      + SampleBuffer.byteCount(count: 4 * taps)
  }

  // MARK: - Realtime

  /// Compares `3 * longest` samples: 2 Σ x(t) x(t + lag), divided by the sum of both energies.
  @_noLocks
  func compare(_ x: UnsafePointer<Float>) {
    var energy = 0.0
    for frame in 0..<window { energy += Double(x[frame]) * Double(x[frame]) }
    var later = energy
    let n = values.samples + Self.reach
    for lag in 0..<longest &+ Self.reach {
      var sums = SIMD8<Float>(repeating: 0)
      var frame = 0
      while frame &+ 8 <= window {
        let here = UnsafeRawPointer(x + frame).loadUnaligned(as: SIMD8<Float>.self)
        let there = UnsafeRawPointer(x + (frame &+ lag)).loadUnaligned(as: SIMD8<Float>.self)
        sums += here * there
        frame &+= 8
      }
      var sum: Float = 0
      for lane in 0..<8 { sum += sums[lane] }
      while frame < window {
        sum += x[frame] * x[frame &+ lag]
        frame &+= 1
      }
      let whole = energy + later
      n[lag] = whole > 1e-9 ? Float(2 * Double(sum) / whole) : 0
      let (gone, come) = (Double(x[lag]), Double(x[lag &+ window]))
      later += come * come - gone * gone
    }
    mirror(n)
    let top = Float(value(0))
    guard top > 1e-6 else { return }
    for lag in 0..<longest &+ Self.reach { n[lag] /= top }
    mirror(n)
  }

  @_noLocks
  private func mirror(_ n: UnsafeMutablePointer<Float>) {
    for lag in 1..<Self.reach { n[0 &- lag] = n[lag] }
  }

  /// The first peak after the first zero crossing that is nearly as high as the highest peak. nil
  /// when none is above 0.6.
  @_noLocks
  func firstPeak() -> Peak? {
    let n = values.samples + Self.reach
    var start = 1
    while start < longest && n[start] > 0 { start &+= 1 }
    var highest = 0.0
    for lag in start..<longest where isPeak(lag) {
      let value = refined(lag).value
      if value > highest { highest = value }
    }
    guard highest > 0.6 else { return nil }
    if highest > 1 { highest = 1 }
    // Half a period may be similar too. How similar, the noise of the highest peak hides.
    let strict = highest - 0.02 - 0.8 * (1 - highest)
    let least = strict > 0.88 * highest ? strict : 0.88 * highest
    for lag in start..<longest where isPeak(lag) {
      let peak = refined(lag)
      if peak.value > least { return peak }
    }
    return nil
  }

  /// The period that the peaks at its multiples give; the last one is the most precise.
  @_noLocks
  func period(from first: Peak) -> Double {
    var (period, multiple) = (first.lag, 1)
    // Each peak leads to the next one: its error doubles, but stays within the search.
    while true {
      let most = Int(Double(longest &- 2) / period)
      let next = 2 &* multiple < most ? 2 &* multiple : most
      guard next > multiple else { return period }
      let near = Double(next) * period
      let peak = refined(Int(near + 0.5))
      let distance = peak.lag > near ? peak.lag - near : near - peak.lag
      guard peak.value > 0.8, peak.value > first.value - 0.1, distance < 0.9,
        distance < 0.25 * first.lag
      else { return period }
      (period, multiple) = (peak.lag / Double(next), next)
    }
  }

  @_noLocks
  private func isPeak(_ lag: Int) -> Bool {
    let n = values.samples + Self.reach
    return n[lag] > 0 && n[lag] >= n[lag &- 1] && n[lag] >= n[lag &+ 1]
  }

  /// The highest point within a sample of a lag.
  @_noLocks
  private func refined(_ lag: Int) -> Peak {
    var (place, top) = (4 &* lag, value(4 &* lag))
    for quarter in 4 &* lag &- 4...4 &* lag &+ 4 {
      let value = value(quarter)
      if value > top { (place, top) = (quarter, value) }
    }
    // Noise makes small humps on the flat peak of a low note. The parabola is wide enough that they
    // do not move it; without noise it stays narrow.
    var step = 1
    var (left, right) = (value(place &- 1), value(place &+ 1))
    while top - 0.5 * (left + right) < 1 - top, step < 128, place > 32 &* step,
      place &+ 2 &* step < 4 &* longest
    {
      let (before, behind) = (value(place &- 2 &* step), value(place &+ 2 &* step))
      guard before < top, behind < top else { break }
      (step, left, right) = (2 &* step, before, behind)
    }
    if step >= 16, let fit = fitted(place, step / 4) { return fit }
    let bend = left - 2 * top + right
    guard bend < 0 else { return Peak(lag: 0.25 * Double(place), value: top) }
    let offset = 0.5 * (left - right) / bend
    return Peak(
      lag: 0.25 * (Double(place) + offset * Double(step)),
      value: top - 0.25 * (left - right) * offset)
  }

  /// The top of the parabola nearest to nine points around a lag, in quarters of a sample: noise has
  /// a smaller share of it than of three points. nil when the top is not among them.
  @_noLocks
  private func fitted(_ place: Int, _ step: Int) -> Peak? {
    var (sum, slope, bend) = (0.0, 0.0, 0.0)
    for point in -4...4 {
      let value = value(place &+ point &* step)
      sum += value
      slope += Double(point) * value
      bend += Double(point &* point) * value
    }
    // The sums of the second and fourth powers of -4...4 are 60 and 708.
    slope /= 60
    bend = (bend - sum * 60 / 9) / 308
    let middle = (sum - bend * 60) / 9
    guard bend < 0 else { return nil }
    let offset = -0.5 * slope / bend
    guard offset > -4, offset < 4 else { return nil }
    return Peak(
      lag: 0.25 * (Double(place) + offset * Double(step)), value: middle + 0.5 * slope * offset)
  }

  /// The curve at a lag in quarters of a sample.
  @_noLocks
  private func value(_ quarters: Int) -> Double {
    let (lag, quarter) = (quarters >> 2, quarters & 3)
    let n = values.samples + (Self.reach &+ lag)
    let first = n - (Self.reach &- 1)
    let taps = kernel.samples + quarter &* Self.taps
    var sums = SIMD8<Float>(repeating: 0)
    var tap = 0
    while tap < Self.taps {
      let here = UnsafeRawPointer(first + tap).loadUnaligned(as: SIMD8<Float>.self)
      let there = UnsafeRawPointer(taps + tap).loadUnaligned(as: SIMD8<Float>.self)
      sums += here * there
      tap &+= 8
    }
    var sum: Float = 0
    for lane in 0..<8 { sum += sums[lane] }
    return Double(sum)
  }
}
