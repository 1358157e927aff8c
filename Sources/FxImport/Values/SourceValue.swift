/// A value of a configuration in YAML, JSON or SPA-JSON: a scalar, a list or a map.
///
/// A value knows its place and its outcome, so that no part of a configuration is left without one: what
/// nobody has read has none.
final class SourceValue {
  enum Content {
    case scalar(String)
    /// A value that stands for "not set".
    case absent
    case list([SourceValue])
    case map([(key: String, value: SourceValue)])
  }

  let content: Content
  /// The line in the file, from 1.
  let line: Int
  /// The keys and numbers that lead here: `filters.bass.parameters.q`, `pipeline.0.names.1`.
  let path: String
  private(set) var outcome: ImportOutcome?

  init(_ content: Content, line: Int, path: String) {
    self.content = content
    self.line = line
    self.path = path
  }

  /// The parts that have no parts: scalars, and empty lists and maps.
  var leaves: [SourceValue] {
    switch content {
    case .scalar, .absent: [self]
    case .list(let elements): elements.isEmpty ? [self] : elements.flatMap(\.leaves)
    case .map(let members): members.isEmpty ? [self] : members.flatMap(\.value.leaves)
    }
  }

  // MARK: Outcomes

  /// Gives all parts an outcome that have none yet.
  func settle(_ outcome: ImportOutcome = .translated) {
    for leaf in leaves where leaf.outcome == nil { leaf.outcome = outcome }
  }

  /// Gives all parts this outcome, apart from those that are not possible already.
  func turn(_ outcome: ImportOutcome) {
    for leaf in leaves {
      if case .notPossible? = leaf.outcome { continue }
      leaf.outcome = outcome
    }
  }

  /// The parts of a report.
  ///
  /// - Parameter program: the program whose keys these are.
  func parts(of program: String) -> [ImportReport.Part] {
    leaves.map { leaf in
      let unread: ImportOutcome =
        if case .scalar = leaf.content {
          .notPossible("fxrun does not know this key of \(program)")
        } else {
          // An empty value says nothing.
          .translated
        }
      return ImportReport.Part(
        line: leaf.line, name: leaf.path, outcome: leaf.outcome ?? unread)
    }
  }

  // MARK: Reading

  subscript(key: String) -> SourceValue? {
    guard case .map(let members) = content else { return nil }
    return members.first { $0.key == key }?.value.present
  }

  /// The first of several spellings of a key.
  func first(_ keys: String...) -> SourceValue? {
    for key in keys {
      if let value = self[key] { return value }
    }
    return nil
  }

  private var present: SourceValue? {
    if case .absent = content { nil } else { self }
  }

  var members: [(key: String, value: SourceValue)] {
    if case .map(let members) = content { members } else { [] }
  }

  /// The elements of a list; a scalar is a list of one.
  var elements: [SourceValue] {
    switch content {
    case .list(let elements): elements
    case .scalar: [self]
    case .absent, .map: []
    }
  }

  /// The text of a scalar; reading it makes it translated.
  var text: String? {
    guard case .scalar(let text) = content else { return refused("a text is expected here") }
    settle()
    return text
  }

  /// A finite number; reading it makes it translated.
  var number: Double? {
    guard case .scalar(let text) = content, let number = Double(text), number.isFinite else {
      return refused("a number is expected here")
    }
    settle()
    return number
  }

  /// A whole number up to a thousand million, so that sums of such numbers are none that ends the program; reading it
  /// makes it translated.
  var integer: Int? {
    guard case .scalar(let text) = content,
      let number = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) }),
      (-1_000_000_000...1_000_000_000).contains(number)
    else { return refused("a whole number is expected here") }
    settle()
    return number
  }

  /// The numbers of a list; nil if one of its elements is none, because the others would move into its place.
  var numbers: [Double]? {
    let elements = elements
    let numbers = elements.compactMap(\.number)
    return numbers.count == elements.count ? numbers : nil
  }

  /// The sample rate of a configuration, in hertz; nil for one that fxrun does not have.
  var sampleRate: Double? {
    guard let rate = number else { return nil }
    guard (1000...1_000_000).contains(rate) else {
      return refused("a sample rate is 1000 to 1000000 Hz")
    }
    return rate
  }

  /// True or false; reading it makes it translated.
  var flag: Bool? {
    guard case .scalar(let text) = content else { return refused("true or false is expected here") }
    switch text.lowercased() {
    case "true", "yes", "on", "1": settle()
    case "false", "no", "off", "0":
      settle()
      return false
    default: return refused("true or false is expected here")
    }
    return true
  }

  private func refused<Value>(_ reason: String) -> Value? {
    turn(.notPossible(reason))
    return nil
  }
}
