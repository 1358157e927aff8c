import FxNodes

/// A channel or filter that a filter reads or feeds, as BruteFIR writes it: `"left"/6/-1`, which is a name or a
/// number, an attenuation in decibels and a factor.
struct BruteFIRLink {
  /// The name, or the number from 0.
  let name: String
  let factor: Double

  /// - Returns: nil for a text that is no link.
  init?(_ text: String) {
    let parts = BruteFIRParser.split(text, at: "/")
    guard (1...3).contains(parts.count) else { return nil }
    name = BruteFIRParser.unquoted(parts[0])
    var product = 1.0
    if parts.count > 1, !parts[1].isEmpty {
      guard let attenuation = Double(parts[1]) else { return nil }
      product = FxImport.factor(decibels: -attenuation)
    }
    if parts.count > 2 {
      guard let factor = Double(parts[2]) else { return nil }
      product *= factor
    }
    guard !name.isEmpty, product.isFinite else { return nil }
    factor = product
  }

  /// The link of a filter to another one that names it in its own `from_filters`.
  init(name: String) { (self.name, factor) = (name, 1) }

  /// A route of a matrix with the link's level, which is not 0.
  ///
  /// - Parameters: channels from 1.
  func route(from source: Int, to target: Int) -> Matrix.Route {
    let level = rounded(decibels(abs(factor)))
    return Matrix.Route(
      from: source, to: target, gain: level == 0 ? nil : .decibels(level),
      invert: factor < 0 ? true : nil)
  }
}
