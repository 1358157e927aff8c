package import FxAudio
import FxChain

/// An option of a render request, declared once. The command line, batches and the checks of the
/// library read its range, unit, default and sentence here or, for encodings and cuts, where the
/// chain format declares it.
package struct RequestOption: Sendable {
  package let spec: OptionSpec
  /// The name on the command line, without dashes.
  package private(set) var name: String
  /// The value in the help of the command line.
  package private(set) var valueName: String
  /// The sentence for the command line, if it differs from the chain format's.
  var ownSentence: String?
  /// The spellings that `reads` accepts, for messages.
  var form = ""
  /// Words that `reads` accepts, for completion.
  private(set) var words: [String] = []
  /// Reads a value that the command line spells in its own way; nil for a wrong text.
  var reads: (@Sendable (String) -> [String: OptionValue]?)?
  /// How a request stores the option; nil where a type stores several together (`RenderRequest.values`).
  var storage: Storage?

  struct Storage: Sendable {
    let get: @Sendable (RenderRequest) -> OptionValue?
    let set: @Sendable (inout RenderRequest, OptionValue) -> Void
  }

  package var key: String { spec.key }

  init(_ spec: OptionSpec, _ storage: Storage? = nil) {
    self.spec = spec
    name = RequestOption.dashed(spec.key)
    valueName = RequestOption.valueName(spec.kind)
    self.storage = storage
  }

  init(
    _ spec: OptionSpec, get: @escaping @Sendable (RenderRequest) -> OptionValue?,
    set: @escaping @Sendable (inout RenderRequest, OptionValue) -> Void
  ) {
    self.init(spec, Storage(get: get, set: set))
  }

  /// `fadeIn` as `fade-in`.
  private static func dashed(_ key: String) -> String {
    key.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
  }

  private static func valueName(_ kind: OptionSpec.Kind) -> String {
    switch kind {
    case .choice(let words): words.count > 5 ? "word" : words.joined(separator: "|")
    case .number(.seconds, _): "time"
    case .number(.decibels, _): "dB"
    case .number(.lufs, _): "LUFS"
    case .number(.hertz, _): "hertz"
    case .number, .integer: "n"
    case .flag: ""
    default: "text"
    }
  }

  /// Another spelling on the command line.
  func named(
    _ name: String? = nil, _ value: String? = nil, sentence: String? = nil
  ) -> RequestOption {
    var option = self
    option.name = name ?? self.name
    option.valueName = value ?? valueName
    option.ownSentence = sentence ?? ownSentence
    return option
  }

  /// The words that can stand for the value, beside numbers.
  package var choices: [String] {
    if case .choice(let words) = spec.kind { words } else { words }
  }

  func reading(
    _ form: String, words: [String] = [],
    _ reads: @escaping @Sendable (String) -> [String: OptionValue]?
  ) -> RequestOption {
    var option = self
    option.form = form
    option.words = words
    option.reads = reads
    return option
  }
}

// MARK: - Values

extension RequestOption {
  /// The option with a key. Every key in the code is one that is declared here.
  package static subscript(key: String) -> RequestOption {
    guard let option = byKey[key] else { preconditionFailure("no option '\(key)'") }
    return option
  }

  private static let byKey = Dictionary(
    all.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })

  /// Reads the text of an argument: a value by its key, or several.
  ///
  /// - Throws: `ChainFailure` of kind `request` for a wrong text or a value out of range.
  package func read(_ text: String) throws(ChainFailure) -> [String: OptionValue] {
    if let reads {
      guard let values = reads(text) else {
        throw ChainFailure(
          .request, code: .usage, "--\(name) takes \(form), not '\(text)'")
      }
      return values
    }
    var raw = RawValue.text(text)
    switch spec.kind {
    case .number(.seconds, _):
      if let seconds = ClockText.seconds(text) { raw = .number(seconds) } else { fallthrough }
    case .number, .integer:
      if let number = Double(text), !number.isNaN { raw = .number(number) }
    // The name of a file may look like a number.
    default: break
    }
    do throws(ValueProblem) {
      return [key: try spec.value(raw, context: ValueContext())]
    } catch {
      throw ChainFailure(
        .request, code: error.code == .outOfRange ? .outOfRange : .usage,
        RequestOption.spelled(error.message), hints: error.hints)
    }
  }

  /// A message about options with their names on the command line: `--fade-in` for `'fadeIn'` and
  /// for `"fadeIn": true`.
  package static func spelled(_ message: String) -> String {
    all.reduce(message) { text, option in
      text.replacing("'\(option.key)'", with: "--\(option.name)")
        .replacing("\"\(option.key)\": true", with: "--\(option.name)")
        .replacing("\"\(option.key)\": \"", with: "--\(option.name) \"")
    }
  }

  /// The sentence for the help of the command line, with the range.
  package var sentence: String {
    var text = ""
    for (index, part) in (ownSentence ?? spec.summary).split(
      separator: "`", omittingEmptySubsequences: false
    ).enumerated() {
      // Every second part is a key in quotes.
      let option = index % 2 == 0 ? nil : RequestOption.byKey[String(part)]
      text += option.map { $0.name == $0.key ? $0.key : "--\($0.name)" } ?? String(part)
    }
    if text.hasSuffix(".") { text.removeLast() }
    return "\(text)\(range.map { " (\($0))" } ?? "")."
  }

  /// nil for a range that nobody needs to read.
  private var range: String? {
    switch spec.kind {
    case .number(_, let range) where range.upperBound < 1e6 && reads == nil: spec.describedRange
    case .integer(let range) where range.upperBound < 1_000_000 && reads == nil:
      spec.describedRange
    default: nil
    }
  }

  /// Refuses a value that is out of range.
  func check(_ value: OptionValue) throws(ChainFailure) {
    if let mistake = spec.mistake(value) { throw .outOfRange(mistake) }
    if let reads, case .text(let text) = value, reads(text) == nil {
      throw .outOfRange("'\(key)' is \(form), not '\(text)'")
    }
  }
}

extension RenderRequest {
  /// The options that are set, by key. Options with their default may be missing.
  package var values: [String: OptionValue] {
    var values = encoding.options
    values.merge(mainInput.cut?.options ?? [:]) { $1 }
    values.merge(recording?.options ?? [:]) { $1 }
    for option in RequestOption.own { values[option.key] = option.storage?.get(self) }
    return values
  }

  /// Sets some options and keeps the others.
  package mutating func set(_ given: [String: OptionValue]) {
    let values = values.merging(given) { $1 }
    encoding = Encoding(values)
    mainInput.cut = SilenceCut(values)
    recording = Recording(values)
    for option in RequestOption.own {
      if let value = given[option.key] { option.storage?.set(&self, value) }
    }
  }
}
