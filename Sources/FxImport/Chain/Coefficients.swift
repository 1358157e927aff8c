import FxNodes

/// The coefficients of a section of second order: (b0 + b1 z⁻¹ + b2 z⁻²) / (a0 + a1 z⁻¹ + a2 z⁻²).
struct Coefficients {
  let b: [Double]
  let a: [Double]

  /// A section of the unit `biquad`.
  var section: Biquad.Section { Biquad.Section(b: Self.text(b), a: Self.text(a)) }

  private static func text(_ numbers: [Double]) -> String {
    numbers.map { "\($0)" }.joined(separator: " ")
  }
}
