import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

struct BadInputTests {
  private let folder = TemporaryFolder()

  private func failure(_ path: String) -> Failure? {
    ioError { _ = try FileSource.open(path) }
  }

  @Test func `a buffer for a wide sound has few frames`() {
    let frames = [0, 1, 2, 65_535, 1 << 21].map {
      PlanarBuffer(channelCount: $0, atMost: 8192).frameCount
    }
    #expect(frames == [8192, 8192, 8192, 16, 1])
  }

  /// Formats that fxrun does not decode itself need this program.
  private let hasFFmpeg = access("/usr/bin/ffmpeg", X_OK) == 0

  @Test func `each kind of bad input has a code and a message of its own`() throws {
    let wav = folder.file("good.wav")
    let sink = try FileSink.create(wav, format: StreamFormat(sampleRate: 44100, channelCount: 1))
    try writeAll([Array(repeating: 0.5, count: 5000)], to: sink)
    try sink.finish()
    var noise: [UInt8] = []
    var seed: UInt64 = 1
    for _ in 0..<100_000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      noise.append(UInt8(truncatingIfNeeded: seed >> 56))
    }
    let cases: [(String, FailureCode)] = [
      (folder.file("nothing.mp3"), .notFound),
      (folder.file("good.wav/inside.wav"), .notFound),
      (folder.path, .isDirectory),
      (folder.write("empty.mp3", []), .empty),
      (folder.write("one.mp3", [0xff]), .notAudio),
      (folder.write("text.mp3", Array("{ \"version\": 1, \"chain\": [] }\n".utf8)), .notAudio),
      (folder.write("noise.mp3", noise), .notAudio),
      (folder.write("zeros.wav", Array(repeating: 0, count: 5000)), .notAudio),
      (folder.write("header.wav", Array(contents(wav)[0..<30])), .truncated),
      (
        folder.write("start.mp3", Array(contents(Fixture.audio("mono-vbr.mp3"))[0..<100])),
        .truncated
      ),
      (folder.write("cut.flac", Array("fLaC".utf8) + [0, 0, 0, 34]), .truncated),
      (
        folder.write("video.mp4", [0, 0, 0, 24] + Array("ftypisom".utf8) + noise),
        hasFFmpeg ? .damaged : .unsupportedFormat
      ),
      (folder.write("notes.mid", Array("MThd".utf8) + noise), .unsupportedFormat),
      ("bad\0name.wav", .notFound),
      (String(repeating: "x", count: 5000), .notFound),
    ]
    var messages: Set<String> = []
    for (path, code) in cases {
      let error = failure(path)
      #expect(error?.code == code, "\(path.prefix(60)): \(error?.description ?? "opened")")
      messages.insert(error?.message ?? "")
    }
    #expect(messages.count >= 9)
  }

  @Test(.enabled(if: getuid() != 0, "root reads every file"))
  func `a file without read permission is reported as such`() throws {
    let path = folder.write("secret.mp3", contents(Fixture.audio("mono-vbr.mp3")))
    chmod(path, 0)
    #expect(failure(path)?.code == .unreadable)
  }

  @Test func `error numbers of the system become codes`() {
    #expect(Failure.reading("a", errno: EACCES).code == .unreadable)
    #expect(Failure.reading("a", errno: ENOENT).code == .notFound)
    #expect(Failure.reading("a", errno: EIO).description.hasPrefix("a: cannot be read: "))
    #expect(Failure.writing("a", errno: ENOSPC).code == .diskFull)
    #expect(Failure.writing("a", errno: EROFS).code == .unwritable)
    #expect(Failure.writing("a", errno: EISDIR).code == .isDirectory)
  }

  @Test func `a truncated WAV file gives its remaining frames with a warning`() throws {
    let path = folder.file("good.wav")
    let sink = try FileSink.create(path, format: StreamFormat(sampleRate: 44100, channelCount: 1))
    try writeAll([Array(repeating: 0.5, count: 5000)], to: sink)
    try sink.finish()
    let cut = folder.write("cut.wav", Array(contents(path).dropLast(10000)))
    let source = try FileSource.open(cut)
    #expect(try readAll(source)[0] == Array(repeating: 0.5, count: 2500))
    #expect(source.warnings.count == 1)
    #expect(source.warnings.first?.hasPrefix("truncated") == true)
  }

  @Test func `a truncated FLAC file gives its remaining frames with a warning`() throws {
    let path = folder.file("good.flac")
    let sink = try FileSink.create(path, format: StreamFormat(sampleRate: 44100, channelCount: 1))
    try writeAll(tones([440], frameCount: 40000), to: sink)
    try sink.finish()
    let whole = contents(path)
    let source = try FileSource.open(folder.write("cut.flac", Array(whole[0..<(whole.count / 2)])))
    let sound = try readAll(source)[0]
    #expect(sound.count > 8000 && sound.count < 40000)
    #expect(
      source.warnings == [
        "truncated at \(clockSeconds(sound.count, 44100)): the sound should last 0.91 s"
      ])
  }

  @Test(arguments: ["wav", "aiff", "w64", "rf64", "au"])
  func `a truncated uncompressed file has a warning, and a whole one has none`(
    _ end: String
  ) throws {
    let path = folder.file("good.\(end)")
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: 44100, channelCount: 1),
      encoding: FileEncoding(depth: .int16))
    try writeAll([Array(repeating: 0.5, count: 5001)], to: sink)
    try sink.finish()
    let good = try FileSource.open(path)
    #expect(try readAll(good)[0].count == 5001)
    #expect(good.warnings == [])
    let source = try FileSource.open(
      folder.write("cut.\(end)", Array(contents(path).dropLast(5000))))
    let count = try readAll(source)[0].count
    #expect(count > 2400 && count <= 2510)
    #expect(
      source.warnings == [
        "truncated: the file ends before its header says; reading what is there"
      ])
  }

  @Test func `headers with any byte changed open or fail, and never trap`() throws {
    let path = folder.file("good.wav")
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: 44100, channelCount: 2),
      encoding: FileEncoding(depth: .int16))
    try writeAll(tones([440, 550], frameCount: 300), to: sink)
    try sink.finish()
    let wav = contents(path)
    let mp3 = Array(contents(Fixture.audio("mono-vbr.mp3"))[0..<2500])
    for (name, bytes) in [("wav", wav), ("mp3", mp3)] {
      for index in 0..<80 {
        for value in [0, 0x7f, 0xff] as [UInt8] {
          var changed = bytes
          changed[index] = value
          let file = folder.write("changed.\(name)", changed)
          guard let source = try? FileSource.open(file) else { continue }
          _ = try? readAll(source, block: 4096)
        }
      }
    }
  }

  @Test func `one file under two names is the same`() throws {
    let path = folder.write("a.mp3", [1, 2, 3])
    symlink(path, folder.file("link.mp3"))
    link(path, folder.file("hard.mp3"))
    #expect(isSameFile(path, folder.file("link.mp3")))
    let folderName = folder.path.split(separator: "/").last ?? ""
    #expect(isSameFile(folder.file("hard.mp3"), "/tmp/../tmp/\(folderName)/a.mp3"))
    #expect(!isSameFile(path, folder.write("b.mp3", [1, 2, 3])))
    #expect(!isSameFile(folder.file("none"), folder.file("none")))
  }
}
