import FxAudio

/// One track of a MIDI file, while it is read.
struct MIDITrack {
  struct Message {
    let tick: Int
    /// Status, then data.
    let bytes: [UInt8]
    /// The position in the file.
    let offset: Int
  }

  struct Tempo {
    let tick: Int
    /// The duration of a quarter note.
    let microseconds: Int
  }

  private(set) var messages: [Message] = []
  private(set) var tempos: [Tempo] = []
  private(set) var tick = 0
  private var reader: MIDIByteReader
  private var status: UInt8?

  init(_ bytes: [UInt8], _ body: Range<Int>) { reader = MIDIByteReader(bytes, body) }

  mutating func read() throws(Failure) {
    while reader.isMore {
      tick += try reader.variableLength("the time of an event")
      let start = reader.position
      let first = try reader.byte("an event")
      switch first {
      case 0xff:
        if try meta(start) { return }
      case 0xf0, 0xf7:
        let length = try reader.variableLength("the length of a system exclusive event")
        try reader.skip(length, "a system exclusive event")
      case 0xf1...0xfe:
        throw Failure(
          midi: "the status \(Self.hex(first)) has no place in a MIDI file", at: start)
      case 0x80...0xef:
        status = first
        try message(first, nil, start)
      default:
        guard let status else {
          throw Failure(
            midi: "a status was expected and there is the data byte \(Self.hex(first))", at: start)
        }
        try message(status, first, start)
      }
    }
  }

  /// Bytes of a channel message, including its status.
  static func size(of status: UInt8) -> Int {
    status & 0xe0 == 0xc0 ? 2 : 3
  }

  private mutating func message(
    _ status: UInt8, _ first: UInt8?, _ start: Int
  ) throws(Failure) {
    var bytes = [status]
    if let first { bytes.append(first) }
    while bytes.count < Self.size(of: status) {
      let place = reader.position
      let byte = try reader.byte("the data of an event")
      guard byte < 128 else {
        throw Failure(
          midi: "a data byte of the event at byte \(start) was expected and there is the status "
            + Self.hex(byte), at: place)
      }
      bytes.append(byte)
    }
    messages.append(Message(tick: tick, bytes: bytes, offset: start))
  }

  /// Returns true for the event that ends the track.
  private mutating func meta(_ start: Int) throws(Failure) -> Bool {
    let type = try reader.byte("the type of a meta event")
    let length = try reader.variableLength("the length of a meta event")
    let body = reader.position
    try reader.skip(length, "the meta event \(Self.hex(type))")
    switch type {
    case 0x2f: return true
    case 0x51:
      guard length == 3 else {
        throw Failure(midi: "a tempo has three bytes, not \(length)", at: start)
      }
      let microseconds = reader.bytes[body..<body + 3].reduce(0) { $0 << 8 | Int($1) }
      guard microseconds > 0 else {
        throw Failure(midi: "a tempo gives a quarter note no time", at: start)
      }
      tempos.append(Tempo(tick: tick, microseconds: microseconds))
      return false
    default: return false
    }
  }

  static func hex(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return text.count == 1 ? "0\(text)" : text
  }
}
