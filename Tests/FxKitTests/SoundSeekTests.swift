import FxAudio
import FxKit
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// Seeks of a parser: which bytes they ask for, and where audio continues.
struct SoundSeekTests {
  private static let folder = TemporaryFolder()
  private static let frameCount = 20 * 48000
  /// Twenty seconds, encoded.
  private static let sounds: [String: [UInt8]] = {
    let noise = Signal.noise(frameCount, seed: 9)
    let tone = tones([330], frameCount: frameCount, sampleRate: 48000)[0]
    let samples = (0..<frameCount).map { (frame: Int) -> Float in
      tone[frame] * 0.2 + noise[frame] * Float(frame % 20000) / 80000
    }
    var sounds: [String: [UInt8]] = [:]
    for name in ["a.mp3", "a.flac", "a.ogg", "a.opus", "a.wav"] {
      let sink = try? FileSink.create(
        folder.file(name), format: StreamFormat(sampleRate: 48000, channelCount: 1),
        encoding: FileEncoding(depth: .int16, isDithered: false))
      guard let sink, (try? writeAll([samples], to: sink)) != nil, (try? sink.finish()) != nil
      else { continue }
      sounds[name] = contents(folder.file(name))
    }
    return sounds
  }()

  private struct Result {
    var seek: SoundParser.Seek
    /// The offsets that do not follow the bytes before.
    var offsets: [Int]
    var byteCount = 0
    var frame: Int?
    var samples: [Float] = []
  }

  /// Parses the first bytes, seeks, and pushes pieces until there is some audio.
  private func seek(
    _ bytes: [UInt8], to frame: Int, _ precision: SoundParser.Precision, parsed: Int = 20000,
    wanted: Int = 2000
  ) throws -> Result {
    let parser = SoundParser(name: "seek", byteCount: bytes.count)
    for start in stride(from: 0, to: parsed, by: 1000) {
      try parser.parse(Array(bytes[start..<start + 1000])) { _ in }
    }
    var first: Int?
    var samples: [Float] = []
    func take(_ event: SoundParser.Event) {
      guard case .audio(let frame, let channels) = event else { return }
      first = first ?? frame
      samples += channels[0]
    }
    let found = try parser.seek(toFrame: frame, precision: precision, take)
    var result = Result(seek: found, offsets: [])
    var expected: Int?
    while samples.count < wanted, let offset = parser.nextOffset, offset < bytes.count {
      if offset != expected { result.offsets.append(offset) }
      let piece = Array(bytes[offset..<min(offset + 1000, bytes.count)])
      try parser.parse(piece, take)
      result.byteCount += piece.count
      expected = offset + piece.count
    }
    if samples.count < wanted { try parser.finish(take) }
    result.frame = first
    result.samples = samples
    return result
  }

  private func decoded(_ name: String) throws -> [Float] {
    try readAll(try FileSource.open(SoundSeekTests.folder.file(name)))[0]
  }

  @Test(arguments: SoundParser.Precision.allCases)
  func `MPEG audio of a constant bit rate is asked for at one offset`(
    _ precision: SoundParser.Precision
  ) throws {
    let bytes = contents(Fixture.audio("voice.mp3"))
    let expected = try readAll(try FileSource.open(Fixture.audio("voice.mp3")))[0]
    for frame in [30_000, expected.count / 2, expected.count - 9000] {
      let found = try seek(bytes, to: frame, precision)
      #expect(found.seek.frame == frame && found.seek.isExact && found.frame == frame)
      #expect(found.offsets.count <= 1, "\(found.offsets)")
      // Forty frames before it hold bits that it may need.
      #expect(found.byteCount < 30_000)
      let isSame = found.samples == Array(expected[frame...].prefix(found.samples.count))
      #expect(isSame)
    }
  }

  @Test func `an estimate in MPEG audio of a variable bit rate follows from the places in its tag`()
    throws
  {
    let bytes = try #require(SoundSeekTests.sounds["a.mp3"])
    var packets: [SoundPacket] = []
    let whole = SoundParser(name: "whole", decodes: false)
    try whole.parse(bytes) { if case .packet(let packet) = $0 { packets.append(packet) } }
    for share in [0.3, 0.6, 0.95] {
      let frame = Int(Double(SoundSeekTests.frameCount) * share)
      let found = try seek(bytes, to: frame, .estimate)
      #expect(!found.seek.isExact && found.seek.frame == frame && found.frame == frame)
      #expect(found.offsets.count == 1 && found.byteCount < 20_000, "\(found.offsets)")
      let place = try #require(packets.last { $0.frame <= frame }).offset
      #expect(abs(found.seek.offset - place) < bytes.count / 40)
    }
  }

  @Test func `an exact seek behind the parsed part of a variable bit rate reads on from there`()
    throws
  {
    let bytes = try #require(SoundSeekTests.sounds["a.mp3"])
    let expected = try decoded("a.mp3")
    let far = try seek(bytes, to: 500_000, .exact, parsed: 60_000)
    #expect(far.offsets.count == 1 && far.seek.offset > 50_000, "\(far.offsets)")
    let isSame = far.samples == Array(expected[500_000...].prefix(far.samples.count))
    #expect(isSame)
    let near = try seek(bytes, to: 40_000, .exact, parsed: 60_000)
    #expect(near.frame == 40_000 && near.byteCount < 20_000)
    let isNearSame = near.samples == Array(expected[40_000...].prefix(near.samples.count))
    #expect(isNearSame)
  }

  @Test(arguments: ["a.flac", "a.ogg", "a.opus"])
  func `an estimate in a format with positions says which frame it is`(_ name: String) throws {
    let bytes = try #require(SoundSeekTests.sounds[name])
    let expected = try decoded(name)
    for share in [0.2, 0.5, 0.8] {
      let frame = Int(Double(SoundSeekTests.frameCount) * share)
      let found = try seek(bytes, to: frame, .estimate, wanted: 30_000)
      #expect(!found.seek.isExact && found.offsets.count == 1, "\(found.offsets)")
      #expect(found.byteCount < 90_000)
      let start = try #require(found.frame)
      #expect(abs(start - frame) < SoundSeekTests.frameCount / 10)
      // The first frames of Vorbis and Opus depend on the packets before.
      let skipped = name == "a.opus" ? 20_000 : name == "a.ogg" ? 2048 : 0
      let got = found.samples.dropFirst(skipped)
      let right = expected[(start + skipped)...].prefix(got.count)
      let difference = zip(got, right).map { abs($0 - $1) }.max() ?? 1
      #expect(difference < (name == "a.opus" ? 1e-3 : 1e-6), "\(difference)")
    }
  }

  @Test(arguments: ["a.mp3", "a.flac", "a.ogg", "a.opus", "a.wav"])
  func `a seek asks for no byte twice`(_ name: String) throws {
    let bytes = try #require(SoundSeekTests.sounds[name])
    let found = try seek(bytes, to: 700_000, .exact)
    #expect(found.frame == 700_000)
    #expect(Set(found.offsets).count == found.offsets.count, "\(found.offsets)")
    if name == "a.wav" { #expect(found.offsets.count == 1 && found.byteCount < 12_000) }
  }

  @Test(arguments: ["a.mp3", "a.flac", "a.ogg"])
  func `a seek before anything was parsed reads the header first`(_ name: String) throws {
    let bytes = try #require(SoundSeekTests.sounds[name])
    let found = try seek(bytes, to: 300_000, .estimate, parsed: 0)
    #expect(found.seek.offset == 0)
    let start = try #require(found.frame)
    #expect(abs(start - 300_000) < SoundSeekTests.frameCount / 10)
  }
}
