/// Vectors of sines, with the same bits on every processor: only IEEE operations in a fixed order.
///
/// Angles are in turns. They are folded into a quarter turn, then a Taylor series follows.
enum Waves {
  /// `sin(2π turns)` within 1e-13, for magnitudes below 2^51.
  @inline(__always)
  static func sine(turns: SIMD4<Double>) -> SIMD4<Double> {
    let r = turns - ((turns + 6_755_399_441_055_744) - 6_755_399_441_055_744)
    let folded = r.replacing(with: 0.5 - r, where: r .> 0.25)
      .replacing(with: -0.5 - r, where: r .< -0.25)
    let x = folded * (2 * Double.pi)
    let t = x * x
    var p = t * (1.0 / 355_687_428_096_000) - 1.0 / 1_307_674_368_000
    p = p * t + 1.0 / 6_227_020_800
    p = p * t - 1.0 / 39_916_800
    p = p * t + 1.0 / 362_880
    p = p * t - 1.0 / 5_040
    p = p * t + 1.0 / 120
    p = p * t - 1.0 / 6
    return p * t * x + x
  }

  /// `cos(2π turns)` within 2e-7 and the rounding of the angle, for magnitudes below 2^22.
  @inline(__always)
  static func cosine(turns: SIMD8<Float>) -> SIMD8<Float> {
    let r = turns - ((turns + 12_582_912) - 12_582_912)
    let x = (0.25 - r.replacing(with: -r, where: r .< 0)) * (2 * Float.pi)
    let t = x * x
    var p = t * (-1.0 / 39_916_800) + 1.0 / 362_880
    p = p * t - 1.0 / 5_040
    p = p * t + 1.0 / 120
    p = p * t - 1.0 / 6
    return p * t * x + x
  }

  /// The weighted sum of the cosines of an angle's multiples: `weights[0] cos(θ) + weights[1]
  /// cos(2θ) + …`, where `cosine` is `cos(θ)`. By Clenshaw's recurrence.
  @inline(__always)
  static func harmonics(
    _ cosine: SIMD8<Float>, _ weights: UnsafePointer<Float>, count: Int
  ) -> SIMD8<Float> {
    let twice = cosine + cosine
    var one = SIMD8<Float>()
    var two = SIMD8<Float>()
    var index = count - 1
    while index >= 0 {
      let next = twice * one - two + weights[index]
      two = one
      one = next
      index -= 1
    }
    return one * cosine - two
  }

  /// The fraction of `frequency × frame` turns; 0 when that is not a number or too large.
  static func turns(_ frequency: Double, frame: Int) -> Double {
    let turns = frequency * Double(frame)
    guard turns.magnitude < 4e15 else { return 0 }
    return turns - turns.rounded(.down)
  }

  /// Fills a run with a sine that begins at a phase and advances by `step` turns per frame.
  static func fill(
    _ samples: UnsafeMutablePointer<Float>, count: Int, from turns: Double, step: Double,
    amplitude: Float
  ) {
    let lanes = SIMD4<Double>(0, 1, 2, 3)
    let amplitude = SIMD4<Float>(repeating: amplitude)
    var frame = 0
    while frame < count {
      let wave = sine(turns: (lanes + Double(frame)) * step + turns)
      let values = SIMD4<Float>(wave) * amplitude
      if frame + 4 <= count {
        UnsafeMutableRawPointer(samples + frame).storeBytes(of: values, as: SIMD4<Float>.self)
      } else {
        for lane in 0..<count - frame { samples[frame + lane] = values[lane] }
      }
      frame += 4
    }
  }
}
