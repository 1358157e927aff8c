package import FxAudio

extension Tolerance {
  /// Reads `exact`, a level (`-90 dB`, for the peak), or separate limits:
  /// `peak=-90,rms=-100,spectral=0.5`. Levels are in dB, with or without the unit.
  package init(_ text: String) throws(Failure) {
    self.init()
    let text = Self.trimmed(text)
    if text == "exact" { return }
    guard text.contains("=") else {
      peak = try Self.level(text, of: "a tolerance")
      return
    }
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = Self.trimmed(String(sides[0]))
      guard !name.isEmpty else {
        throw Failure(.usage, "a comma is followed by another limit, like rms=-100")
      }
      guard sides.count == 2 else {
        throw Failure(.usage, "'\(name)' has no value; write \(name)=-90")
      }
      try set(name, Self.trimmed(String(sides[1])))
    }
  }

  private mutating func set(_ name: String, _ value: String) throws(Failure) {
    switch name {
    case "peak" where peak == nil: peak = try Self.level(value, of: name)
    case "rms" where rms == nil: rms = try Self.level(value, of: name)
    case "spectral" where spectral == nil:
      let number = Self.number(value)
      guard let number, number >= 0, number <= 200 else {
        throw Failure(.usage, "spectral is 0 to 200 dB, not '\(value)'")
      }
      spectral = number
    case "peak", "rms", "spectral": throw Failure(.usage, "'\(name)' is given twice")
    default:
      throw Failure(.usage, "'\(name)' is no tolerance; there are peak, rms and spectral")
    }
  }

  private static func level(_ text: String, of name: String) throws(Failure) -> Double {
    guard let number = number(text) else {
      throw Failure(
        .usage,
        "\(name) is a level like '-90 dB'"
          + (name == "a tolerance" ? ", 'exact', or like 'peak=-90,rms=-100,spectral=0.5'" : "")
          + ", not '\(text)'")
    }
    guard number >= -400, number <= 0 else {
      throw Failure(
        .usage,
        "\(name) is -400 to 0 dB, not \(text)"
          + (number > 0 ? ": above full scale every sound would pass" : ""))
    }
    return number
  }

  /// A number of decibels, with or without the unit.
  private static func number(_ text: String) -> Double? {
    let bare = text.lowercased().hasSuffix("db") ? trimmed(String(text.dropLast(2))) : text
    // `Double` also reads inf, nan and hexadecimal numbers, which are not allowed here.
    guard !bare.isEmpty, bare.allSatisfy({ "+-.0123456789eE".contains($0) }) else { return nil }
    return Double(bare).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension Tolerance: CustomStringConvertible {
  /// The text that `init` reads: `exact`, `-90 dB`, `rms=-100 dB,spectral=0.5 dB`.
  package var description: String {
    let parts = [("peak", peak), ("rms", rms), ("spectral", spectral)]
      .compactMap { name, value in value.map { (name, "\(Figures.plain($0)) dB") } }
    if parts.isEmpty { return "exact" }
    if parts.count == 1, peak != nil { return parts[0].1 }
    return parts.map { "\($0)=\($1)" }.joined(separator: ",")
  }
}
