import FxAudio
@testable import FxMedia

extension SoundMaker {
  /// Headers that declare too much, too little or nothing.
  mutating func lies() throws -> [Made] {
    var made: [Made] = []
    for format in SoundMaker.formats {
      let whole = try sound(format, frameCount: 25_000)
      for (name, change) in SoundMaker.numbers {
        for (field, bytes) in SoundMaker.changed(whole, format, change) {
          made.append(Made(name: "\(format): \(field) \(name)", bytes: bytes, format: format))
        }
      }
    }
    return made
  }

  private static let numbers: [(name: String, change: @Sendable (Int) -> Int)] = [
    ("a thousand times too large", { $0 * 1000 }), ("too large by one", { $0 + 1 }),
    ("twice too large", { 2 * $0 }), ("half", { $0 / 2 }), ("too small by one", { $0 - 1 }),
    ("a tenth", { $0 / 10 }), ("zero", { _ in 0 }), ("all ones", { _ in -1 }),
  ]

  /// The fields of a format that declare a length, changed one at a time and together.
  private static func changed(
    _ bytes: [UInt8], _ format: String, _ change: (Int) -> Int
  ) -> [(field: String, bytes: [UInt8])] {
    let fields: [(String, Int, Int, Bool)]
    switch format {
    case "wav": fields = [("data", place("data", bytes) + 4, 4, false), ("riff", 4, 4, false)]
    case "rf64": fields = [("ds64", 28, 8, false)]
    case "aiff":
      fields = [
        ("SSND", place("SSND", bytes) + 4, 4, true), ("COMM", place("COMM", bytes) + 10, 4, true),
      ]
    case "caf": fields = [("data", place("data", bytes) + 4, 8, true)]
    case "w64": fields = [("data", place("data", bytes) + 16, 8, false)]
    case "au": fields = [("size", 8, 4, true)]
    case "flac": fields = [("STREAMINFO", 22, 4, true)]
    case "mp3":
      let tag = max(place("Info", bytes), place("Xing", bytes))
      fields = [("frames", tag + 8, 4, true), ("bytes", tag + 12, 4, true)]
    default: return granules(bytes, change)
    }
    var results: [(String, [UInt8])] = []
    var together = bytes
    for (field, place, width, isBig) in fields where place >= 4 && place + width <= bytes.count {
      let old = bytes[place..<place + width]
      let value = change(old.number(0, width, isBig: isBig))
      let new =
        isBig ? FilePatch.big(0, value, width).bytes : FilePatch.little(0, value, width).bytes
      var one = bytes
      one.replaceSubrange(place..<place + width, with: new)
      together.replaceSubrange(place..<place + width, with: new)
      results.append((field, one))
    }
    if fields.count > 1 { results.append(("both", together)) }
    return results
  }

  private static func granules(
    _ bytes: [UInt8], _ change: (Int) -> Int
  ) -> [(field: String, bytes: [UInt8])] {
    let pages = OggPages.split(bytes)
    guard let last = pages.last else { return [] }
    let value = change(last.little(6, 8))
    let new = OggPages.changed(last, granule: UInt64(bitPattern: Int64(value)))
    return [("last page", Array(pages.dropLast().joined()) + new)]
  }

  /// The place of a chunk's name; -1000 without it.
  private static func place(_ name: String, _ bytes: [UInt8]) -> Int {
    let letters = Array(name.utf8)
    return (0..<max(min(bytes.count, 4096) - 4, 0)).first {
      bytes[$0..<$0 + 4].elementsEqual(letters)
    }
      ?? -1000
  }
}
