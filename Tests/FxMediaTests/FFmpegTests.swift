import Foundation
import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

private let hasFFmpeg = access("/usr/bin/ffmpeg", X_OK) == 0

/// Formats that fxrun decodes with the program ffmpeg, where it is installed.
@Suite(.enabled(if: hasFFmpeg)) struct FFmpegTests {
  private let folder = TemporaryFolder()

  /// A second of tones in a format.
  private func file(_ name: String, _ options: [String] = []) throws -> String {
    let wav = folder.file("source.wav")
    let sink = try FileSink.create(
      wav, format: StreamFormat(sampleRate: 44100, channelCount: 2),
      encoding: FileEncoding(depth: .int16, isDithered: false))
    try writeAll(tones([440, 660], frameCount: 44100), to: sink)
    try sink.finish()
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
    program.arguments =
      ["-v", "error", "-nostdin", "-y", "-i", wav] + options + [folder.file(name)]
    try program.run()
    program.waitUntilExit()
    return folder.file(name)
  }

  @Test func `a lossless MP4 file gives the samples that went in`() throws {
    let source = try FileSource.open(try file("a.m4a", ["-c:a", "alac"]))
    #expect(source.format == StreamFormat(sampleRate: 44100, channelCount: 2))
    let isSame =
      try readAll(source) == readAll(try FileSource.open(folder.file("source.wav")))
    #expect(isSame)
    #expect(source.warnings == [])
  }

  @Test(arguments: [true, false])
  func `chapters of an MP4 file are read from its track of texts and from its list`(
    _ hasTrack: Bool
  ) throws {
    let meta = folder.file("chapters.txt")
    try Data(
      """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=400
      title=Intro
      [CHAPTER]
      TIMEBASE=1/1000
      START=400
      END=1000
      title=Über das Wetter

      """.utf8
    ).write(to: URL(fileURLWithPath: meta))
    let path = try file("a.m4a", ["-i", meta, "-map_metadata", "1", "-map_chapters", "1"])
    if !hasTrack {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let place = try #require(bytes.range(of: Data("tref".utf8)))
      bytes.replaceSubrange(place, with: Data("free".utf8))
      try bytes.write(to: URL(fileURLWithPath: path))
    }
    let chapters = SoundInspector.tags(of: path).chapters
    #expect(chapters.map(\.title) == ["Intro", "Über das Wetter"])
    #expect(chapters.map(\.start) == [0, 0.4])
    #expect(chapters.map(\.end) == (hasTrack ? [0.4, 1] : [nil, nil]))
  }

  @Test func `AAC has the length of its input, also in its packets`() throws {
    let path = try file("a.m4a")
    let source = try FileSource.open(path)
    let sound = try readAll(source)
    #expect(sound[0].count == 44100)
    let info = try SoundInspector.inspect(path, isExact: false).properties
    #expect(info.codec == "AAC")
    #expect(info.frameCount == .init(count: 44100, certainty: .declared))
    #expect(info.encoderDelay == 1024)
    let error = zip(sound[0][4000..<40000], tones([440], frameCount: 44100)[0][4000...])
      .map { abs($0 - $1) }.max()
    #expect(try #require(error) < 0.05)
  }

  @Test func `seeking back and forward gives the same samples as playing there`() throws {
    let path = try file("a.m4a")
    let whole = try readAll(try FileSource.open(path))
    let source = try FileSource.open(path)
    for frame in [30000, 100, 44000, 0] {
      try source.seek(toFrame: frame)
      let isSame = try readAll(source) == whole.map { Array($0[frame...]) }
      #expect(isSame)
    }
  }

  @Test func `a pipe is read as the file is`() throws {
    for name in ["a.m4a", "a.mka", "a.aac"] {
      let path = try file(name)
      let feeder = PipeFeeder(contents(path), chunk: 777)
      let piped = try readAll(try FileSource.open(descriptor: feeder.readEnd, name: "pipe"))
      let isSame = try piped == readAll(try FileSource.open(path))
      #expect(isSame)
      #expect(piped[0].count > 40000)
    }
  }

  @Test func `bytes that are pushed yield the same sound and all packets`() throws {
    let path = try file("a.m4a", ["-movflags", "+faststart"])
    let bytes = contents(path)
    var frames = 0
    var packets: [SoundPacket] = []
    for isDecoded in [true, false] {
      let pushed = PushedBytes(name: "a", byteCount: nil)
      var pause = try pushed.start { bytes in
        isDecoded
          ? StreamReading.decode(bytes, hint: nil) { Issue.record($0) }
          : StreamReading.walk(bytes, hint: nil, byteCount: nil) { Issue.record($0) }
      }
      var pieces = stride(from: 0, to: bytes.count, by: 1000).map { bytes[$0...].prefix(1000) }
      while true {
        switch pause {
        case .event(.audio(_, let channels)): frames += channels[0].count
        case .event(.packet(let packet)): packets.append(packet)
        case .event: break
        case .needsBytes where !pieces.isEmpty:
          pause = pushed.push(Array(pieces.removeFirst()))
          continue
        case .needsBytes:
          pause = pushed.finish()
          continue
        case .ended: break
        }
        if case .ended = pause { break }
        pause = pushed.resume()
      }
      pushed.cancel()
    }
    #expect(frames == 44100)
    #expect(packets.last.map { $0.frame + $0.frameCount } == 44100)
  }

  @Test func `a damaged file is an error or a warning`() throws {
    let path = try file("a.m4a")
    var bytes = contents(path)
    for index in 2000..<4000 { bytes[index] = 0x5a }
    let damaged = folder.write("damaged.m4a", bytes)
    let source = try FileSource.open(damaged)
    #expect(try readAll(source)[0].count > 10000)
    #expect(source.warnings.first?.hasPrefix("ffmpeg reports: ") == true)
    let cut = folder.write("cut.m4a", Array(contents(path).prefix(300)))
    #expect(ioError { _ = try FileSource.open(cut) }?.code == .damaged)
  }
}
