import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

/// FLAC, Ogg Vorbis and Opus with bytes missing, from a file and from a pipe.
struct DamagedStreamTests {
  private let folder = TemporaryFolder()

  /// Noise does not compress, so that there are many pages and frames.
  private func file(_ end: String) throws -> [UInt8] {
    var seed: UInt64 = 3
    let sound = (0..<480_000).map { _ -> Float in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int32(truncatingIfNeeded: seed >> 32)) / 4_294_967_296
    }
    let path = folder.file("whole.\(end)")
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: 48000, channelCount: 1),
      encoding: end == "flac" ? FileEncoding(depth: .int16, isDithered: false) : FileEncoding())
    try writeAll([sound], to: sink)
    try sink.finish()
    return contents(path)
  }

  /// A source that cannot seek.
  private final class OneWay: ByteStream {
    let name = "pipe"
    private let memory: MemoryStream
    init(_ bytes: [UInt8]) { memory = MemoryStream(bytes, name: "pipe") }
    var byteCount: Int? { nil }
    func seek(to offset: Int) -> Bool { false }
    func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
      memory.read(target, min(count, 1000))
    }
  }

  private func both(_ bytes: [UInt8]) throws -> [any AudioSource] {
    [
      try FileSource.open(MemoryStream(bytes, name: "memory")),
      try FileSource.open(OneWay(bytes)),
    ]
  }

  @Test(arguments: ["flac", "ogg", "opus"])
  func `a pipe gives what the file gives, without a temporary file`(_ end: String) throws {
    let bytes = try file(end)
    let sources = try both(bytes)
    let sound = try readAll(sources[0])
    #expect(sound[0].count == 480_000)
    #expect(try readAll(sources[1]) == sound)
    #expect(sources[1] is JoinedSource)
    #expect(sources.flatMap(\.warnings) == [])
  }

  @Test(arguments: ["flac", "ogg", "opus"])
  func `the sound after damage keeps its place, and the loss is reported`(_ end: String) throws {
    let bytes = try file(end)
    let whole = try readAll(try both(bytes)[0])[0]
    var damaged = bytes
    let middle = bytes.count / 2
    damaged.replaceSubrange(middle..<middle + 300, with: [UInt8](repeating: 0, count: 300))
    var cut = bytes
    cut.removeSubrange(middle..<middle + 3000)
    for bytes in [damaged, cut] {
      for source in try both(bytes) {
        let sound = try readAll(source)[0]
        #expect(sound.count == whole.count)
        #expect(sound.prefix(100_000).elementsEqual(whole.prefix(100_000)))
        let difference = zip(sound.suffix(100_000), whole.suffix(100_000)).map { abs($0 - $1) }
          .max()
        #expect(difference ?? 1 < (end == "opus" ? 0.01 : 1e-6))
        #expect(
          source.warnings.contains { $0.hasPrefix("damaged at ") && $0.hasSuffix("s silenced") },
          "\(source.warnings)")
      }
    }
  }

  @Test(arguments: ["flac", "ogg", "opus"])
  func `a truncated stream gives its remaining frames with a warning`(_ end: String) throws {
    let bytes = try file(end)
    let whole = try readAll(try both(bytes)[0])[0]
    for source in try both(Array(bytes[0..<(bytes.count * 2 / 3)])) {
      let sound = try readAll(source)[0]
      #expect(sound.count > 250_000 && sound.count < 340_000)
      #expect(sound.elementsEqual(whole.prefix(sound.count)))
      #expect(source.warnings.contains { $0.hasPrefix("truncated at ") }, "\(source.warnings)")
    }
  }

  @Test(arguments: ["flac", "ogg"])
  func `a seek to a frame gives the same samples as playing there`(_ end: String) throws {
    let bytes = try file(end)
    let source = try both(bytes)[0]
    let whole = try readAll(source)[0]
    for frame in [300_001, 0, 479_999, 77] {
      try source.seek(toFrame: frame)
      #expect(try readAll(source)[0].elementsEqual(whole[frame...]))
    }
  }

  @Test(arguments: ["ogg", "opus"], [1 << 63, 1 << 62, .max - 1] as [UInt64])
  func `a last page with an impossible position ends the sound normally`(
    _ end: String, _ granule: UInt64
  ) throws {
    var pages = OggPages.split(try file(end))
    pages[pages.count - 1] = OggPages.changed(pages[pages.count - 1], granule: granule)
    for source in try both(Array(pages.joined())) {
      let count = try readAll(source)[0].count
      #expect(count >= 470_000)
    }
  }

  @Test func `the length is unknown where a header claims more than the file can hold`() throws {
    var bytes = try file("flac")
    bytes[21] |= 15
    bytes.replaceSubrange(22..<26, with: [0xff, 0xff, 0xff, 0xff])
    let source = try FileSource.open(MemoryStream(bytes, name: "long"))
    #expect(source.frameCount == nil)
    #expect(try RegionFile(source).frameCount == 480_000)
  }
}
