@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

struct ByteReaderTests {
  private let folder = TemporaryFolder()
  private let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }

  private func rest(_ reader: ByteReader) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 777)
    while true {
      let got = chunk.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { reader.read($0, buffer.count) } ?? -1
      }
      if got <= 0 { return all }
      all += chunk[..<got]
    }
  }

  @Test func `a file and memory give the same bytes from any place`() throws {
    let streams: [any ByteStream] = [
      try openStream(path: folder.write("a", bytes)), MemoryStream(bytes, name: "memory"),
    ]
    for stream in streams {
      let reader = ByteReader(stream)
      #expect(reader.byteCount == bytes.count)
      #expect(try reader.peek(at: 500, 4) == Array(bytes[500..<504]))
      #expect(reader.offset == 0)
      for place in [70000, 0, 99_999, 12] {
        #expect(reader.seek(to: place))
        #expect(rest(reader) == Array(bytes[place...]))
        #expect(reader.offset == bytes.count)
      }
    }
  }

  @Test func `a pipe goes back within the bytes that were peeked at, and no further`() throws {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    _ = bytes.withUnsafeBytes { write(ends[1], $0.baseAddress, 5000) }
    close(ends[1])
    let reader = ByteReader(stream(descriptor: ends[0], name: "pipe", isOwner: true))
    #expect(!reader.isSeekable && reader.byteCount == nil)
    #expect(try reader.peek(3000) == Array(bytes[..<3000]))
    var chunk = [UInt8](repeating: 0, count: 1000)
    _ = chunk.withUnsafeMutableBytes { $0.baseAddress.map { reader.read($0, 1000) } }
    #expect(reader.seek(to: 10))
    #expect(rest(reader) == Array(bytes[10..<5000]))
    #expect(!reader.seek(to: 0))
  }

  @Test func `memory is decoded like a file`() throws {
    let sound = contents(Fixture.audio("mono-vbr.mp3"))
    #expect(
      try readAll(try FileSource.open(MemoryStream(sound, name: "memory")))
        == readAll(try FileSource.open(Fixture.audio("mono-vbr.mp3"))))
  }

  @Test func `each kind has a unique name, and signatures take precedence over guesses`() {
    let names = DecoderCatalogue.kinds.map(\.name)
    #expect(Set(names).count == names.count)
    let starts: [(String, String)] = [
      ("RIFF....WAVE", "WAV"), ("RIFF....AVI ", "AVI"), ("fLaC", "FLAC"), ("FORM", "AIFF"),
      ("OggS" + String(repeating: ".", count: 24) + "OpusHead", "Opus"),
      ("OggS" + String(repeating: ".", count: 24) + "\u{1}vorbis", "Ogg Vorbis"),
      ("OggS" + String(repeating: ".", count: 24) + "\u{7f}FLAC", "Ogg FLAC"),
      ("OggS" + String(repeating: ".", count: 24) + "Speex", "Ogg"), ("ID3", "MPEG audio"),
      ("hello", "unknown"),
    ]
    for (start, name) in starts {
      #expect(DecoderCatalogue.kind(of: Array(start.utf8))?.name == name)
    }
  }
}
