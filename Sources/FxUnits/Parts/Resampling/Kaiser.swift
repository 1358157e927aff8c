/// The function that Kaiser's window is computed from.
enum Kaiser {
  /// The modified Bessel function of the first kind and order 0.
  static func bessel(_ x: Double) -> Double {
    var (term, sum, index) = (1.0, 1.0, 1.0)
    while term > 1e-18 * sum {
      term *= (x / (2 * index)) * (x / (2 * index))
      sum += term
      index += 1
    }
    return sum
  }
}
