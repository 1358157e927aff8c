import FxAudio
import FxEngine

/// A chain's own `midi`: mappings from messages to parameters, bypass, scenes and tapped beats.
extension ChainReader {
  mutating func controlInput(_ value: JSONValue?) -> ControlInputDocument {
    var input = ControlInputDocument()
    guard let value else { return input }
    var list = value
    if value.kind == .object {
      guard let fields = fields(value, ChainFormat.controlInput) else { return input }
      input.sender = text(fields["from"])
      input.followsClock = flag(fields, "clock")?.value ?? false
      guard let map = fields["map"] else {
        if !input.followsClock, key("map", in: value) == nil {
          report(
            .missingKey, "\(ChainFormat.controlInput.name) needs the key 'map'", value.place,
            hints: ["or \"clock\": true"])
        }
        return input
      }
      list = map
    }
    input.controls = list.elements.compactMap { control($0) }
    return input
  }

  private mutating func control(_ value: JSONValue) -> ControlDocument? {
    let spec = ChainFormat.control
    guard let fields = fields(value, spec) else { return nil }
    guard let from = one(of: ChainFormat.triggers, fields),
      let to = one(of: ChainFormat.controlTargets, fields)
    else { return nil }
    let before = diagnostics.errorCount
    checkKeys(fields, from, to)
    let trigger = trigger(from, fields)
    let channel = integer(fields, "channel", of: spec).map { UInt8($0) }
    let target: ControlDocument.Target? =
      switch to.name {
      case "parameter": located(to.value).map { .parameter($0) }
      case "bypass": located(to.value).map { .bypass($0) }
      case "scene": located(to.value).map { .scene($0) }
      default: isOn(to) ? .tap : nil
      }
    guard let trigger, let target, diagnostics.errorCount == before else { return nil }
    var control = ControlDocument(trigger: trigger, channel: channel, target: target)
    if let list = fields["range"] {
      control.rangePlace = list.place
      control.range = list.elements.compactMap { raw($0) }
      guard list.elements.count == 2 else {
        report(.wrongType, "'range' is a list of two values", list.place)
        return nil
      }
    }
    control.curve = word(fields, "curve").flatMap { word in
      ControlRange.Curve(rawValue: word.value).map { Located(value: $0, place: word.place) }
    }
    control.isToggle = word(fields, "mode").map {
      Located(value: $0.value == "toggle", place: $0.place)
    }
    return diagnostics.errorCount == before ? control : nil
  }

  /// An object must have exactly one of several keys; returns that one.
  private mutating func one(of names: [String], _ fields: Fields) -> Fields.Entry? {
    let found = fields.known.filter { names.contains($0.name) }
    if found.count > 1 {
      report(
        .conflictingKeys,
        "a MIDI mapping is one thing; '\(found[0].name)' and '\(found[1].name)' exclude each other",
        found[1].key.place)
      return nil
    }
    // A misspelt key or one of the wrong type was reported already.
    if found.isEmpty,
      !fields.object.members.contains(where: {
        names.contains($0.key.string ?? "") || ChainFormat.control.key($0.key.string ?? "") == nil
      })
    {
      let keys = names.map { "'\($0)'" }.joined(separator: ", ")
      report(.missingKey, "a MIDI mapping needs one of \(keys)", fields.object.place)
    }
    return found.first
  }

  private mutating func checkKeys(
    _ fields: Fields, _ from: Fields.Entry, _ to: Fields.Entry
  ) {
    let isContinuous = from.name == "bend" || from.name == "pressure"
    if from.name == "program" && to.name != "scene" || isContinuous && to.name != "parameter" {
      let needed = isContinuous ? "parameter" : "scene"
      report(
        .conflictingKeys, "'\(to.name)' does not go with '\(from.name)'", to.key.place,
        hints: ["'\(from.name)' goes with '\(needed)'"])
    }
    let owners = ["range": ["parameter"], "curve": ["parameter"], "mode": ["parameter", "bypass"]]
    for entry in fields.known {
      guard let owner = owners[entry.name], !owner.contains(to.name) else { continue }
      let names = owner.map { "'\($0)'" }.joined(separator: " or ")
      report(
        .conflictingKeys, "'\(entry.name)' does not go with '\(to.name)'", entry.key.place,
        hints: ["it goes with \(names)"])
    }
  }

  private mutating func trigger(_ entry: Fields.Entry, _ fields: Fields) -> MIDIControl.Trigger? {
    switch entry.name {
    case "note": return note(entry.value).map { .note($0) }
    case "cc", "program":
      guard let number = integer(fields, entry.name, of: ChainFormat.control) else { return nil }
      return entry.name == "cc" ? .controller(UInt8(number)) : .program(UInt8(number))
    default:
      guard isOn(entry) else { return nil }
      return entry.name == "bend" ? .bend : .pressure
    }
  }

  /// True for a key that can only be true.
  private mutating func isOn(_ entry: Fields.Entry) -> Bool {
    if entry.value.bool == true { return true }
    report(.wrongType, "'\(entry.name)' is true or left out", entry.value.place)
    return false
  }

  /// One of a key's words, in upper or lower case.
  mutating func word(
    _ fields: Fields, _ name: String, of spec: ObjectSpec = ChainFormat.control
  ) -> Located<String>? {
    guard let value = fields[name], let text = text(value),
      case .word(let words)? = spec.key(name)?.shape
    else { return nil }
    guard let word = words.first(where: { $0 == text.lowercased() }) else {
      report(
        .notAChoice, "'\(name)' cannot be \(value.spelling.prefix(60))", value.place,
        hints: Suggestion.hint(for: text, in: words) + ["one of: \(words.joined(separator: ", "))"])
      return nil
    }
    return Located(value: word, place: value.place)
  }

  // MARK: Taps

  mutating func tap(_ value: JSONValue?) -> Located<SinkEndpoint>? {
    guard let value else { return nil }
    if value.kind == .string {
      guard let path = filePath(value, key: "tap") else { return nil }
      return Located(value: .file(path, FileEncoding()), place: value.place)
    }
    guard let fields = fields(value, ChainFormat.tap), let file = fields["file"],
      let path = filePath(file)
    else { return nil }
    return Located(value: .file(path, encoding(fields)), place: file.place)
  }
}
