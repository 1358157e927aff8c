import FxAudio

/// Reads the chunks of a MIDI file without reading past its end.
struct MIDIByteReader {
  let bytes: [UInt8]
  var position = 0
  /// The end of the part that is read.
  var end: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    end = bytes.count
  }

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  var isMore: Bool { position < end }

  mutating func byte(_ what: String) throws(Failure) -> UInt8 {
    guard position < end else {
      throw Failure(midi: "\(what) is missing: the track ends before it", at: position)
    }
    defer { position += 1 }
    return bytes[position]
  }

  /// A number of up to four bytes with seven bits in each.
  mutating func variableLength(_ what: String) throws(Failure) -> Int {
    let start = position
    var value = 0
    for _ in 0..<4 {
      let byte = try byte(what)
      value = value << 7 | Int(byte & 127)
      if byte < 128 { return value }
    }
    throw Failure(midi: "\(what) is longer than four bytes", at: start)
  }

  mutating func skip(_ count: Int, _ what: String) throws(Failure) {
    guard count <= end - position else {
      throw Failure(
        midi: "\(what) says that it is \(count) bytes long, and \(end - position) are left",
        at: position)
    }
    position += count
  }

  // MARK: Chunks

  /// A file in a RIFF wrapper (`.rmi`) starts after the wrapper.
  mutating func skipWrapper() throws(Failure) {
    guard name(at: 0) == "RIFF", name(at: 8) == "RMID", name(at: 12) == "data" else { return }
    position = 20
  }

  /// The time division, and the number of tracks that follow.
  mutating func header() throws(Failure) -> (division: MIDIDivision, trackCount: Int) {
    let start = position
    guard name(at: position) == "MThd" else {
      throw Failure(midi: "this is not a MIDI file: it does not begin with 'MThd'", at: start)
    }
    guard let length = number(at: position + 4), length >= 6, start + 8 + length <= end else {
      throw Failure(midi: "the header is too short", at: start + 4)
    }
    let format = Int(bytes[start + 8]) << 8 | Int(bytes[start + 9])
    guard format <= 1 else {
      throw Failure(
        midi: format == 2
          ? "the file is of format 2, patterns without an order; only formats 0 and 1 can be played"
          : "there is no MIDI file format \(format)", at: start + 8)
    }
    let tracks = Int(bytes[start + 10]) << 8 | Int(bytes[start + 11])
    let (high, low) = (bytes[start + 12], bytes[start + 13])
    position = start + 8 + length
    if high < 128 {
      let ticks = Int(high) << 8 | Int(low)
      guard ticks > 0 else { throw Failure(midi: "a quarter note has no ticks", at: start + 12) }
      return (.perQuarter(ticks), tracks)
    }
    let rates: [UInt8: Double] = [24: 24, 25: 25, 29: 30000.0 / 1001, 30: 30]
    let code = UInt8(truncatingIfNeeded: 256 - Int(high))
    guard let rate = rates[code], low > 0 else {
      throw Failure(
        midi: low == 0
          ? "a frame has no ticks" : "there is no time code of \(code) frames a second",
        at: start + 12)
    }
    return (.perSecond(rate * Double(low)), tracks)
  }

  /// The body of the next chunk; nil for a chunk that is not a track.
  mutating func chunk() throws(Failure) -> Range<Int>? {
    let start = position
    guard let length = number(at: start + 4), let name = name(at: start) else {
      // Some programs pad the end of a file.
      if bytes[start..<end].allSatisfy({ $0 == 0 }) {
        position = end
        return nil
      }
      throw Failure(midi: "the file ends within the head of a chunk", at: start)
    }
    guard length <= end - start - 8 else {
      throw Failure(
        midi:
          "the chunk '\(name)' says that it is \(length) bytes long, and \(end - start - 8) are left",
        at: start + 4)
    }
    position = start + 8 + length
    return name == "MTrk" ? start + 8..<position : nil
  }

  /// Four letters; nil if they are not letters.
  private func name(at offset: Int) -> String? {
    guard offset + 4 <= end else { return nil }
    return String(
      decoding: bytes[offset..<offset + 4].map { (32..<127).contains($0) ? $0 : 63 }, as: UTF8.self)
  }

  private func number(at offset: Int) -> Int? {
    guard offset + 4 <= end else { return nil }
    return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
