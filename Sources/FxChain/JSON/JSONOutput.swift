import FxAudio

/// A JSON value to write, with its keys in the given order.
package indirect enum JSONOutput: Sendable, Equatable {
  case object([Member])
  case array([JSONOutput])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null
  /// A value as it is spelled in another JSON text, on one line.
  case verbatim(String)

  package struct Member: Sendable, Equatable {
    package var key: String
    package var value: JSONOutput

    package init(_ key: String, _ value: JSONOutput) {
      self.key = key
      self.value = value
    }
  }

  package static func integer(_ value: Int) -> JSONOutput { .number(Double(value)) }

  /// An object without the members whose value is nil.
  package static func members(_ members: KeyValuePairs<String, JSONOutput?>) -> JSONOutput {
    .object(members.compactMap { key, value in value.map { Member(key, $0) } })
  }

  /// The object with more members at the end.
  package func with(_ members: [Member]) -> JSONOutput {
    guard case .object(let own) = self else { return self }
    return .object(own + members)
  }

  /// The text, indented by two spaces per level, or on one line.
  package func text(indented: Bool = true) -> String {
    var text = ""
    write(to: &text, indent: indented ? 0 : nil)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .verbatim(let spelling): text += spelling
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): text += value.isFinite ? shortNumber(value) : "null"
    case .string(let value): Self.write(value, to: &text)
    case .array(let values):
      Self.write("[", "]", values, to: &text, indent: indent) { value, text, indent in
        value.write(to: &text, indent: indent)
      }
    case .object(let members):
      Self.write("{", "}", members, to: &text, indent: indent) { member, text, indent in
        Self.write(member.key, to: &text)
        text += indent == nil ? ":" : ": "
        member.value.write(to: &text, indent: indent)
      }
    }
  }

  private static func write<Element>(
    _ open: String, _ close: String, _ elements: [Element], to text: inout String, indent: Int?,
    each: (Element, inout String, Int?) -> Void
  ) {
    text += open
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let indent { text += "\n" + String(repeating: "  ", count: indent + 1) }
      each(element, &text, indent.map { $0 + 1 })
    }
    if let indent, !elements.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
    text += close
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // A terminal would hide this character. A JSON reader decodes it again.
      case _ where ForeignText.isHidden(scalar): text += "\\u" + hexadecimal(scalar.value)
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

/// A number in its shortest form: `80`, `0.3`, `-inf`.
package func shortNumber(_ value: Double) -> String {
  if value == value.rounded(), abs(value) < 0x1p53 { return String(Int(value)) }
  return value.description
}
