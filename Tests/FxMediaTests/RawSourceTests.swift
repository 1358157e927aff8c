import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// Samples without a header.
struct RawSourceTests {
  private let folder = TemporaryFolder()

  private func open(_ bytes: [UInt8], _ format: String) throws -> any AudioSource {
    try FileSource.open(
      folder.write("\(folder.names.count).raw", bytes), raw: try RawFormat(format))
  }

  private func piped(_ bytes: [UInt8], _ format: String) throws -> RawSource {
    try RawSource(
      ByteReader(PushedPipe(bytes)), try RawFormat(format))
  }

  /// A stream that cannot seek.
  private final class PushedPipe: ByteStream {
    let name = "pipe"
    var byteCount: Int? { nil }
    var failure: Int32? { nil }
    var wasInterrupted: Bool { false }
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
      let piece = rest.prefix(min(count, 77))
      rest = rest.dropFirst(piece.count)
      target.copyMemory(from: Array(piece), byteCount: piece.count)
      return piece.count
    }

    func seek(to offset: Int) -> Bool { false }
    func interrupt() {}
  }

  /// Half of full scale below zero, then a quarter above it.
  static let pairs: [(String, [UInt8])] = [
    ("s8", [0xc0, 0x20]), ("u8", [0x40, 0xa0]), ("8", [0x40, 0xa0]),
    ("s16le", [0, 0xc0, 0, 0x20]), ("s16be", [0xc0, 0, 0x20, 0]), ("16", [0, 0xc0, 0, 0x20]),
    ("s24le", [0, 0, 0xc0, 0, 0, 0x20]), ("s24be", [0xc0, 0, 0, 0x20, 0, 0]),
    ("24", [0, 0, 0xc0, 0, 0, 0x20]),
    ("s32le", [0, 0, 0, 0xc0, 0, 0, 0, 0x20]), ("s32be", [0xc0, 0, 0, 0, 0x20, 0, 0, 0]),
    ("int32", [0, 0, 0, 0xc0, 0, 0, 0, 0x20]),
    ("f32le", [0, 0, 0, 0xbf, 0, 0, 0x80, 0x3e]), ("f32be", [0xbf, 0, 0, 0, 0x3e, 0x80, 0, 0]),
    ("32", [0, 0, 0, 0xbf, 0, 0, 0x80, 0x3e]),
    ("f64le", [0, 0, 0, 0, 0, 0, 0xe0, 0xbf, 0, 0, 0, 0, 0, 0, 0xd0, 0x3f]),
    ("f64be", [0xbf, 0xe0, 0, 0, 0, 0, 0, 0, 0x3f, 0xd0, 0, 0, 0, 0, 0, 0]),
    ("64", [0, 0, 0, 0, 0, 0, 0xe0, 0xbf, 0, 0, 0, 0, 0, 0, 0xd0, 0x3f]),
  ]

  @Test(arguments: pairs)
  func `every coding is read, from files and pipes, on all channels`(
    _ coding: String, _ bytes: [UInt8]
  ) throws {
    let times = 5000
    let many = [[UInt8]](repeating: bytes, count: times).flatMap { $0 }
    let file = try open(many, "\(coding),48000,2")
    #expect(file.format == StreamFormat(sampleRate: 48000, channelCount: 2))
    #expect(file.frameCount == times && file.warnings == [])
    let expected: [[Float]] = [-0.5, 0.25].map { [Float](repeating: $0, count: times) }
    #expect(try readAll(file) == expected)
    #expect(try readAll(try piped(many, "\(coding),48000,2")) == expected)
    let mono = try open(many, "\(coding), 8000, 1")
    try mono.seek(toFrame: 4001)
    #expect(try readAll(mono)[0].prefix(2) == [0.25, -0.5])
  }

  /// The codes of G.711 for silence, the largest and a middle value.
  @Test func `A-law and mu-law are expanded`() throws {
    let a = try readAll(try open([0xd5, 0x55, 0xaa, 0x2a, 0x80], "alaw,8000,1"))[0]
    #expect(a.map { $0 * 32768 } == [8, -8, 32256, -32256, 5504])
    let mu = try readAll(try open([0xff, 0x7f, 0x80, 0x00, 0xc0], "ulaw,8000,1"))[0]
    #expect(mu.map { $0 * 32768 } == [0, 0, 32124, -32124, 1884])
  }

  @Test(arguments: FileEncoding.Depth.allCases)
  func `a raw file that was written is read with its bits as the coding`(
    _ depth: FileEncoding.Depth
  ) throws {
    let name = depth == .int32 ? "int32" : "\(depth.bits)"
    let sound: [[Float]] = [[0.5, -0.25, 0, 0.125], [-1, 0.75, 0.25, -0.5]]
    let path = folder.file("a.raw")
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: 44100, channelCount: 2),
      encoding: FileEncoding(depth: depth, isDithered: false))
    try writeAll(sound, to: sink)
    try sink.finish()
    #expect(try readAll(try FileSource.open(path, raw: try RawFormat("\(name),44100,2"))) == sound)
  }

  @Test func `an offset skips bytes, and layouts name the channels`() throws {
    let bytes: [UInt8] = Array("RIFFxyz".utf8) + [0, 0x40, 0, 0x20]
    for source: any AudioSource in [
      try open(bytes, "s16le,48000,1,offset=7"), try piped(bytes, "s16le,48000,1,offset=7"),
    ] {
      #expect(try readAll(source) == [[0.5, 0.25]])
    }
    let surround = try open([UInt8](repeating: 0, count: 24), "s16le,48000,6,layout=5.1(side)")
    #expect("\(surround.format.layout)" == "5.1(side)")
    #expect("\(try RawFormat("s16le,48000,5.1").layout)" == "5.1")
  }

  @Test func `nothing is recognized, not even a WAV header`() throws {
    let path = folder.file("a.wav")
    let sink = try FileSink.create(path, format: StreamFormat(sampleRate: 8000, channelCount: 1))
    try writeAll([Signal.noise(1000)], to: sink)
    try sink.finish()
    let raw = try FileSource.open(path, raw: try RawFormat("u8,48000,1"))
    #expect(raw.frameCount == contents(path).count)
    #expect(raw.format.sampleRate == 48000)
  }

  @Test func `a rest of a frame is ignored with a warning, and too few bytes are an error`() throws
  {
    let bytes = [UInt8](repeating: 0, count: 11)
    let file = try open(bytes, "s16le,48000,2")
    #expect(file.frameCount == 2)
    #expect(
      file.warnings.first?.hasPrefix("the last 3 bytes are no whole frame of 4 bytes") == true)
    let pipe = try piped(bytes, "s16le,48000,2")
    #expect(try readAll(pipe)[0].count == 2)
    #expect(pipe.warnings.count == 1)
    for (bytes, format) in [
      ([1, 2, 3], "s16le,48000,2"), ([], "s16le,48000,2"), ([1, 2, 3, 4], "u8,48000,1,offset=4"),
    ] as [([UInt8], String)] {
      #expect(ioError { _ = try open(bytes, format) }?.code == .empty)
      #expect(ioError { _ = try readAll(try piped(bytes, format)) }?.code == .empty)
    }
  }

  @Test(arguments: [
    ("s16le", "lacks a coding"), ("s16le,48000", "lacks a coding"), ("", "lacks a coding"),
    ("s17le,48000,2", "no coding 's17le'"), ("s16le,0,2", "'0' is no sample rate"),
    ("s16le,44.1k,2", "'44.1k' is no sample rate"), ("s16le,48000,0", "'0' is no number"),
    ("s16le,48000,9.9", "'9.9' is no number"), ("s16le,48000,2,44", "'44' is neither"),
    ("s16le,48000,2,offset=-1", "'-1' is no offset"),
    ("s16le,48000,2,layout=5.1", "has 6 channels, not 2"),
    ("s16le,48000,2,layout=big", "no layout 'big'"),
    ("s16le,99999999999999999999,2", "is no sample rate"),
    ("s16le,48000,2,offset=99999999999999999999", "is no offset"),
  ])
  func `a text that is no format is explained`(_ text: String, _ words: String) {
    do throws(Failure) {
      let format = try RawFormat(text)
      Issue.record("\(format)")
    } catch {
      #expect(error.message.contains(words), "\(error.message)")
      #expect(!error.hints.isEmpty)
    }
  }
}
