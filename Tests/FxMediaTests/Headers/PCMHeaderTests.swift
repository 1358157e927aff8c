import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

/// The one reader of the headers of WAV, AIFF, CAF, W64 and AU.
struct PCMHeaderTests {
  private let folder = TemporaryFolder()

  private static func little(_ value: Int, _ width: Int) -> [UInt8] {
    FilePatch.little(0, value, width).bytes
  }

  private static func big(_ value: Int, _ width: Int) -> [UInt8] {
    FilePatch.big(0, value, width).bytes
  }

  private static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap(\.self) }
  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The fields of a format: 16 bits, two channels, 44.1 kHz.
  private static func format(tag: Int = 1, isBig: Bool = false) -> [UInt8] {
    let fields = [(tag, 2), (2, 2), (44100, 4), (176_400, 4), (4, 2), (16, 2)]
    return fields.flatMap { isBig ? big($0, $1) : little($0, $1) }
  }

  private func samples(_ frameCount: Int) -> [UInt8] {
    (0..<4 * frameCount).map { UInt8(truncatingIfNeeded: 7 * $0 + $0 >> 5) }
  }

  private func wave(
    _ id: String = "RIFF", riff: Int = 0xffff_ffff, data: Int, ds64: [Int]? = nil,
    isBig: Bool = false, _ rest: [UInt8] = []
  ) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { isBig ? Self.big(value, 4) : Self.little(value, 4) }
    let sizes = ds64.map { numbers in
      Self.join(
        Self.text("ds64"), number(28), numbers.flatMap { Self.little($0, 8) }, number(0))
    }
    return Self.join(
      Self.text(id), number(riff), Self.text("WAVE"), sizes ?? [], Self.text("fmt "), number(16),
      Self.format(isBig: isBig), Self.text("data"), number(data), rest)
  }

  private func w64(format: [UInt8] = format(), data: Int, _ rest: [UInt8]) -> [UInt8] {
    let riff: [UInt8] = [0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 4, 0xc1, 0, 0]
    let code: [UInt8] = [0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a]
    return Self.join(
      Self.text("riff"), riff, Self.little(104 + rest.count, 8), Self.text("wave"), code,
      Self.text("fmt "), code, Self.little(24 + format.count, 8), format, Self.text("data"), code,
      Self.little(data, 8), rest)
  }

  private func caf(data: Int, _ rest: [UInt8]) -> [UInt8] {
    let fields = [2, 4, 1, 2, 16].flatMap { Self.big($0, 4) }
    return Self.join(
      Self.text("caff"), Self.big(1, 2), Self.big(0, 2), Self.text("desc"), Self.big(32, 8),
      Self.big(Int(44100.0.bitPattern), 8), Self.text("lpcm"), fields, Self.text("data"),
      Self.big(data, 8), Self.big(0, 4), rest)
  }

  private func aiff(
    coding: String? = nil, bits: Int = 16, _ data: [UInt8], behind: [UInt8] = []
  ) -> [UInt8] {
    // 44,100 as a number with 80 bits.
    let rate: [UInt8] = [0x40, 0x0e, 0xac, 0x44, 0, 0, 0, 0, 0, 0]
    let name = coding.map { Self.text($0) + [0, 0] } ?? []
    let common = Self.join(
      Self.big(2, 2), Self.big(data.count / 4, 4), Self.big(bits, 2), rate, name)
    let body = Self.join(
      Self.text(coding == nil ? "AIFF" : "AIFC"), Self.text("COMM"), Self.big(common.count, 4),
      common, Self.text("SSND"), Self.big(8 + data.count, 4), Self.big(0, 8), data, behind)
    return Self.join(Self.text("FORM"), Self.big(body.count, 4), body)
  }

  private func au(_ id: String, size: Int, isBig: Bool, _ rest: [UInt8]) -> [UInt8] {
    let fields = [24, size, 3, 44100, 2].flatMap { isBig ? Self.big($0, 4) : Self.little($0, 4) }
    return Self.join(Self.text(id), fields, rest)
  }

  private func declared(_ bytes: [UInt8]) throws -> PCMHeader.Length {
    let inMemory = try PCMHeader(HeaderBytes(bytes))
    let window = ByteWindow(ByteReader(MemoryStream(bytes, name: "window")))
    let inWindow = try PCMHeader(HeaderBytes(window, name: "window", byteCount: bytes.count))
    #expect(inMemory.declared == inWindow.declared)
    #expect(inMemory.dataOffset == inWindow.dataOffset)
    return inMemory.declared
  }

  @Test func `one place decides whether the size of WAV's samples is known`() throws {
    #expect(try declared(wave(data: 400)) == .bytes(400))
    #expect(try declared(wave(data: 0)) == .bytes(0))
    for mark in [0xffff_ffff, 0xffff_ffd3, 0x7fff_ff00, 0x7fff_ffff, 0x8000_0000, 0x8000_0024] {
      #expect(try declared(wave(data: mark)) == .unknown)
      // A file may really have so many bytes.
      let bytes = wave(data: mark)
      let file = folder.write("large.wav", bytes)
      #expect(truncate(file, off_t(bytes.count + mark)) == 0)
      let descriptor = open(file, O_RDONLY)
      defer { close(descriptor) }
      let large = try #require(FileBytes(descriptor))
      #expect(try PCMHeader(HeaderBytes(large)).declared == .bytes(mark))
    }
    // No writer leaves these numbers.
    for size in [0x7000_0000, 0x9000_0000, 3_000_000_000] {
      #expect(try declared(wave(data: size)) == .bytes(size))
    }
    for id in ["RF64", "BW64", "RIFF"] {
      let long = wave(id, data: 0xffff_ffff, ds64: [1 << 34, 1 << 33, 1 << 31])
      #expect(try declared(long) == .bytes(1 << 33))
      #expect(try declared(wave(id, data: 0xffff_ffff, ds64: [0, -1, 0])) == .unknown)
    }
  }

  @Test func `a size of 0 is no known size in any format`() throws {
    let rest = samples(100)
    for bytes in [
      wave(data: 0, rest), wave("RIFX", data: 0, isBig: true, rest), w64(data: 24, rest),
      caf(data: 4, rest), au(".snd", size: 0, isBig: true, rest),
      au("dns.", size: 0, isBig: false, rest),
    ] {
      let header = try PCMHeader(HeaderBytes(bytes))
      #expect(header.declared == .bytes(0))
      #expect(header.dataByteCount == nil)
    }
    #expect(try declared(caf(data: -1, rest)) == .toEnd)
    #expect(try declared(au(".snd", size: 0xffff_ffff, isBig: true, rest)) == .toEnd)
  }

  @Test(arguments: ["RIFX", "dns.", "W64"])
  func `a wrong size gives the whole sound, in the byte order of the header`(_ name: String) throws
  {
    let rest = samples(5000)
    let bytes =
      switch name {
      case "RIFX": wave("RIFX", riff: 36, data: 0, isBig: true, rest)
      case "dns.": au("dns.", size: 0, isBig: false, rest)
      default: w64(data: 0, rest)
      }
    let path = folder.write("wrong.sound", bytes)
    let source = try FileSource.open(path)
    #expect(try readAll(source)[0].count == 5000)
    #expect(source.frameCount == 5000)
    let finding = try SoundInspector.inspect(path, isExact: true)
    #expect(finding.properties.frameCount?.count == 5000)
  }

  @Test func `the largest size does not stop the program`() throws {
    for bytes in [w64(data: .max, samples(500)), caf(data: .max, samples(500))] {
      let path = folder.write("largest.sound", bytes)
      _ = try? readAll(FileSource.open(path))
      let finding = try SoundInspector.inspect(path, isExact: true)
      #expect(finding.properties.frameCount?.count == 500)
    }
  }

  @Test func `a chunk behind the samples of AIFF is no unknown content, whatever its size`() throws
  {
    for size in [4, 100, 0x1_4060] {
      let chunk = Self.join(
        Self.text("ab12"), Self.big(size, 4), [UInt8](repeating: 0x61, count: size))
      let source = try FileSource.open(folder.write("a.aiff", aiff(samples(2000), behind: chunk)))
      #expect(source.warnings == [])
      #expect(try readAll(source)[0].count == 2000)
    }
  }

  @Test(arguments: ["ulaw", "alaw", "ULAW", "ALAW"])
  func `a sample of AIFF's G.711 has a byte, whatever its header says`(_ coding: String) throws {
    // Writers give 16: the bits of the decoded samples.
    for bits in [8, 16] {
      let bytes = aiff(coding: coding, bits: bits, samples(1000))
      #expect(try PCMHeader(HeaderBytes(bytes)).frameByteCount == 2)
      // Without the decoder, as for a pipe.
      let stream = ByteReader(MemoryStream(bytes, name: "memory"))
      stream.readForwardOnly()
      let walker = try PCMWalker(stream)
      #expect(walker.properties.frameCount?.count == 2000)
    }
  }

  @Test func `the description of the channels of W64 is that of WAV`() throws {
    let format = Self.join(
      Self.format(tag: 0xfffe), Self.little(22, 2), Self.little(16, 2), Self.little(0x600, 4),
      Self.little(1, 2), [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71])
    let bytes = w64(format: format, data: 24 + 400, samples(100))
    let header = try PCMHeader(HeaderBytes(bytes))
    #expect(header.mask == 0x600)
    #expect(header.bitsPerSample == 16)
    #expect(header.declared == .bytes(400))
  }

  @Test func `a header behind the sound is refused with its own code`() {
    let bytes = Self.join(
      Self.text("RIFF"), Self.little(500, 4), Self.text("WAVEdata"), Self.little(400, 4),
      samples(100))
    #expect(ioError { _ = try PCMHeader(HeaderBytes(bytes)) }?.code == .headerAtEnd)
    for count in 0..<44 {
      let start = Array(wave(data: 400).prefix(count))
      #expect(ioError { _ = try PCMHeader(HeaderBytes(start)) }?.code == .truncated)
    }
  }
}
