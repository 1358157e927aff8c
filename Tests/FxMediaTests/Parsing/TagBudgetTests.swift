@testable import FxMedia
import FxTestSupport
import Testing

/// Tags that unpack to far more than the file has, or that nest without end.
@Suite struct TagBudgetTests {
  @Test(arguments: [3, 4]) func `a small compressed frame is read`(_ version: Int) {
    let tags = read(ID3(version).frame("TIT2", text(1000), isCompressed: true).bytes)
    #expect(tags["title"]?.utf8.count == 1000)
    #expect(!tags.isPartial)
  }

  @Test(arguments: [3, 4])
  func `a frame that unpacks to more than 16 MB is left out, and the others stay`(_ version: Int) {
    let large = ID3(version).frame("TPE1", [0] + Array("Who".utf8))
      .frame("TIT2", text(20 << 20), isCompressed: true)
      .frame("TALB", [0] + Array("What".utf8))
    let tags = read(large.bytes)
    #expect(tags["title"] == nil)
    #expect(tags["artist"] == "Who" && tags["album"] == "What")
    #expect(tags.isPartial && tags.warning?.contains("16 MB") == true)
  }

  @Test(arguments: [3, 4]) func `the budget is for all frames together`(_ version: Int) {
    let picture = Array("\0image/png\0\u{3}\0".utf8)
    let tags = read(
      ID3(version).frame("TIT2", text(7 << 20), isCompressed: true)
        .frame("APIC", picture + text(6 << 20), isCompressed: true)
        .frame("TALB", text(5 << 20), isCompressed: true).bytes)
    #expect(tags["title"]?.utf8.count == 7 << 20)
    #expect(tags.pictures.map(\.bytes.count) == [(6 << 20) + 1])
    #expect(tags["album"] == nil && tags.isPartial)
  }

  @Test func `frames in chapters count`() {
    let inner = ID3(3).frame("TIT2", text(20 << 20), isCompressed: true).frames
    let tags = read(
      ID3(3).frame("CHAP", Array("one\0".utf8) + [UInt8](repeating: 0, count: 16) + inner)
        .frame("TALB", [0] + Array("What".utf8)).bytes)
    #expect(tags.isPartial && tags.chapters.isEmpty)
    #expect(tags["album"] == "What")
  }

  @Test func `chapters in chapters end early`() {
    var inner = ID3(4).frame("TIT2", [0, 65]).frames
    for _ in 0..<2000 {
      inner =
        ID3(4).frame("CHAP", Array("a\0".utf8) + [UInt8](repeating: 0, count: 16) + inner).frames
    }
    #expect(read(ID3(4, frames: inner).bytes).isPartial)
  }

  /// Each frame claims the whole rest of the tag, so that the work would double with each.
  @Test func `frames that claim the rest of the tag end early`() {
    var tag = ID3(4)
    for _ in 0..<60 {
      tag = tag.frame(
        "CHAP", [0x7f, 0x7f, 0x7f, 0x7f] + Array("a\0".utf8) + [UInt8](repeating: 0, count: 16),
        flags: 1)
    }
    #expect(read(tag.bytes).isPartial)
  }

  @Test func `an encoded tag of version 2.3 is read, and has the same budget`() {
    // 0xff 0xe0 is stored as 0xff 0x00 0xe0.
    let odd = ID3(3).frame("COMM", [0, 0x65, 0x6e, 0x67, 0, 0xff, 0xe0, 0x41]).frames
    let encoded = odd.flatMap { $0 == 0xff ? [$0, 0] : [$0] }
    let tags = read(ID3(3, frames: encoded, flags: 0x80).bytes)
    #expect(tags["comment"] == "\u{ff}\u{e0}A")
    let large = ID3(3).frame("TIT2", text(20 << 20), isCompressed: true).frames
      .flatMap { $0 == 0xff ? [$0, 0] : [$0] }
    #expect(read(ID3(3, frames: large, flags: 0x80).bytes).isPartial)
  }

  @Test func `a tag in a WAV file has the same budget`() {
    let tag = ID3(4).frame("TIT2", text(20 << 20), isCompressed: true)
      .frame("TALB", [0] + Array("What".utf8)).bytes
    let padded = tag + [UInt8](repeating: 0, count: tag.count % 2)
    let chunk = Array("id3 ".utf8) + number(padded.count) + padded
    let wav = Array("RIFF".utf8) + number(chunk.count + 4) + Array("WAVE".utf8) + chunk
    let tags = TagReading.tags(ByteReader(MemoryStream(wav, name: "a.wav")), .wav)
    #expect(tags["album"] == "What" && tags["title"] == nil && tags.isPartial)
  }

