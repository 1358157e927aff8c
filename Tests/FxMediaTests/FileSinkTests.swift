import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

struct FileSinkTests {
  private let folder = TemporaryFolder()
  private let stereo = StreamFormat(sampleRate: 44100, channelCount: 2)

  @Test func `a file takes its name only when it is complete`() throws {
    let path = folder.write("a.wav", [1, 2, 3])
    chmod(path, 0o600)
    let sink = try FileSink.create(path, format: stereo)
    try writeAll(tones([440, 550], frameCount: 1000), to: sink)
    #expect(contents(path) == [1, 2, 3])
    #expect(folder.names.count == 2)
    #expect(folder.names.contains { $0.hasPrefix(".a.wav.") })
    try sink.finish()
    #expect(folder.names == ["a.wav"])
    #expect(try FileSource.open(path).frameCount == 1000)
    var status = stat()
    stat(path, &status)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `a link still points to its file`() throws {
    let path = folder.write("real.wav", [1])
    symlink(path, folder.file("link.wav"))
    let sink = try FileSink.create(folder.file("link.wav"), format: stereo)
    try writeAll(tones([440, 550], frameCount: 100), to: sink)
    try sink.finish()
    var status = stat()
    lstat(folder.file("link.wav"), &status)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    #expect(try FileSource.open(path).frameCount == 100)
  }

  @Test(arguments: [("ogg", "Vorbis"), ("opus", "Opus")])
  func `more channels than an encoder supports are refused with its name`(
    _ end: String, _ name: String
  ) throws {
    let path = folder.file("a.\(end)")
    let error = ioError {
      _ = try FileSink.create(path, format: StreamFormat(sampleRate: 48000, channelCount: 256))
    }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message.hasPrefix("\(name) takes 255 channels, not 256") == true)
    #expect(folder.names.isEmpty)
    let widest = StreamFormat(sampleRate: 48000, channelCount: 255)
    let sink = try FileSink.create(path, format: widest)
    try writeAll(Array(repeating: Array(repeating: 0, count: 10), count: 255), to: sink)
    try sink.finish()
    #expect(folder.names == ["a.\(end)"])
  }

  @Test(arguments: ["wav", "flac", "aiff", "ogg", "caf"])
  func `an interrupted file stays under another name and can be read`(_ end: String) throws {
    let sink = try FileSink.create(folder.file("take.\(end)"), format: stereo)
    try writeAll(tones([440, 550], frameCount: 5000), to: sink)
    let partial = try sink.abandon(keepingPartial: true)
    #expect(partial == folder.file("take.partial.\(end)"))
    #expect(folder.names == ["take.partial.\(end)"])
    #expect(try readAll(try FileSource.open(partial ?? ""))[0].count == 5000)
  }

  @Test func `an abandoned file leaves nothing`() throws {
    for keeping in [true, false] {
      let empty = try FileSink.create(folder.file("empty.wav"), format: stereo)
      #expect(try empty.abandon(keepingPartial: keeping) == nil)
    }
    let sink = try FileSink.create(folder.file("a.flac"), format: stereo)
    try writeAll(tones([440, 550], frameCount: 5000), to: sink)
    #expect(try sink.abandon(keepingPartial: false) == nil)
    var forgotten: FileSink? = try FileSink.create(folder.file("b.wav"), format: stereo)
    #expect(forgotten?.name == folder.file("b.wav"))
    forgotten = nil
    #expect(folder.names == [])
  }

  @Test func `each bad target has a code of its own`() throws {
    mkdir(folder.file("sub.wav"), 0o755)
    let plain = folder.write("plain", [1])
    let cases: [(String, FailureCode)] = [
      (folder.file("sub.wav"), .isDirectory),
      (folder.file("none/a.wav"), .unwritable),
      ("\(plain)/a.wav", .unwritable),
      ("/proc/fxrun.wav", .unwritable),
      (folder.file("a.m4a"), .unsupportedFormat),
      (folder.file("a"), .unsupportedFormat),
      (folder.file("a.xyz"), .unsupportedFormat),
      ("", .unwritable),
      ("\(String(repeating: "x", count: 300)).wav", .unwritable),
    ]
    for (path, code) in cases {
      let error = ioError { _ = try FileSink.create(path, format: stereo) }
      #expect(error?.code == code, "\(path.prefix(40)): \(error?.description ?? "created")")
    }
    #expect(folder.names == ["plain", "sub.wav"])
  }

  @Test func `a setting that a format does not support is an error before anything is written`()
    throws
  {
    let float = FileEncoding(depth: .float32)
    let cases: [(String, StreamFormat, FileEncoding)] = [
      ("a.flac", stereo, float),
      ("a.flac", StreamFormat(sampleRate: 44100, channelCount: 9), FileEncoding()),
      ("a.opus", StreamFormat(sampleRate: 44100, channelCount: 2), FileEncoding()),
      ("a.wav", StreamFormat(sampleRate: .nan, channelCount: 2), FileEncoding()),
      ("a.wav", StreamFormat(sampleRate: 44100, channelCount: 0), FileEncoding()),
    ]
    for (name, format, encoding) in cases {
      let error = ioError {
        _ = try FileSink.create(folder.file(name), format: format, encoding: encoding)
      }
      #expect(error?.code == .unsupportedFormat, "\(name) \(format)")
    }
    #expect(folder.names == [])
  }

