/// Numbers of plugins, which are 32 bits long, as people write them.
enum LV2Number {
  /// The number with the fewest digits that is the same one in 32 bits: 0.1 where the port says
  /// 0.100000001490116. What is out of their range stays as it is.
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
