/// Writes the 32-bit numbers of plugins as people do.
enum LV2Number {
  /// The number with the fewest digits that gives the same 32-bit float: 0.1 where the port has
  /// 0.100000001490116. Values outside of the float range stay unchanged.
  static func shortest(_ value: Double) -> Double {
    let single = Float(value)
    guard single.isFinite, single != 0 || value == 0 else { return value }
    return Double(single.description) ?? value
  }

  static func shortest(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
    let (low, high) = (shortest(range.lowerBound), shortest(range.upperBound))
    return min(low, high)...max(low, high)
  }
}
