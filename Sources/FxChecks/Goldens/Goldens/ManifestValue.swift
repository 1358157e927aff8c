package import FxAudio
package import FxChain

/// A value of a manifest, read strictly because a program wrote it.
package struct ManifestValue {
  private let value: JSONValue
  private let name: String

  package init(_ value: JSONValue, _ name: String) {
    self.value = value
    self.name = name
  }

  package subscript(key: String) -> ManifestValue {
    get throws(Failure) {
      guard let found = optional(key) else { throw mistake("has no '\(key)'") }
      return found
    }
  }

  package func optional(_ key: String) -> ManifestValue? {
    value.members.first { $0.key.string == key }.map { ManifestValue($0.value, "'\(key)'") }
  }

  package var members: [(String, ManifestValue)] {
    get throws(Failure) {
      guard value.kind == .object else { throw mistake("is no object") }
      return value.members.map { member in
        let key = member.key.string ?? ""
        return (key, ManifestValue(member.value, "'\(key)'"))
      }
    }
  }

  /// An object for other readers.
  package var object: JSONValue {
    get throws(Failure) {
      guard value.kind == .object else { throw mistake("is no object") }
      return value
    }
  }

  package func list<Element>(
    _ element: (ManifestValue) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    guard value.kind == .array else { throw mistake("is no list") }
    var list: [Element] = []
    for item in value.elements { list.append(try element(ManifestValue(item, "in \(name)"))) }
    return list
  }

  package var text: String {
    get throws(Failure) {
      guard let text = value.string else { throw mistake("is no text") }
      return text
    }
  }

  package var number: Double {
    get throws(Failure) {
      guard let number = value.number, number.isFinite else { throw mistake("is no number") }
      return number
    }
  }

  package var integer: Int {
    get throws(Failure) {
      guard let whole = Int(exactly: try number), whole >= 0 else {
        throw mistake("is no whole number")
      }
      return whole
    }
  }

  package var flag: Bool {
    get throws(Failure) {
      guard let flag = value.bool else { throw mistake("is not true or false") }
      return flag
    }
  }

  /// A number, or a text for a value that JSON has no number for: `"-inf"`.
  package var level: Double {
    get throws(Failure) {
      switch value.string {
      case "-inf": return -.infinity
      case "inf": return .infinity
      case "nan": return .nan
      default: return try number
      }
    }
  }

  /// An integer that may be negative.
  package var count: Int {
    get throws(Failure) {
      guard let whole = Int(exactly: try number) else { throw mistake("is no whole number") }
      return whole
    }
  }

  /// A word of an enumeration.
  package func word<Word: RawRepresentable<String>>(_ type: Word.Type) throws(Failure)
    -> Word
  {
    guard let word = Word(rawValue: try text) else { throw mistake("is no word for it") }
    return word
  }

  /// Sixteen hexadecimal digits.
  package var hexadecimal: UInt64 {
    get throws(Failure) {
      guard let number = UInt64(try text, radix: 16) else {
        throw mistake("is no hexadecimal number")
      }
      return number
    }
  }

  /// Eight digits for each window.
  package var windows: [UInt32] {
    get throws(Failure) {
      let digits = Array(try text.utf8)
      guard digits.count % 8 == 0 else { throw mistake("is cut off") }
      var windows: [UInt32] = []
      for start in stride(from: 0, to: digits.count, by: 8) {
        let eight = String(decoding: digits[start..<start + 8], as: UTF8.self)
        guard let window = UInt32(eight, radix: 16) else {
          throw mistake("is no hexadecimal number")
        }
        windows.append(window)
      }
      return windows
    }
  }

  private func mistake(_ message: String) -> Failure {
    Failure(.badRecord, "\(name) \(message)")
  }
}

/// Reads a line that another process of this program has written.
package func decoded<Value>(
  _ bytes: [UInt8], _ read: (ManifestValue) throws(Failure) -> Value
) -> Value? {
  var found = Diagnostics()
  guard let document = JSONDocument.read(SourceText(path: "message", bytes: bytes), into: &found),
    !found.hasErrors
  else { return nil }
  return try? read(ManifestValue(document.root, "the message"))
}
