/// Reads the numbers of one line, in the way of its file.
struct EqualizerReading {
  let line: Int
  let numbers: EqualizerNumbers

  func mistake(_ message: String) -> EqualizerRemark {
    EqualizerRemark(line: line, message: message)
  }

  func number(
    _ text: String, _ role: EqualizerNumbers.Role
  ) throws(EqualizerRemark) -> Double {
    if let number = numbers.number(text, role) { return number }
    var reason = ""
    if EqualizerNumbers.isNumber(text), let evidence = numbers.evidence {
      reason =
        ": the file has a decimal \(numbers.decimal.rawValue) ('\(evidence.text)' in line "
        + "\(evidence.line)); write all numbers in the same way"
    }
    throw mistake("'\(text.replacing("'", with: " "))' is not a number\(reason)")
  }

  private static let kinds: [String: EqualizerFilter.Kind] = [
    "PK": .peak, "PEQ": .peak, "MODAL": .peak, "LP": .lowPass, "LPQ": .lowPass, "HP": .highPass,
    "HPQ": .highPass, "LP1": .firstLowPass, "HP1": .firstHighPass, "BP": .bandPass, "NO": .notch,
    "NOTCH": .notch, "NOTCHQ": .notch, "AP": .allPass, "AP2": .allPass, "ALLPASS": .allPass,
    "AP1": .firstAllPass, "LS": .lowShelf, "HS": .highShelf, "LSC": .lowShelfCenter,
    "HSC": .highShelfCenter, "LSQ": .lowShelfCenter, "HSQ": .highShelfCenter,
  ]

  /// The filter; nil if it is off or `None`.
  func filter(
    _ raw: EqualizerLine, isDCX: Bool, _ notes: inout [EqualizerRemark]
  ) throws(EqualizerRemark) -> EqualizerFilter? {
    if raw.isOn == false || raw.type == "NONE" { return nil }
    guard !raw.type.isEmpty else { throw mistake("the type of the filter is missing, such as PK") }
    guard var kind = Self.kinds[raw.type] else { throw mistake(Self.unknown(raw.type)) }
    if isDCX, kind == .bandPass { kind = .peak }
    if raw.isOn == nil { note("neither ON nor OFF stands before the filter; it is on", &notes) }
    for word in raw.unused { note("'\(word)' is not used", &notes) }
    guard let text = raw.fields[.frequency] else { throw mistake("'Fc' is missing") }
    let filter = EqualizerFilter(
      kind: kind, frequency: try frequency(text, &notes), gain: try gain(raw, kind, &notes),
      width: try width(raw, kind, &notes))
    guard filter.width != nil || !kind.needsWidth(raw.type) else {
      throw mistake("a \(raw.type) needs Q\(kind.isShelf ? "" : " or BW")")
    }
    return filter
  }

  private static func unknown(_ type: String) -> String {
    switch type {
    case "IIR": "fxrun does not read filters by their coefficients"
    case "L-T", "LT": "fxrun has no Linkwitz transform"
    default: "there is no filter '\(type)'"
    }
  }

  private func note(_ message: String, _ notes: inout [EqualizerRemark]) {
    notes.append(mistake(message))
  }

  private func frequency(
    _ raw: EqualizerLine.Number, _ notes: inout [EqualizerRemark]
  ) throws(EqualizerRemark) -> Double {
    let frequency =
      try number(raw.text, .frequency) * (raw.unit == "khz" ? 1000 : 1)
    guard frequency > 0 else { throw mistake("'Fc' must be above 0 Hz") }
    if EqualizerNumbers.isAmbiguous(raw.text), numbers.evidence == nil || frequency < 1000 {
      // Equalizer APO reads three digits after a point or a comma as thousands, whatever the file.
      note("'Fc \(raw.text)' is read as \(shortNumber(frequency)) Hz", &notes)
    }
    return frequency
  }

  private func gain(
    _ raw: EqualizerLine, _ kind: EqualizerFilter.Kind, _ notes: inout [EqualizerRemark]
  ) throws(EqualizerRemark) -> Double? {
    guard let text = raw.fields[.gain] else {
      if kind.hasGain { throw mistake("'Gain' is missing") }
      return nil
    }
    let gain = try number(text.text, .value)
    if kind.hasGain { return gain }
    if gain != 0 { note("the Gain is not used: a \(raw.type) has none", &notes) }
    return nil
  }

  /// As in Equalizer APO, a slope counts before a bandwidth, and a bandwidth before a Q.
  private func width(
    _ raw: EqualizerLine, _ kind: EqualizerFilter.Kind, _ notes: inout [EqualizerRemark]
  ) throws(EqualizerRemark) -> EqualizerFilter.Width? {
    var widths: [(name: String, width: EqualizerFilter.Width, isUsed: Bool)] = []
    if let slope = raw.slope {
      let steepness = try positive(slope, "slope")
      guard kind.isShelf || steepness == 12 && (kind == .lowPass || kind == .highPass) else {
        throw mistake("a \(raw.type) has no slope of \(shortNumber(steepness)) dB an octave")
      }
      widths.append(("slope", .slope(steepness), kind.isShelf))
    }
    if let bandwidth = raw.fields[.bandwidth] {
      let size = try positive(bandwidth, "BW")
      widths.append(
        (
          "BW", bandwidth.unit == "hz" ? .hertz(size) : .octaves(size),
          kind.hasWidth && !kind.isShelf
        ))
    }
    if let q = raw.fields[.q] {
      widths.append(("Q", .q(try positive(q, "Q")), kind.hasWidth))
    }
    let used = widths.first(where: \.isUsed)
    for other in widths where other.name != used?.name {
      note("the \(other.name) is not used\(used.map { ": the \($0.name) counts" } ?? "")", &notes)
    }
    return used?.width
  }

  private func positive(
    _ raw: EqualizerLine.Number, _ name: String
  ) throws(EqualizerRemark) -> Double {
    let value = try number(raw.text, .value)
    guard value > 0 else { throw mistake("a \(name) must be above 0") }
    return value
  }
}

extension EqualizerFilter.Kind {
  var isShelf: Bool {
    switch self {
    case .lowShelf, .highShelf, .lowShelfCenter, .highShelfCenter: true
    default: false
    }
  }

  package var hasGain: Bool { self == .peak || isShelf }

  /// A filter of first order has no width.
  var hasWidth: Bool {
    switch self {
    case .firstLowPass, .firstHighPass, .firstAllPass: false
    default: true
    }
  }

  /// True if no default width is known.
  func needsWidth(_ name: String) -> Bool {
    switch self {
    case .peak, .allPass: true
    case .lowShelfCenter, .highShelfCenter: name.hasSuffix("Q")
    default: false
    }
  }
}
