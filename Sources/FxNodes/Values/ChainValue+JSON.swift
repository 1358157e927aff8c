package import FxChain

extension ChainValue {
  /// A value of a JSON text.
  package init(_ json: JSONValue) {
    switch json.kind {
    case .object:
      self = .object(json.members.map { Member($0.key.string ?? "", ChainValue($0.value)) })
    case .array: self = .array(json.elements.map { ChainValue($0) })
    case .string: self = .string(json.string ?? "")
    case .number: self = .number(json.number ?? 0)
    case .true: self = .bool(true)
    case .false: self = .bool(false)
    case .null: self = .null
    }
  }

  /// The most columns of a line that holds a whole object or a whole list.
  private static let lineWidth = 100

  /// The JSON text. An object or a list that fits stands on one line, any other has a line for each
  /// element. The outermost value is always divided.
  var jsonText: String { divided(indent: 0) }

  private func text(indent: Int, column: Int) -> String {
    let line = line
    return column + line.utf8.count <= Self.lineWidth ? line : divided(indent: indent)
  }

  private func divided(indent: Int) -> String {
    let inner = String(repeating: " ", count: indent + 2)
    let outer = String(repeating: " ", count: indent)
    switch self {
    case .object(let members) where !members.isEmpty:
      let lines = members.map { member in
        let key = "\(inner)\(Self.quoted(member.key)): "
        return key + member.value.text(indent: indent + 2, column: key.utf8.count)
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(outer)}"
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.text(indent: indent + 2, column: indent + 2) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(outer)]"
    default: return line
    }
  }

  /// The text on one line.
  private var line: String {
    switch self {
    case .object(let members) where members.isEmpty: return "{}"
    case .object(let members):
      let parts = members.map { "\(Self.quoted($0.key)): \($0.value.line)" }
      return "{ \(parts.joined(separator: ", ")) }"
    case .array(let elements): return "[\(elements.map(\.line).joined(separator: ", "))]"
    case .string(let text): return Self.quoted(text)
    case .number(let number): return number.isFinite ? shortNumber(number) : "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .null: return "null"
    }
  }

  private static func quoted(_ text: String) -> String { JSONOutput.string(text).text() }
}

/// A value that JSON cannot express, or that a chain is refused for.
struct UnwritableValue {
  /// The JSON pointer of the value.
  let pointer: String
  /// The nearest key, and what is wrong with its value.
  let message: String
}

extension ChainValue {
  /// Values may be within this many others. A chain file is refused for more as well.
  private static let depthLimit = 100

  /// The value without numbers that are not finite and without values that are too deep, which are
  /// appended to `found`; nil if it is such a value itself.
  func writable(
    at pointer: String = "", key: String = "", depth: Int = 0, _ found: inout [UnwritableValue]
  ) -> ChainValue? {
    func refused(_ reason: String) -> ChainValue? {
      found.append(UnwritableValue(pointer: pointer, message: "'\(key)' \(reason)"))
      return nil
    }
    switch self {
    case .number(let number) where !number.isFinite:
      return refused("is \(shortNumber(number)), which is no value")
    case .object where depth == Self.depthLimit, .array where depth == Self.depthLimit:
      return refused("holds more than \(Self.depthLimit) objects and lists within each other")
    case .object(let members):
      var kept: [Member] = []
      for member in members {
        let place = "\(pointer)/\(pointerStep(member.key))"
        let value = member.value.writable(
          at: place, key: member.key, depth: depth + 1, &found)
        if let value { kept.append(Member(member.key, value)) }
      }
      return .object(kept)
    case .array(let elements):
      var kept: [ChainValue] = []
      for (index, element) in elements.enumerated() {
        let place = "\(pointer)/\(index)"
        let value = element.writable(at: place, key: key, depth: depth + 1, &found)
        if let value { kept.append(value) }
      }
      return .array(kept)
    default: return self
    }
  }
}

/// A key as a step of a JSON pointer.
func pointerStep(_ key: String) -> String {
  key.contains { $0 == "~" || $0 == "/" }
    ? key.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
      .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1") : key
}
