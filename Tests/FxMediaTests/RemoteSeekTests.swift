import Foundation
import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// A seek in a file on a server reads the bytes there, and not those before, where their place is
/// known.
struct RemoteSeekTests {
  private let folder = TemporaryFolder()

  /// Counts the bytes that were read.
  private final class Server: ByteStream {
    let name = "server"
    private let memory: MemoryStream
    private(set) var readCount = 0
    init(_ bytes: [UInt8]) { memory = MemoryStream(bytes, name: "server") }
    var byteCount: Int? { memory.byteCount }
    var isCostly: Bool { true }
    func seek(to offset: Int) -> Bool { memory.seek(to: offset) }
    func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
      let got = memory.read(target, min(count, 1460))
      readCount += got
      return got
    }
  }

  private func check(_ bytes: [UInt8], limit: Int, tolerance: Float = 1e-5) throws {
    let whole = try readAll(FileSource.open(MemoryStream(bytes, name: "memory")))
    let length = whole[0].count
    try #require(length > 10_000)
    for frame in [length * 9 / 10, length - 3000, length / 2] {
      let server = Server(bytes)
      let source = try FileSource.open(server)
      try #require(source.isSeekable)
      try source.seek(toFrame: frame)
      let block = PlanarBuffer(channelCount: source.format.channelCount, frameCount: 2000)
      var done = 0
      while done < 2000 {
        let count = try source.read(into: block.channels, frameCount: 2000 - done)
        try #require(count > 0)
        let expected = whole[0][(frame + done)..<(frame + done + count)]
        let got = UnsafeBufferPointer(start: block[0], count: count)
        let difference = zip(got, expected).map { abs($0 - $1) }.max() ?? 1
        #expect(difference < tolerance, "frame \(frame) + \(done)")
        done += count
      }
      #expect(server.readCount < limit, "\(server.readCount) bytes read for frame \(frame)")
    }
  }

  private func sound(_ end: String, kilobits: Int? = nil) throws -> [UInt8] {
    let path = folder.file("whole.\(end)")
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: 44100, channelCount: 2),
      encoding: FileEncoding(
        depth: end == "mp3" ? nil : .int16, isDithered: false, kilobits: kilobits))
    let noise = Signal.noise(4_000_000, seed: 5).map { $0 / 4 }
    try writeAll([noise, noise.reversed()], to: sink)
    try sink.finish()
    return contents(path)
  }

  @Test(arguments: ["wav", "flac", "aiff"])
  func `a seek in a file without loss reads less than 600 kB`(_ end: String) throws {
    try check(sound(end), limit: 600_000)
  }

  @Test(arguments: [64, 128, 320])
  func `a seek in MPEG audio of a constant bit rate reads less than 300 kB`(_ kilobits: Int) throws
  {
    let bytes = try sound("mp3", kilobits: kilobits)
    try check(bytes, limit: 300_000)
    // Without its tag the length is unknown, and the places are the same.
    let tag = MPEGFramer(ByteReader(MemoryStream(bytes, name: "mp3")))
    try #require(tag.findFirst() != nil)
    let first = try #require(tag.peekFrame()?.1.count)
    try check(Array(bytes.dropFirst(tag.offset + first)), limit: 300_000)
  }

  @Test(.enabled(if: access("/usr/bin/ffmpeg", X_OK) == 0), arguments: ["aac", "alac"])
  func `a seek in MP4 reads less than three quarters of it, whichever end has the table`(
    _ codec: String
  ) throws {
    let sink = try FileSink.create(
      folder.file("tones.wav"), format: StreamFormat(sampleRate: 44100, channelCount: 2))
    try writeAll(tones([440, 554], frameCount: 3_000_000), to: sink)
    try sink.finish()
    for flags in [[], ["-movflags", "+faststart"]] {
      let made = folder.file("made.m4a")
      let output = try BuiltProgram.run(
        URL(filePath: "/usr/bin/ffmpeg"),
        ["-y", "-loglevel", "error", "-i", folder.file("tones.wav"), "-c:a", codec] + flags
          + [made])
      try #require(output.status == 0, "\(output.text)")
      let bytes = contents(made)
      // AAC replaces quiet bands with noise, which is different each time.
      try check(bytes, limit: bytes.count * 3 / 4, tolerance: codec == "aac" ? 0.01 : 1e-5)
    }
  }
}
