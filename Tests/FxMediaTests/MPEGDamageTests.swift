import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

/// Damaged, cut and joined MPEG audio. fxrun decodes the intact parts and reports the time and
/// length of each loss.
struct MPEGDamageTests {
  private let folder = TemporaryFolder()

  private func open(_ bytes: [UInt8]) throws -> any AudioSource {
    try FileSource.open(folder.write("\(folder.names.count).mp3", bytes))
  }

  /// The same through a pipe, which cannot seek.
  private func pipe(_ bytes: [UInt8]) throws -> (sound: [[Float]], warnings: [String]) {
    var ends: [Int32] = [0, 0]
    Glibc.pipe(&ends)
    defer { close(ends[0]) }
    let writeEnd = ends[1]
    var failure: Int32 = 0
    let thread = WorkerThread(failure: &failure) {
      var done = 0
      while done < bytes.count {
        let count = bytes[done...].withUnsafeBytes {
          write(writeEnd, $0.baseAddress, min($0.count, 700))
        }
        if count <= 0 { break }
        done += count
      }
      close(writeEnd)
    }
    defer { thread?.join() }
    let source = try FileSource.open(descriptor: ends[0], name: "pipe")
    return (try readAll(source), source.warnings)
  }

  private var voice: [UInt8] { Array(contents(Fixture.audio("voice.mp3"))[0..<120_000]) }

  @Test func `bytes that look like a frame header of a different rate are ignored`() throws {
    var bytes = voice
    let whole = try readAll(try open(bytes))[0].count
    // 32 kHz, mono, where a frame would begin, and no frame after it.
    bytes.replaceSubrange(50000..<50100, with: [])
    bytes.replaceSubrange(50010..<50014, with: [0xff, 0xfb, 0x98, 0xc0])
    let source = try open(bytes)
    let sound = try readAll(source)
    #expect(source.format == StreamFormat(sampleRate: 44100, channelCount: 2))
    #expect(sound[0].count > whole - 3 * 1152)
    #expect(source.warnings.contains { $0.hasPrefix("damaged at ") }, "\(source.warnings)")
    #expect(try pipe(bytes).sound == sound)
  }

  @Test func `random bytes after the end are skipped and reported`() throws {
    var generator = SystemRandomNumberGenerator()
    let whole = contents(Fixture.audio("mono-vbr.mp3"))
    let bytes = whole + (0..<3000).map { _ in UInt8.random(in: 0...254, using: &generator) }
    let source = try open(bytes)
    #expect(try readAll(source)[0].count == readAll(try open(whole))[0].count)
    #expect(
      source.warnings.count == 1
        && source.warnings.first?.hasSuffix("3000 bytes behind the last frame skipped") == true,
      "\(source.warnings)")
  }

  @Test(arguments: (0..<15).map { 60000 + 61 * $0 })
  func `a pipe that ends anywhere gives what was decoded before`(_ count: Int) throws {
    let (sound, warnings) = try pipe(Array(voice[0..<count]))
    #expect(sound[0].count > 150_000)
    #expect(sound[0].elementsEqual(try readAll(try open(voice))[0].prefix(sound[0].count)))
    #expect(warnings.contains { $0.hasPrefix("truncated at ") }, "\(warnings)")
  }

  @Test func `frames whose borrowed bits are lost are silent`() throws {
    var bytes = voice
    bytes.removeSubrange(50000..<52000)
    let source = try open(bytes)
    let sound = try readAll(source)
    #expect(sound.joined().allSatisfy { abs($0) <= 1.2 })
    #expect(source.warnings.contains { $0.contains("silenced") }, "\(source.warnings)")
  }

  @Test func `joined files of two rates and widths play in the format of the first`() throws {
    let first = contents(Fixture.audio("no-tag.mp3"))
    let second = contents(Fixture.audio("mono-vbr.mp3"))
    let one = try open(first)
    let other = try open(second)
    let format = one.format
    #expect(format != other.format)
    let lengths = [try readAll(one)[0].count, try readAll(other)[0].count]
    let ratio = format.sampleRate / other.format.sampleRate
    let expected = lengths[0] + Int((Double(lengths[1]) * ratio).rounded())
    let source = try open(first + second)
    #expect(source.format == format)
    #expect(source.frameCount == expected)
    let sound = try readAll(source)
    #expect(sound[0].count == expected)
    #expect(source.warnings == [])
    #expect(try pipe(first + second).sound == sound)
    for frame in [expected - 900, 100, lengths[0] + 10] {
      try source.seek(toFrame: frame)
      let part = try readAll(source)[0]
      #expect(part.count == expected - frame)
      #expect(zip(part, sound[0][frame...]).allSatisfy { abs($0 - $1) < 1e-4 }, "from \(frame)")
    }
  }

  /// The first file's tag gives the place of its padding, in the middle of the joined file.
  @Test func `a jump past the first of joined files gives the same samples as playing there`()
    throws
  {
    let bytes = contents(Fixture.audio("mono-vbr.mp3"))
    let once = try readAll(try open(bytes))[0].count
    let source = try open(bytes + bytes)
    let sound = try readAll(source)[0]
    #expect(sound.count > 2 * once)
    for frame in [once - 1000, once - 1, once, once + 1, once + 700, once + 5000, sound.count - 9] {
      try source.seek(toFrame: frame)
      let part = try readAll(source)[0]
      #expect(part.elementsEqual(sound[frame...]), "from \(frame)")
    }
    // Before any frame of it has been read.
    let other = try open(bytes + bytes)
    try other.seek(toFrame: once + 1234)
    #expect(try readAll(other)[0].elementsEqual(sound[(once + 1234)...]))
  }

  @Test func `going back over damage gives the same sound and reports it once`() throws {
    var bytes = voice
    bytes.removeSubrange(50000..<50700)
    let source = try open(bytes)
    let sound = try readAll(source)
    let warnings = source.warnings
    for frame in [100_000, 0, 130_007] {
      try source.seek(toFrame: frame)
      #expect(try readAll(source)[0].elementsEqual(sound[0][frame...]), "from \(frame)")
    }
    #expect(source.warnings == warnings)
  }

  @Test func `a tag before a joined file is not damage`() throws {
    let bytes = contents(Fixture.audio("no-tag.mp3"))
    let tag: [UInt8] =
      Array("ID3".utf8) + [3, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 7, count: 128)
    let old: [UInt8] = Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
    let source = try open(bytes + old + tag + bytes + old)
    let once = try readAll(try open(bytes))[0].count
    #expect(try readAll(source)[0].count == 2 * once)
    #expect(source.warnings == [])
  }
}
