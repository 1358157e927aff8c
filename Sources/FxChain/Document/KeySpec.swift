package import FxAudio

/// One key of an object of the chain format, declared once: the reader's errors, the JSON Schema
/// and the reference page all use it.
package struct KeySpec: Sendable {
  package let key: String
  package let shape: ValueShape
  /// A sentence for the reference page; Markdown.
  package let summary: String
  package let isRequired: Bool
  /// False for a key that this version does not support yet.
  let isSupported: Bool

  package init(
    _ key: String, _ shape: ValueShape, _ summary: String, isRequired: Bool = false,
    isSupported: Bool = true
  ) {
    self.key = key
    self.shape = shape
    self.summary = summary
    self.isRequired = isRequired
    self.isSupported = isSupported
  }

  /// The same key, with another sentence before its own.
  func beginning(_ sentence: String) -> KeySpec {
    KeySpec(
      key, shape, sentence + summary, isRequired: isRequired, isSupported: isSupported)
  }
}

/// The kinds of values that a key can have.
package indirect enum ValueShape: Sendable {
  case string
  case boolean
  /// Only `true`: the presence of the key is the value.
  case on
  case integer(ClosedRange<Int>)
  case quantity(Measure, ClosedRange<Double>)
  /// One of these words, in upper or lower case.
  case word([String])
  /// A parameter's value.
  case value
  case object(ObjectSpec)
  case list(ValueShape)
  /// An object with keys chosen by the chain.
  case map(ValueShape)
  case either([ValueShape])
  case anything

  func accepts(_ kind: JSONDocument.Kind) -> Bool {
    switch self {
    case .string, .word: kind == .string
    // Text is also accepted: it may contain a variable.
    case .boolean, .on: kind == .true || kind == .false || kind == .string
    case .integer, .quantity: kind == .number || kind == .string
    case .value: kind == .number || kind == .string || kind == .true || kind == .false
    case .object, .map: kind == .object
    case .list: kind == .array
    case .either(let shapes): shapes.contains { $0.accepts(kind) }
    case .anything: kind != .null
    }
  }

  /// `a string`, `a number or a string`.
  package var name: String {
    switch self {
    case .string: "a string"
    case .boolean: "true or false"
    case .on: "true"
    case .integer: "a whole number"
    case .quantity(let measure, _):
      measure == .none ? "a number" : "a number or a string such as \"\(measure.example)\""
    case .word(let words): words.map { "\"\($0)\"" }.joined(separator: ", ")
    case .value: "a value"
    case .object: "an object"
    case .list(let element): "a list of \(element.plural)"
    case .map: "an object by name"
    case .either(let shapes): shapes.map(\.name).joined(separator: " or ")
    case .anything: "a value"
    }
  }

  private var plural: String {
    switch self {
    case .string: "strings"
    case .integer: "whole numbers"
    case .object: "objects"
    case .either(let shapes): shapes.map(\.plural).joined(separator: " and ")
    default: "values"
    }
  }
}

extension Measure {
  /// An example value of this measure for messages and the reference page.
  var example: String {
    switch self {
    case .none: "1"
    case .decibels: "-6 dB"
    case .lufs: "-16 LUFS"
    case .loudnessUnits: "3 LU"
    case .hertz: "48 kHz"
    case .seconds: "20 ms"
    case .ratio: "50 %"
    case .gain: "-6 dB"
    case .semitones: "2 st"
    case .octaves: "1 oct"
    case .beats: "1/8"
    case .frames: "480 frames"
    case .degrees: "90°"
    case .bpm: "120 bpm"
    }
  }
}

/// An object of the chain format.
package struct ObjectSpec: Sendable {
  /// The name in the schema.
  package let id: String
  /// The name in messages: `a connection`.
  package let name: String
  /// A sentence for the reference page; Markdown.
  package let summary: String
  package let keys: [KeySpec]
  /// True if other keys belong to the unit: its options and its list.
  package let isOpen: Bool

  package init(
    _ id: String, _ name: String, _ summary: String, isOpen: Bool = false, keys: [KeySpec]
  ) {
    self.id = id
    self.name = name
    self.summary = summary
    self.keys = keys
    self.isOpen = isOpen
  }

  package func key(_ name: String) -> KeySpec? { keys.first { $0.key == name } }
}
