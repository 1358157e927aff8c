/// A filter of a configuration: what it reads, its coefficients, and what it feeds.
struct BruteFIRFilter {
  let name: String
  let fromInputs: [BruteFIRLink]
  var fromFilters: [BruteFIRLink]
  let toOutputs: [BruteFIRLink]
  /// The filters that it feeds.
  let fed: [String]
  /// The name or number of its coefficients; nil for none.
  let coefficients: String?
  /// Blocks.
  let delay: Int
  private let source: SourceValue

  /// - Parameter number: its place among the filters, from 0.
  init(_ section: BruteFIRParser.Section, number: Int) {
    source = section.source
    name = section.names.first ?? "\(number)"
    fromInputs = Self.links("from_inputs", source)
    fromFilters = Self.links("from_filters", source)
    toOutputs = Self.links("to_outputs", source)
    fed = BruteFIRParser.elements(source["to_filters"]?.text ?? "").map(BruteFIRParser.unquoted)
    let coefficients = source["coeff"]?.text.map(BruteFIRParser.unquoted)
    self.coefficients = coefficients == "-1" ? nil : coefficients
    delay = source["delay"]?.integer ?? 0
    for key in ["process", "crossfade"] {
      source[key]?.settle(.translated("how BruteFIR works; the sound is the same"))
    }
    for (key, value) in source.members where !Self.fields.contains(key) {
      value.turn(.notPossible("a filter of BruteFIR has no '\(key)'"))
    }
  }

  private static let fields: Set = [
    "from_inputs", "from_filters", "to_outputs", "to_filters", "coeff", "delay", "process",
    "crossfade",
  ]

  private static func links(_ key: String, _ source: SourceValue) -> [BruteFIRLink] {
    guard let value = source[key], let text = value.text else { return [] }
    let links = BruteFIRParser.elements(text).map { BruteFIRLink($0) }
    if links.contains(where: { $0 == nil }) {
      value.turn(.notPossible("a name, an attenuation and a factor are expected here"))
    }
    return links.compactMap { $0 }
  }

  /// Says why the whole filter has no nodes, but for what is refused already.
  func leaveOut(_ reason: String) {
    let isRefused = source.leaves.contains {
      if case .notPossible? = $0.outcome { true } else { false }
    }
    if !isRefused { source.turn(.translated(reason)) }
  }

  func refuse(_ key: String, _ reason: String) {
    (source[key] ?? source).turn(.notPossible(reason))
  }
}

extension CoefficientFile {
  /// - Parameter format: BruteFIR's name of the format; nil for text.
  /// - Returns: nil for a format that fxrun does not know.
  init?(bruteFIR name: String, format: String?) {
    let key = format.map(BruteFIRParser.unquoted) ?? "text"
    let formats: [String: Format] = [
      "S8": .integers(bytes: 1, bits: 8), "S16": .integers(bytes: 2, bits: 16),
      "S16_4": .integers(bytes: 4, bits: 16), "S24": .integers(bytes: 3, bits: 24),
      "S24_4": .integers(bytes: 4, bits: 24), "S32": .integers(bytes: 4, bits: 32),
      "FLOAT": .floats, "FLOAT64": .doubles,
    ]
    guard key.lowercased() != "text" else {
      self.init(name: name, format: .text)
      return
    }
    let ending = ["_LE", "_BE", "_NE"].first { key.hasSuffix($0) } ?? ""
    guard let known = formats[String(key.dropLast(ending.count))], key == "S8" || !ending.isEmpty
    else { return nil }
    self.init(name: name, format: known, isBigEndian: ending == "_BE")
  }
}
