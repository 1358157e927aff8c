import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport

/// Makes files of sound for tests: every format, joins of files, headers that lie, and bytes around
/// them.
struct SoundMaker {
  /// A file to read, and how it was made.
  struct Made {
    let name: String
    let bytes: [UInt8]
    let format: String
    /// The frames of all sounds in it, at the rate of the first.
    var least = 0
  }

  static let formats = [
    "wav", "flac", "aiff", "caf", "w64", "rf64", "au", "ogg", "opus", "mp3",
  ]

  private struct Part {
    let bytes: [UInt8]
    let frameCount: Int

    init(_ bytes: [UInt8], _ frameCount: Int) {
      self.bytes = bytes
      self.frameCount = frameCount
    }
  }

  private let folder = TemporaryFolder()
  private var seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  mutating func random(_ range: Range<Int>) -> Int {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return range.lowerBound + Int(seed >> 33) % range.count
  }

  /// A sound of tones and noise.
  mutating func sound(
    _ format: String, frameCount: Int, rate: Double = 44100, channelCount: Int = 2
  ) throws -> [UInt8] {
    let path = folder.file("made.\(format)")
    // Opus has no 44.1 kHz.
    let rate = format == "opus" ? (rate == 44100 ? 48000 : 24000) : rate
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: rate, channelCount: channelCount),
      encoding: FileEncoding(
        depth: ["flac", "wav", "aiff", "caf", "w64", "rf64", "au"].contains(format) ? .int16 : nil,
        isDithered: false))
    let noise = Signal.noise(frameCount, seed: UInt64(random(1..<1000))).map { $0 / 8 }
    let pitches = (0..<channelCount).map { _ in Double(random(100..<2000)) }
    let tone = tones(pitches, frameCount: frameCount, sampleRate: rate, amplitude: 0.3)
    try writeAll(tone.map { channel in zip(channel, noise).map { $0 + $1 } }, to: sink)
    try sink.finish()
    return contents(path)
  }

  /// Every format, long and short.
  mutating func singles() throws -> [Made] {
    var made: [Made] = []
    for format in SoundMaker.formats {
      for (frames, rate, width) in [
        (30_000, 44100.0, 2), (9000, 48000, 1), (500, 44100, 2), (1, 48000, 1),
      ] {
        made.append(
          Made(
            name: "\(frames) frames of \(format)",
            bytes: try sound(format, frameCount: frames, rate: rate, channelCount: width),
            format: format))
      }
    }
    return made
  }

  /// Two or three sounds in one file: of one format, with other lengths, rates and widths; and of
  /// two formats.
  mutating func joins(mixedCount: Int) throws -> [Made] {
    var made: [Made] = []
    for format in SoundMaker.formats {
      let first = Part(try sound(format, frameCount: 20_000), 20_000)
      let short = Part(try sound(format, frameCount: 600), 600)
      let shorter = Part(try sound(format, frameCount: 500), 500)
      let other = Part(try sound(format, frameCount: 15_000), 15_000)
      let slow = Part(try sound(format, frameCount: 15_000, rate: 48000), 13_781)
      let mono = Part(try sound(format, frameCount: 15_000, channelCount: 1), 15_000)
      for (name, parts) in [
        ("twice the same", [first, first]), ("two", [first, other]),
        ("short, long", [short, first]),
        ("short, short, long", [short, shorter, first]),
        ("two rates", [first, slow]), ("three rates", [slow, first, slow]),
        ("stereo, mono", [first, mono]), ("mono, stereo", [mono, first]),
      ] {
        made.append(
          Made(
            name: "\(format): \(name)", bytes: Array(parts.map(\.bytes).joined()), format: format,
            least: format == "opus" ? 0 : parts.reduce(0) { $0 + $1.frameCount }))
      }
    }
    for _ in 0..<mixedCount {
      let first = SoundMaker.formats[random(0..<SoundMaker.formats.count)]
      let second = SoundMaker.formats[random(0..<SoundMaker.formats.count)]
      let length = random(400..<20_000)
      let bytes =
        try sound(first, frameCount: length) + sound(second, frameCount: random(400..<20_000))
      made.append(
        Made(
          name: "\(first), then \(second)", bytes: bytes, format: first, least: length + 100))
    }
    return made
  }

  /// Bytes before and after the sound, and sounds that are cut off.
  mutating func surroundings() throws -> [Made] {
    var made: [Made] = []
    for format in SoundMaker.formats {
      let whole = try sound(format, frameCount: 25_000)
      let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 2, 0] + [UInt8](repeating: 0, count: 256)
      let old = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
      let junk = (0..<3000).map { _ in UInt8(random(0..<256)) }
      let cut = Array(whole.prefix(whole.count * 7 / 10))
      for (name, bytes) in [
        ("behind a tag", tag + whole), ("before an old tag", whole + old),
        ("before zeros", whole + [UInt8](repeating: 0, count: 4096)),
        ("before other bytes", whole + junk), ("cut off", cut), ("cut off behind a tag", tag + cut),
        ("cut off, then whole", cut + whole),
      ] {
        made.append(Made(name: "\(format) \(name)", bytes: bytes, format: format))
      }
    }
    let song = try sound("mp3", frameCount: 30_000)
    made.append(
      Made(name: "MP3 inside WAV", bytes: SoundMaker.wave(around: song), format: "wav"))
    made.append(
      Made(
        name: "MP3 inside WAV before a chunk",
        bytes: SoundMaker.wave(around: song) + Array("LIST".utf8) + [
          4, 0, 0, 0, 0x49, 0x4e, 0x46, 0x4f,
        ],
        format: "wav"))
    return made
  }

  /// A WAV file of the coding MP3.
  static func wave(around song: [UInt8]) -> [UInt8] {
    let format = [
      [0x55, 0], [2, 0], FilePatch.little(0, 44100, 4).bytes, FilePatch.little(0, 16000, 4).bytes,
      [1, 0], [0, 0], [12, 0], [UInt8](repeating: 0, count: 12),
    ].flatMap(\.self)
    let body =
      Array("WAVEfmt ".utf8) + FilePatch.little(0, format.count, 4).bytes + format
      + Array("data".utf8) + FilePatch.little(0, song.count, 4).bytes + song
    return Array("RIFF".utf8) + FilePatch.little(0, body.count, 4).bytes + body
  }
}
