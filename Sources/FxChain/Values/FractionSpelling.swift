/// How a fraction of a beat, as chains of version 1 write it, is written in version 2.
extension Quantity {
  /// The same number of beats, which all versions read alike: `0.125 beats` for `1/8`. nil for a text that is no
  /// fraction.
  package static func beats(ofFraction text: String) -> String? {
    guard case .fraction(let beats)? = Quantity(text) else { return nil }
    return "\(shortNumber(beats)) \(beats == 1 ? "beat" : "beats")"
  }

  /// The note that lasts as long: `1/32` for `1/8`, where a quarter note is a beat. Without a note that is a beat
  /// for the whole chain it is the number of beats.
  package static func note(ofFraction text: String, beatUnit: Int?) -> String? {
    let sides = text.split(separator: "/").map { String($0).trimmed }
    guard let beatUnit, sides.count == 2, let above = Int(sides[0]), let below = Int(sides[1]),
      above > 0, let whole = exactly(below, times: beatUnit)
    else { return beats(ofFraction: text) }
    let common = greatestCommonDivisor(above, whole)
    return "\(above / common)/\(whole / common)"
  }

  private static func exactly(_ number: Int, times factor: Int) -> Int? {
    let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
    return isTooLarge || product > 1 << 53 ? nil : product
  }

  private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    second == 0 ? first : greatestCommonDivisor(second, first % second)
  }
}
