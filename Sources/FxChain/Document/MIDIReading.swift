import FxAudio

/// The `midi` key of a node.
extension ChainReader {
  mutating func midi(_ value: JSONValue?) -> MIDIDocument? {
    guard let value else { return nil }
    if value.kind == .string {
      guard let file = located(value) else { return nil }
      return MIDIDocument(content: .file(file, channel: nil), place: value.place)
    }
    guard let fields = fields(value, ChainFormat.midi) else { return nil }
    let kinds = fields.known.filter { ["file", "events", "port"].contains($0.name) }
    guard kinds.count == 1, let kind = kinds.first else {
      if kinds.count > 1 {
        let names = kinds.map { "'\($0.name)'" }.joined(separator: " and ")
        report(
          .conflictingKeys, "MIDI comes from one place; \(names) exclude each other",
          kinds[1].key.place)
      } else if !value.members.contains(where: {
        ["file", "events", "port"].contains($0.key.string ?? "")
          || ChainFormat.midi.key($0.key.string ?? "") == nil
      }) {
        report(.missingKey, "'midi' needs one of 'file', 'events', 'port'", value.place)
      }
      return nil
    }
    for (key, owner) in [("channel", "file"), ("from", "port")] where kind.name != owner {
      guard let entry = fields.known.first(where: { $0.name == key }) else { continue }
      report(.conflictingKeys, "'\(key)' belongs to '\(owner)'", entry.key.place)
    }
    let content: MIDIDocument.Content
    switch kind.name {
    case "file":
      guard let file = located(kind.value) else { return nil }
      content = .file(file, channel: integer(fields, "channel", of: ChainFormat.midi))
    case "events":
      content = .events(kind.value.elements.compactMap { midiEvent($0) })
    default:
      guard let name = text(kind.value) else { return nil }
      guard !name.isEmpty else {
        report(.invalidValue, "'port' is the name of a MIDI input, such as \"keys\"", value.place)
        return nil
      }
      content = .port(name, from: text(fields["from"]))
    }
    return MIDIDocument(content: content, place: kind.value.place)
  }

  /// The kinds of events, and the keys of each kind.
  private static let eventKeys: [String: [String]] = [
    "note": ["velocity", "duration", "channel"], "controller": ["value", "channel"],
    "program": ["channel"], "pitchBend": ["channel"], "pressure": ["channel"], "bytes": [],
  ]

  private mutating func midiEvent(_ value: JSONValue) -> MIDIEventDocument? {
    let spec = ChainFormat.midiEvent
    guard let fields = fields(value, spec) else { return nil }
    let values = EventValues(fields, &self)
    let kinds = fields.known.filter { Self.eventKeys[$0.name] != nil }
    let at = raw(fields["at"])
    let broken = MIDIEventDocument(at: at, kind: .broken(duration: raw(fields["duration"])))
    guard let kind = kinds.first, kinds.count == 1 else {
      if kinds.count > 1 {
        report(
          .conflictingKeys,
          "a MIDI event is one thing; '\(kinds[0].name)' and '\(kinds[1].name)' exclude each other",
          kinds[1].key.place)
      } else if !value.members.contains(where: {
        Self.eventKeys[$0.key.string ?? ""] != nil || spec.key($0.key.string ?? "") == nil
      }) {
        // A misspelt key was reported already.
        let names = Self.eventKeys.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
        report(.missingKey, "a MIDI event needs one of \(names)", value.place)
      }
      return broken
    }
    for entry in fields.known
    where !["at", "comment", kind.name].contains(entry.name)
      && Self.eventKeys[kind.name]?.contains(entry.name) != true
    {
      report(
        .conflictingKeys, "'\(entry.name)' does not go with '\(kind.name)'", entry.key.place)
    }
    if kind.name == "controller", fields["value"] == nil {
      report(.missingKey, "a controller needs the key 'value'", kind.key.place)
    }
    guard let content = values.content(kind.name, duration: raw(fields["duration"])) else {
      return broken
    }
    return MIDIEventDocument(at: at, kind: content)
  }

  /// The values of an event's keys, all checked.
  private struct EventValues {
    let channel, velocity, value, controller, program, pitchBend, pressure: Int?
    let note: UInt8?
    let bytes: [UInt8]?

    init(_ fields: Fields, _ reader: inout ChainReader) {
      let spec = ChainFormat.midiEvent
      channel = reader.integer(fields, "channel", of: spec)
      velocity = reader.integer(fields, "velocity", of: spec)
      value = reader.integer(fields, "value", of: spec)
      controller = reader.integer(fields, "controller", of: spec)
      program = reader.integer(fields, "program", of: spec)
      pitchBend = reader.integer(fields, "pitchBend", of: spec)
      pressure = reader.integer(fields, "pressure", of: spec)
      note = fields["note"].flatMap { reader.note($0) }
      bytes = fields["bytes"].flatMap { reader.bytes($0) }
    }

    /// nil for an event that was reported as wrong.
    func content(_ kind: String, duration: Located<RawValue>?) -> MIDIEventDocument.Kind? {
      let channel = UInt8((channel ?? 1) - 1)
      switch kind {
      case "note":
        return note.map {
          .note(
            number: $0, velocity: UInt8(velocity ?? 100), channel: channel, duration: duration)
        }
      case "bytes": return bytes.map { .message($0) }
      case "controller":
        guard let controller, let value else { return nil }
        return .message([0xb0 | channel, UInt8(controller), UInt8(value)])
      case "program": return program.map { .message([0xc0 | channel, UInt8($0)]) }
      case "pressure": return pressure.map { .message([0xd0 | channel, UInt8($0)]) }
      default:
        return pitchBend.map {
          .message([0xe0 | channel, UInt8(($0 + 8192) & 127), UInt8(($0 + 8192) >> 7)])
        }
      }
    }
  }

  mutating func note(_ value: JSONValue) -> UInt8? {
    guard let raw = raw(value) else { return nil }
    var number: Double?
    switch raw.value {
    case .number(let given): number = given
    case .text(let text), .fractionOfBeat(let text):
      number = NoteName.number(text).map(Double.init) ?? Double(text.trimmed)
    case .flag: break
    }
    guard let number, number == number.rounded(), (0...127).contains(number) else {
      report(
        number == nil ? .invalidValue : .outOfRange, "'note' cannot be \(raw.value.shown)",
        value.place, hints: ["0…127, or a name from \"C-1\" to \"G9\"; \"C4\" is 60"])
      return nil
    }
    return UInt8(number)
  }

  /// Hexadecimal numbers of two digits, optionally separated by spaces.
  fileprivate mutating func bytes(_ value: JSONValue) -> [UInt8]? {
    guard let text = text(value) else { return nil }
    var parts = text.split(whereSeparator: \.isWhitespace)
    if parts.count == 1, parts[0].count % 2 == 0 {
      let digits = Array(parts[0])
      parts = stride(from: 0, to: digits.count, by: 2).map {
        Substring(String(digits[$0...$0 + 1]))
      }
    }
    let bytes = parts.compactMap { $0.count <= 2 ? UInt8($0, radix: 16) : nil }
    guard bytes.count == parts.count, let status = bytes.first, (0x80...0xef).contains(status),
      bytes.count == MIDITrack.size(of: status), bytes.dropFirst().allSatisfy({ $0 < 128 })
    else {
      report(
        .invalidValue, "'bytes' \(ForeignText.shortened(value.spelling)) is no channel message",
        value.place,
        hints: ["a status from 80 to EF and its data, each two digits: \"90 3C 64\""])
      return nil
    }
    return bytes
  }
}
