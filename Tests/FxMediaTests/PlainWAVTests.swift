import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// WAV files whose samples are read without libsndfile, compared with its samples.
struct PlainWAVTests {
  private let folder = TemporaryFolder()

  struct Coding: CustomTestStringConvertible, Sendable {
    var tag: Int
    var bits: Int
    var channelCount: Int
    /// nil without the longer header that has a mask.
    var mask: Int?
    var testDescription: String { "\(tag) \(bits) bits, \(channelCount) channels, \(mask ?? -1)" }
  }

  private func number(_ value: Int, _ width: Int) -> [UInt8] {
    FilePatch.little(0, value, width).bytes
  }

  private func path(
    _ coding: Coding, frameCount: Int = 700, cutting: Int = 0, more: [UInt8] = []
  ) -> String {
    let frame = coding.channelCount * coding.bits / 8
    var random = SeededRandom(UInt64(coding.bits + coding.channelCount))
    let samples = (0..<frame * frameCount).map { _ in UInt8.random(in: 0...255, using: &random) }
    var format = number(coding.mask == nil ? coding.tag : 0xfffe, 2)
    format += number(coding.channelCount, 2) + number(44100, 4) + number(44100 * frame, 4)
    format += number(frame, 2) + number(coding.bits, 2)
    if let mask = coding.mask {
      format += number(22, 2) + number(coding.bits, 2) + number(mask, 4) + number(coding.tag, 2)
      format += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
    }
    var parts = Array("WAVEfmt ".utf8) + number(format.count, 4) + format
    parts += Array("data".utf8) + number(samples.count, 4) + samples
    parts += samples.count % 2 == 1 ? [0] : []
    parts += more
    let bytes = Array("RIFF".utf8) + number(parts.count, 4) + parts
    return folder.write("a.wav", Array(bytes.dropLast(cutting)))
  }

  private static let codings = [(1, 8), (1, 16), (1, 24), (1, 32), (3, 32), (3, 64)].flatMap {
    tag, bits in
    [
      (1, nil), (2, nil), (3, nil), (6, nil), (1, 4), (2, 3), (2, 0), (2, 0x600), (4, 0x33),
      (6, 0x3f), (2, 0x33), (2, 4), (4, 0x3f), (6, 3),
    ]
    .map { Coding(tag: tag, bits: bits, channelCount: $0, mask: $1) }
  }

  @Test(arguments: codings)
  func `a plain file is read as libsndfile reads it`(_ coding: Coding) throws {
    let path = path(coding)
    let plain = try FileSource.open(path)
    #expect(plain is WAVStreamSource)
    let library = try SoundFileSource(ByteReader(try FileSource.byteStream(path)))
    #expect(plain.format == library.format)
    #expect(plain.frameCount == library.frameCount)
    #expect(plain.warnings == library.warnings)
    for start in [0, 333] {
      try plain.seek(toFrame: start)
      try library.seek(toFrame: start)
      let (ours, theirs) = (try readAll(plain), try readAll(library))
      #expect(ours.map { $0.map(\.bitPattern) } == theirs.map { $0.map(\.bitPattern) })
    }
  }

  @Test func `libsndfile reads unusual files`() throws {
    let coding = Coding(tag: 1, bits: 16, channelCount: 2)
    let cut = try FileSource.open(path(coding, cutting: 10))
    #expect(cut is SoundFileSource)
    _ = try readAll(cut)
    #expect(cut.warnings.count == 1)
    let law = try FileSource.open(path(Coding(tag: 7, bits: 8, channelCount: 1)))
    #expect(law is SoundFileSource)
    #expect(try readAll(law)[0].count == 700)
    var strange = contents(path(Coding(tag: 1, bits: 16, channelCount: 2, mask: 3)))
    strange[20 + 30] ^= 0xff
    #expect(
      ioError { _ = try FileSource.open(folder.write("b.wav", strange)) }?.code == .damaged)
  }

  @Test func `files without tags are recognized by their ends`() throws {
    func mayHaveTags(_ path: String, _ format: TagFormat) throws -> Bool {
      format.mayBeIn(ByteReader(try FileSource.byteStream(path)))
    }
    let coding = Coding(tag: 1, bits: 16, channelCount: 2)
    #expect(try !mayHaveTags(path(coding), .wav))
    let list = Array("LIST".utf8) + number(4, 4) + Array("INFO".utf8)
    #expect(try mayHaveTags(path(coding, more: list), .wav))
    #expect(try mayHaveTags(path(coding, cutting: 1), .wav))
    let frames = [UInt8](repeating: 0, count: 400)
    let footer = Array("APETAGEX".utf8) + [UInt8](repeating: 0, count: 24)
    let old = Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
    for (bytes, expected) in [
      ([0xff, 0xfb] + frames, false), ([0xff, 0xfb] + frames + old, true),
      ([0xff, 0xfb] + frames + footer, true), ([0xff, 0xfb] + frames + footer + old, true),
      (Array("ID3".utf8) + frames, true), ([], true),
    ] {
      #expect(try mayHaveTags(folder.write("a.mp3", bytes), .mpeg) == expected)
    }
  }
}
