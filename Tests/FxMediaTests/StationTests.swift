import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// Radio stations: titles among the bytes, and no end.
struct StationTests {
  private let folder = TemporaryFolder()

  /// Ten seconds, 192 000 bytes a second.
  private func wav() throws -> [UInt8] {
    let path = folder.file("whole.wav")
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: 48000, channelCount: 2),
      encoding: FileEncoding(depth: .int16, isDithered: false))
    try writeAll(tones([440, 550], frameCount: 480_000, sampleRate: 48000), to: sink)
    try sink.finish()
    return contents(path)
  }

  /// Titles by the number of the interval that they follow.
  static func mixed(_ bytes: [UInt8], every interval: Int, _ titles: [Int: [UInt8]]) -> [UInt8] {
    var mixed: [UInt8] = []
    for (index, start) in stride(from: 0, to: bytes.count, by: interval).enumerated() {
      let sound = bytes[start..<min(start + interval, bytes.count)]
      mixed += sound
      guard sound.count == interval else { break }
      let text = titles[index] ?? []
      mixed.append(UInt8((text.count + 15) / 16))
      mixed += text + [UInt8](repeating: 0, count: (text.count + 15) / 16 * 16 - text.count)
    }
    return mixed
  }

  private func settings() -> StreamSettings {
    var settings = StreamSettings()
    settings.limits.pause = 0.01
    // Long enough even while another test uses all processors.
    settings.limits.idle = 20
    return settings
  }

  @Test(arguments: [1, 16, 7777, 16000])
  func `titles are taken out of the sound and have their time`(_ interval: Int) throws {
    let bytes = interval < 100 ? Array(try wav()[..<200_044]) : try wav()
    let index = 192_000 / interval
    let mixed = Self.mixed(
      bytes, every: interval,
      [
        0: Array("StreamTitle='First';".utf8),
        index: Array("StreamTitle='Don't; stop';StreamUrl='http://x';".utf8),
      ])
    let server = try LoopbackServer { request in
      request.earlierCount > 0
        ? [.text("HTTP/1.1 404 Gone\nContent-Length: 0\nConnection: close\n\n")]
        : [
          .text("ICY 200 OK\nicy-name:Test FM\nicy-genre: Noise\nicy-br:1536\n"),
          .text("icy-metaint:\(interval)\n\n"), .bytes(mixed),
        ]
    }
    defer { server.stop() }
    let settings = settings()
    let source = try FileSource.open(server.address("/live"), nil, settings)
    #expect(source.isUnending)
    let sound = try readAll(source)
    #expect(try sound == readAll(FileSource.open(MemoryStream(bytes, name: "memory"))))
    #expect(server.requests.first?.headers["icy-metadata"] == "1")
    let news = settings.news.take()
    #expect(news.first?.message == "is the station 'Test FM', Noise, 1536 kb/s")
    let titles = news.filter { $0.kind == .title }
    #expect(titles.map(\.title) == ["First", "Don't; stop"])
    let due = Double((index + 1) * interval - 44) / 192_000
    #expect(titles.count == 2 && abs((titles[1].seconds ?? 0) - due) < 0.1)
    // fxrun may ask the server again before or after the reader reaches the last title.
    let gaps = news.filter { $0.kind == .gap }
    #expect(gaps.map { $0.message.contains("has ended: not found") } == [true])
  }

  @Test func `fxrun connects again to a station that closes the connection, and reports the gap`()
    throws
  {
    let bytes = contents(Fixture.audio("mono-vbr.mp3"))
    let server = try LoopbackServer { request in
      request.earlierCount > 1
        ? [.text("HTTP/1.1 404 Gone\nContent-Length: 0\nConnection: close\n\n")]
        : [.text("HTTP/1.0 200 OK\nicy-name: Test FM\n\n"), .bytes(bytes)]
    }
    defer { server.stop() }
    let settings = settings()
    let source = try FileSource.open(server.address("/live"), nil, settings)
    let count = try readAll(source)[0].count
    let once = try readAll(FileSource.open(MemoryStream(bytes, name: "memory")))[0].count
    #expect(count > once * 3 / 2)
    let kinds = settings.news.take().map(\.kind)
    #expect(kinds == [.station, .reconnecting, .gap, .reconnecting, .gap])
  }

  @Test func `the bytes of a stream are kept without its titles`() throws {
    let bytes = try wav()
    let mixed = Self.mixed(bytes, every: 5000, [3: Array("StreamTitle='x';".utf8)])
    let server = try LoopbackServer { request in
      request.earlierCount > 0
        ? [.text("HTTP/1.1 404 Gone\nContent-Length: 0\nConnection: close\n\n")]
        : [.text("ICY 200 OK\nicy-metaint: 5000\n\n"), .bytes(mixed)]
    }
    defer { server.stop() }
    var settings = settings()
    let recording = try StreamRecording(folder.file("kept.wav"))
    settings.recording = recording
    _ = try readAll(FileSource.open(server.address("/live"), nil, settings))
    #expect(try recording.finish() == nil)
    #expect(contents(folder.file("kept.wav")) == bytes)
  }

  @Test func `an unfinished download is kept as a partial file`() throws {
    let bytes = try wav()
    let server = try LoopbackServer { request in
      [LoopbackServer.file(bytes, request)[0], .bytes(Array(bytes[..<400_000])), .pause(10)]
    }
    defer { server.stop() }
    var settings = settings()
    let recording = try StreamRecording(folder.file("kept.wav"))
    settings.recording = recording
    let source = try FileSource.open(server.address("/file"), nil, settings)
    #expect(!source.isSeekable)
    let block = PlanarBuffer(channelCount: 2, frameCount: 500)
    _ = try source.read(into: block.channels, frameCount: 500)
    source.interrupt()
    let remark = try recording.finish()
    #expect(remark?.contains("kept.partial.wav") == true)
    #expect(folder.names.contains("kept.partial.wav"))
    #expect(!folder.names.contains("kept.wav"))
  }

  @Test(arguments: [
    ("StreamTitle='a';", "a"), ("StreamTitle='';", ""), ("StreamUrl='x';", nil),
    ("StreamTitle='It's; here';StreamUrl='';", "It's; here"), ("StreamTitle='cut", "cut"),
    ("StreamTitle='no semicolon'", "no semicolon"), ("StreamTitle='a';b';", "a';b"),
    ("StreamUrl='';StreamTitle='second';", "second"),
  ])
  func `a title ends where its value does`(_ block: String, _ title: String?) {
    #expect(ICYMetadata.title(Array(block.utf8) + [0, 0]) == title)
  }

  @Test func `titles in Latin letters are read, and control characters are not shown`() {
    #expect(
      ICYMetadata.title(Array("StreamTitle='".utf8) + [0x4d, 0xfc, 0x80, 0x1b] + Array("';".utf8))
        == "Mü€")
  }
}