  @Test func `a cover of more than 16 MB is left out, and the title stays`() {
    func box(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] {
      number(content.count + 8).reversed() + name + content
    }
    let type: [UInt8] = [0, 0, 0, 13, 0, 0, 0, 0]
    let data = Array("data".utf8)
    let cover = box(
      Array("covr".utf8), box(data, type + [UInt8](repeating: 1, count: 17 << 20)))
    let title = box(
      [0xa9] + Array("nam".utf8), box(data, [0, 0, 0, 1, 0, 0, 0, 0] + Array("So".utf8)))
    let list = box(Array("ilst".utf8), cover + title)
    let meta = box(Array("meta".utf8), [0, 0, 0, 0] + list)
    let file =
      box(Array("ftyp".utf8), Array("M4A \0\0\0\0".utf8))
      + box(Array("moov".utf8), box(Array("udta".utf8), meta))
    let tags = TagReading.tags(ByteReader(MemoryStream(file, name: "a.m4a")), .mp4)
    #expect(tags["title"] == "So" && tags.pictures.isEmpty && tags.isPartial)
  }

  @Test func `boxes in boxes do not use up the stack`() {
    let count = 200_000
    var file = number(16).reversed() + Array("ftypM4A \0\0\0\0".utf8)
    for depth in 0..<count { file += number(8 * (count - depth)).reversed() + Array("moov".utf8) }
    #expect(TagReading.tags(ByteReader(MemoryStream(file, name: "a.m4a")), .mp4).isPartial)
  }

  // MARK: Making tags

  private func read(_ bytes: [UInt8]) -> SoundTags {
    TagReading.tags(ByteReader(MemoryStream(bytes, name: "a.mp3")), .mpeg)
  }

  private func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A text in Latin 1, with its encoding in front.
  private func text(_ count: Int) -> [UInt8] { [0] + [UInt8](repeating: 0x41, count: count) }
}

/// A tag with frames.
private struct ID3 {
  let version: Int
  var frames: [UInt8]
  let flags: UInt8

  init(_ version: Int, frames: [UInt8] = [], flags: UInt8 = 0) {
    self.version = version
    self.frames = frames
    self.flags = flags
  }

  /// Adds a frame.
  func frame(
    _ name: String, _ content: [UInt8], isCompressed: Bool = false, flags: UInt8 = 0
  ) -> ID3 {
    var (content, flags) = (content, flags)
    if isCompressed {
      flags = version == 4 ? 0x09 : 0x80
      content = size(content.count) + Deflate.packed(content)
    }
    var tag = self
    tag.frames += Array(name.utf8) + size(content.count) + [0, flags] + content
    return tag
  }

  /// In version 2.4, seven bits a byte.
  private func size(_ count: Int, bits: Int? = nil) -> [UInt8] {
    let bits = bits ?? (version == 4 ? 7 : 8)
    return (0..<4).reversed().map { UInt8(count >> ($0 * bits) & ((1 << bits) - 1)) }
  }

  var bytes: [UInt8] {
    Array("ID3".utf8) + [UInt8(version), 0, flags] + size(frames.count, bits: 7) + frames
      + [0xff, 0xfb, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
  }
}

/// Compresses bytes that repeat, with fixed codes (RFC 1950 and 1951).
private enum Deflate {
  static func packed(_ bytes: [UInt8]) -> [UInt8] {
    var bits = Bits()
    bits.put(0b011, 3)
    var place = 0
    while place < bytes.count {
      var run = 0
      if place > 0 {
        while run < 258, place + run < bytes.count, bytes[place + run] == bytes[place - 1] {
          run += 1
        }
      }
      if run == 258 {
        // The longest length, and a distance of 1.
        bits.putReversed(0xc5, 8)
        bits.put(0, 5)
        place += run
      } else {
        let byte = Int(bytes[place])
        if byte < 144 {
          bits.putReversed(0x30 + byte, 8)
        } else {
          bits.putReversed(0x190 + byte - 144, 9)
        }
        place += 1
      }
    }
    bits.put(0, 7)
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    let sum = [b >> 8, b, a >> 8, a].map { UInt8(truncatingIfNeeded: $0) }
    return [0x78, 0x01] + bits.bytes + sum
  }

  private struct Bits {
    var bytes: [UInt8] = []
    private var count = 0

    mutating func put(_ value: Int, _ width: Int) {
      for bit in 0..<width {
        if count % 8 == 0 { bytes.append(0) }
        if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 1 << UInt8(count % 8) }
        count += 1
      }
    }

    mutating func putReversed(_ value: Int, _ width: Int) {
      for bit in (0..<width).reversed() { put(value >> bit, 1) }
    }
  }
}