  @Test(
    .enabled(if: getuid() == 0, "mounting a small disk takes root"),
    arguments: ["wav", "flac", "aiff"])
  func `a full disk is an error and leaves nothing`(_ end: String) throws {
    let disk = folder.file("disk")
    mkdir(disk, 0o755)
    try #require(system("mount -t tmpfs -o size=64k tmpfs '\(disk)' 2>/dev/null") == 0)
    defer { _ = system("umount '\(disk)'") }
    var noise: [Float] = []
    var seed: UInt32 = 7
    for _ in 0..<100_000 {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      noise.append(Float(Int32(bitPattern: seed)) / 2_147_483_648)
    }
    let error = ioError {
      let sink = try FileSink.create(
        "\(disk)/a.\(end)", format: StreamFormat(sampleRate: 44100, channelCount: 1))
      defer { _ = try? sink.abandon(keepingPartial: false) }
      try writeAll([noise], to: sink)
      try sink.finish()
    }
    #expect(error?.code == .diskFull)
    #expect(system("test -z \"$(ls -A '\(disk)')\"") == 0)
  }

  @Test func `a device file is written in place`() throws {
    let sink = try FileSink.create("/dev/null", format: stereo)
    try writeAll(tones([440, 550], frameCount: 1000), to: sink)
    try sink.finish()
    let full = ioError {
      let sink = try FileSink.create("/dev/full", format: stereo)
      try writeAll(tones([440, 550], frameCount: 50000), to: sink)
      try sink.finish()
    }
    #expect(full?.code == .diskFull)
  }

  @Test func `a file too long for WAV becomes RF64`() throws {
    // The samples of a sparse file need not be written.
    let path = folder.file("long.wav")
    let descriptor = open(path, O_RDWR | O_CREAT, 0o644)
    let drain = ByteDrain(descriptor: descriptor, name: path, isOwner: true)
    let converter = SampleConverter(layout: .float32, channelCount: 2, isDithered: false)
    let encoder = WAVEncoder(drain, stereo, converter, expectedFrameCount: nil)
    encoder.skip(frameCount: 600_000_000)
    // The header is correct even if the process is killed here.
    #expect(encoder.refresh())
    #expect(try FileSource.open(path).frameCount == 600_000_000)
    #expect(FileBytes(descriptor)?.bytes(at: 0, 4).text(0) == "RF64")
    #expect(encoder.finish())
    let source = try FileSource.open(path)
    #expect(source.frameCount == 600_000_000)
    try source.seek(toFrame: 599_999_000)
    #expect(try readAll(source)[1].count == 1000)
  }

  @Test func `the unfinished file of a dead process is removed if it can be made again`() throws {
    // No process has this number.
    let stale = [".a.wav.4194999", ".a.wav.4194999.2"]
    let others = [".a.wav.1", ".a.wav.4194999.x", ".b.wav.4194999", ".a.wav."]
    for name in stale + others { folder.write(name, [1]) }
    let held = open(folder.write(".a.wav.4194998", [1]), O_RDONLY)
    flock(held, LOCK_SH)
    FileSink.removeStale(folder.file("a.wav"))
    let sink = try FileSink.create(folder.file("a.wav"), format: stereo)
    try writeAll(tones([440, 550], frameCount: 100), to: sink)
    try sink.finish()
    close(held)
    #expect(folder.names == (others + [".a.wav.4194998", "a.wav"]).sorted())
  }

  @Test func `a folder that accepts no files is not reported as missing`() {
    let error = ioError { _ = try FileSink.create("/proc/fxrun.wav", format: stereo) }
    #expect(error?.message == "no file can be made in that folder; write to another folder")
    let missing = ioError { _ = try FileSink.create(folder.file("no/a.wav"), format: stereo) }
    #expect(missing?.message == "its folder does not exist; create it first")
  }

  @Test(arguments: ["aiff", "au"])
  func `a sound too long for its format is refused before it is written`(_ end: String) throws {
    let wide = StreamFormat(sampleRate: 48000, channelCount: 256)
    let path = folder.file("a.\(end)")
    let sink = try FileSink.create(path, format: wide, encoding: FileEncoding(depth: .float32))
    let limit = (0xffff_ffff - 65536) / 1024
    try sink.check(limit)
    let error = ioError { try sink.check(limit + 1) }
    #expect(error?.message.hasPrefix("would be longer than 4 GB, the most that .\(end)") == true)
    try writeAll(Array(repeating: [0.5], count: 256), to: sink)
    // The sink reads no frame of this block.
    let block = PlanarBuffer(channelCount: 256, frameCount: 1)
    let late = ioError { try sink.write(block.readable, frameCount: limit) }
    #expect(late?.message.hasPrefix("has reached 4 GB") == true)
    // The frame that was written before is kept.
    #expect(try sink.abandon(keepingPartial: true) == folder.file("a.partial.\(end)"))
    let frameCount = try FileSource.open(folder.file("a.partial.\(end)")).frameCount
    #expect(frameCount == 1)
    for other in ["wav", "caf", "w64", "rf64", "flac"] {
      let channels = other == "flac" ? 2 : 256
      let sink = try FileSink.create(
        folder.file("b.\(other)"), format: StreamFormat(sampleRate: 48000, channelCount: channels))
      try sink.check(1 << 33)
    }
  }

  @Test(arguments: ["wav", "flac", "aiff", "caf", "w64", "rf64", "au"], [1, 3])
  func `the shortest file has no frame too many`(_ end: String, _ frameCount: Int) throws {
    let sink = try FileSink.create(folder.file("a.\(end)"), format: stereo)
    try writeAll(tones([440, 550], frameCount: frameCount), to: sink)
    try sink.finish()
    #expect(try readAll(try FileSource.open(folder.file("a.\(end)")))[0].count == frameCount)
  }
}
