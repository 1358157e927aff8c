import Glibc

/// Factors of polynomials, for filters whose coefficients are given as a whole.
enum Polynomial {
  /// Two factors of second order with real coefficients, `1 + a1 z⁻¹ + a2 z⁻²` each; nil if they cannot be found.
  ///
  /// Bairstow's method: a factor is moved until the rest of the division is 0.
  ///
  /// - Parameter coefficients: five, the first of them 1.
  static func pairs(_ coefficients: [Double]) -> [[Double]]? {
    guard coefficients.count == 5, coefficients[0] == 1, coefficients.allSatisfy(\.isFinite) else {
      return nil
    }
    for start in [(-1.0, 0.5), (0.5, 0.5), (-1.9, 0.95), (0, -0.5), (1, 0.1)] {
      var (first, second) = start
      for _ in 0..<500 {
        let quotient = divided(coefficients, first, second)
        let slope = divided(quotient, first, second)
        let determinant = slope[2] * slope[2] - slope[3] * slope[1]
        guard determinant != 0, determinant.isFinite else { break }
        let (rest, end) = (quotient[3], quotient[4])
        let moveFirst = (rest * slope[2] - end * slope[1]) / determinant
        let moveSecond = (end * slope[2] - rest * slope[3]) / determinant
        first += moveFirst
        second += moveSecond
        guard abs(moveFirst) + abs(moveSecond) < 1e-14 else { continue }
        let other = divided(coefficients, first, second)
        return [[1, first, second], [1, other[1], other[2]]]
      }
    }
    return nil
  }

  /// The quotient by `1 + first z⁻¹ + second z⁻²`, with the rest in its last two places.
  private static func divided(_ coefficients: [Double], _ first: Double, _ second: Double)
    -> [Double]
  {
    var quotient = coefficients
    for index in 1..<quotient.count {
      quotient[index] -= first * quotient[index - 1]
      if index > 1 { quotient[index] -= second * quotient[index - 2] }
    }
    return quotient
  }
}
