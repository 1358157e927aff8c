/// Reads the objects of a JSON text by their specs and collects all mistakes.
package protocol ObjectReader {
  var diagnostics: Diagnostics { get set }
  /// The version of the chain format by which values are read.
  var chainVersion: Int { get }
  /// The text of a string with variables filled in; nil if it is not a string or was reported as
  /// wrong.
  mutating func text(_ value: JSONValue?) -> String?
}

extension ObjectReader {
  package var chainVersion: Int { ChainFormat.version }

  /// Checks an object against its spec; nil when it is not an object at all.
  package mutating func fields(_ value: JSONValue, _ spec: ObjectSpec) -> Fields? {
    guard value.kind == .object else {
      report(.wrongType, "\(spec.name) is an object, not \(value.kindName)", value.place)
      return nil
    }
    var fields = Fields(object: value)
    for (key, value) in value.members {
      guard let name = key.string else { continue }
      let entry = Fields.Entry(name: name, key: key, value: value)
      guard let key = spec.key(name) else {
        if spec.isOpen {
          fields.others.append(entry)
        } else {
          reportUnknown(entry, in: spec)
        }
        continue
      }
      if !key.isSupported {
        reportNotYet("'\(name)'", entry.key.place)
      } else if !key.shape.accepts(value.kind) {
        report(
          .wrongType, "'\(name)' is \(key.shape.name), not \(value.kindName)", value.place)
      } else if fields[name] == nil {
        fields.known.append(entry)
      }
    }
    for key in spec.keys where key.isRequired && fields[key.key] == nil {
      // A key of the wrong type was reported already.
      guard !value.members.contains(where: { $0.key.string == key.key }) else { continue }
      report(.missingKey, "\(spec.name) needs the key '\(key.key)'", value.place)
    }
    return fields
  }

  private mutating func reportUnknown(_ entry: Fields.Entry, in spec: ObjectSpec) {
    let keys = spec.keys.map(\.key)
    report(
      .unknownKey, "\(spec.name) has no key '\(entry.name)'", entry.key.place,
      hints: Suggestion.nearest(to: entry.name, in: keys).map { ["did you mean '\($0)'?"] }
        ?? ["its keys: \(keys.joined(separator: ", "))"])
  }

  /// False for an unknown version, which is reported; all other messages would be doubtful.
  package mutating func isReadableVersion(
    _ root: JSONValue, _ known: Int, of what: String
  ) -> Bool {
    guard let value = root.members.first(where: { $0.key.string == "version" })?.value,
      let version = value.number ?? value.string.flatMap({ Double($0) }), version > Double(known)
    else { return true }
    report(
      .newerVersion,
      "written for a newer fxrun (version \(shortNumber(version)) of the format; this one reads "
        + "version \(known))", value.place,
      hints: ["update fxrun, or save the \(what) for version \(known)"])
    return false
  }

  package func key(_ name: String, in object: JSONValue) -> JSONValue? {
    object.members.first { $0.key.string == name }?.key
  }

  /// The place for messages about a whole object: its first key instead of all of it.
  package func opening(_ object: JSONValue) -> Place { (object.members.first?.key ?? object).place }

  package mutating func reportName(_ name: String, _ what: String, _ place: Place) {
    let suggestion = Names.id(from: name, otherwise: "a")
    report(
      .invalidName, "'\(name)' cannot name \(what)", place,
      hints: [
        "a name is a letter, then letters, digits, '-' and '_'"
          + (suggestion == name ? "" : ", such as '\(suggestion)'")
      ])
  }

  // MARK: Values

  package mutating func report(
    _ code: DiagnosticCode, _ message: String, _ place: Place, hints: [String] = []
  ) {
    diagnostics.add(Diagnostic(code, message, at: place, hints: hints))
  }

  mutating func reportNotYet(_ what: String, _ place: Place, hints: [String] = []) {
    report(
      .notSupportedYet, "\(what) is part of the format, but this fxrun does not run it yet", place,
      hints: hints)
  }

  mutating func located(_ value: JSONValue?) -> Located<String>? {
    guard let value, let text = text(value) else { return nil }
    return Located(value: text, place: value.place)
  }

  /// A number, a string or a Boolean; anything else is an error.
  package mutating func raw(_ value: JSONValue?) -> Located<RawValue>? {
    guard let value else { return nil }
    let raw: RawValue
    if let number = value.number {
      raw = .number(number)
    } else if value.kind == .string {
      guard let text = text(value) else { return nil }
      raw = RawValue(text, version: chainVersion)
    } else if let bool = value.bool {
      raw = .flag(bool)
    } else {
      report(
        .wrongType, "a value is a number, a string, true or false, not \(value.kindName)",
        value.place)
      return nil
    }
    return Located(value: raw, place: value.place)
  }

  /// A number that depends on nothing else, within the key's shape.
  package mutating func number(_ fields: Fields, _ name: String, of spec: ObjectSpec) -> Double? {
    guard let value = fields[name], let key = spec.key(name) else { return nil }
    return number(value, of: key)
  }

  /// The same for a value of that key.
  package mutating func number(_ value: JSONValue, of key: KeySpec) -> Double? {
    guard let raw = raw(value) else { return nil }
    do throws(ValueProblem) {
      return try key.number(raw.value, context: ValueContext())
    } catch {
      diagnostics.add(error.diagnostic(at: value.place))
      return nil
    }
  }

  package mutating func integer(_ fields: Fields, _ name: String, of spec: ObjectSpec) -> Int? {
    number(fields, name, of: spec).flatMap { Int(exactly: $0) }
  }

  package mutating func flag(_ fields: Fields, _ name: String) -> Located<Bool>? {
    guard let value = fields[name] else { return nil }
    return flag(value, name)
  }

  /// The Boolean of this name.
  package mutating func flag(_ value: JSONValue, _ name: String) -> Located<Bool>? {
    if let bool = value.bool { return Located(value: bool, place: value.place) }
    guard let text = text(value) else {
      if value.kind != .string {
        report(.wrongType, "'\(name)' is true or false, not \(value.kindName)", value.place)
      }
      return nil
    }
    switch text.lowercased() {
    case "true": return Located(value: true, place: value.place)
    case "false": return Located(value: false, place: value.place)
    default:
      report(.wrongType, "'\(name)' is true or false, not \(value.kindName)", value.place)
      return nil
    }
  }
}
