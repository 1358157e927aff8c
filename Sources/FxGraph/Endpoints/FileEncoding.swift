package import FxAudio

/// How samples are written to a file.
package struct FileEncoding: Sendable, Hashable {
  /// Bits of a sample; 32 is float.
  package enum Depth: Int, Sendable, Hashable, CaseIterable {
    case int16 = 16
    case int24 = 24
    case float32 = 32
  }

  /// nil: 24 bits for FLAC, otherwise 32-bit float for a chain's own sinks and 24 bits for `-o`.
  package var depth: Depth?
  /// Triangular dither of one step before rounding to 16 bits.
  package var isDithered: Bool
  /// Decibels that the highest peak of the whole sound is brought to; nil leaves it as it is.
  package var normalizedPeak: Double?

  package init(depth: Depth? = nil, isDithered: Bool = true, normalizedPeak: Double? = nil) {
    self.depth = depth
    self.isDithered = isDithered
    self.normalizedPeak = normalizedPeak
  }

  /// Levels that a peak may be brought to.
  package static let peaks = -100.0...0
}

/// The encoding as options of a sink.
extension FileEncoding {
  package static let specs = [
    OptionSpec(
      "bits", "Bits of a sample: 16, 24 or 32 (float).", .integer(16...32), default: nil),
    OptionSpec(
      "dither", "For 16 bits: triangular dither.", .flag, default: .flag(true)),
    OptionSpec(
      "normalize",
      "Level of the highest peak, by one gain: the whole sound is measured first, so not live.",
      .number(.decibels, peaks), default: nil),
  ]

  package init(_ options: [String: OptionValue]) {
    self.init(
      depth: options.integer("bits").flatMap(Depth.init(rawValue:)),
      isDithered: options.flag("dither") ?? true,
      normalizedPeak: options.number("normalize"))
  }

  var options: [String: OptionValue] {
    var options: [String: OptionValue] = ["dither": .flag(isDithered)]
    if let depth { options["bits"] = .number(Double(depth.rawValue)) }
    if let normalizedPeak { options["normalize"] = .number(normalizedPeak) }
    return options
  }

  /// What is wrong with bits and dither together.
  package static func conflict(_ options: [String: OptionValue]) -> OptionConflict? {
    guard let bits = options.integer("bits") else { return nil }
    guard let depth = Depth(rawValue: bits) else {
      return OptionConflict(
        "bits", concernsOthers: false, "'bits' cannot be \(bits)",
        hint: "one of: 16, 24, 32 (float)")
    }
    guard options.flag("dither") != true || depth == .int16 else {
      return OptionConflict(
        "dither", concernsOthers: true, "'dither' goes with 16 bits, not with \(bits)",
        hint: "leave it out, or write \"bits\": 16")
    }
    return nil
  }
}
