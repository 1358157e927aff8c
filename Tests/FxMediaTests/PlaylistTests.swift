import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// Lists of files and addresses.
struct PlaylistTests {
  private let folder = TemporaryFolder()

  private func write(_ name: String, _ channels: [[Float]], rate: Double = 48000) throws {
    let sink = try FileSink.create(
      folder.file(name), format: StreamFormat(sampleRate: rate, channelCount: channels.count),
      encoding: FileEncoding(depth: .float32))
    try writeAll(channels, to: sink)
    try sink.finish()
  }

  private func open(_ name: String, _ settings: StreamSettings = StreamSettings()) throws
    -> any AudioSource
  {
    try FileSource.open(folder.file(name), nil, settings)
  }

  @Test(arguments: [
    ("list.m3u", "a.wav\nb.wav\n"),
    ("list.m3u8", "\u{feff}#EXTM3U\r\n#EXTINF:1,First\r\na.wav\r\n\r\n# remark\r\n./b.wav"),
    ("list.pls", "[playlist]\nFile2=b.wav\nFile1=a.wav\nTitle1=First\nNumberOfEntries=2\n"),
    (
      "list.xspf",
      "<?xml version=\"1.0\"?><!-- x --><playlist version=\"1\" xmlns=\"http://xspf.org/ns/0/\">"
        + "<title>all</title><trackList><track><location>a.wav</location><location>c.wav</location>"
        + "<title>Fir&#115;t</title></track><track><location><![CDATA[%62.wav]]></location></track>"
        + "</trackList></playlist>"
    ),
  ])
  func `entries are played one after the other without a gap`(
    _ name: String, _ text: String
  ) throws {
    let first = tones([440, 550], frameCount: 10_000)
    let second = tones([660, 770], frameCount: 7000)
    try write("a.wav", first)
    try write("b.wav", second)
    folder.write(name, Array(text.utf8))
    let settings = StreamSettings()
    let source = try open(name, settings)
    #expect(try readAll(source) == zip(first, second).map { $0 + $1 })
    #expect(source.warnings == [])
    let titles = settings.news.take().compactMap(\.title)
    #expect(titles == (text.contains("Fir") ? ["First"] : []))
  }

  @Test func `entries take the format of the first`() throws {
    try write("a.wav", tones([440, 550], frameCount: 9600, sampleRate: 48000))
    try write("b.wav", tones([441], frameCount: 44100), rate: 44100)
    folder.write("list.m3u", Array("a.wav\nb.wav\n".utf8))
    let sound = try readAll(open("list.m3u"))
    #expect(sound.map(\.count) == [9600 + 48000, 9600 + 48000])
    let expected = tones([441], frameCount: 48000, sampleRate: 48000)[0]
    let middle = 9600 + 1000..<9600 + 47000
    #expect(middle.allSatisfy { abs(sound[1][$0] - expected[$0 - 9600]) < 1e-4 })
  }

  @Test func `an entry that fails is reported and skipped`() throws {
    let sound = tones([440], frameCount: 5000)
    try write("a.wav", sound)
    folder.write("text.wav", Array("this is no sound".utf8))
    folder.write("list.m3u", Array("missing.wav\na.wav\ntext.wav\na.wav\n".utf8))
    let settings = StreamSettings()
    let source = try open("list.m3u", settings)
    #expect(try readAll(source) == [sound[0] + sound[0]])
    #expect(settings.news.take().filter { $0.kind == .skipped }.count == 2)
    #expect(source.warnings.count == 1)
  }

  @Test(arguments: [
    ("missing.wav\nmissing2.wav\n", "none of its 2 entries can be played"),
    ("#EXTM3U\n", "a playlist without entries"),
    ("list.m3u\n", "names itself"),
    ("ftp://host/a.mp3\n", "'ftp://host/a.mp3' is skipped"),
  ])
  func `a list without a playable entry is an error`(_ text: String, _ words: String) throws {
    folder.write("list.m3u", Array(text.utf8))
    let error = ioError { _ = try open("list.m3u") }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }

  @Test func `a list with too many entries is an error that gives their number`() throws {
    let text = (0..<20_000).map { "missing\($0).wav\n" }.joined()
    folder.write("list.m3u", Array(text.utf8))
    let error = ioError { _ = try open("list.m3u") }
    #expect(error?.message.contains("10000 entries at most, and this one 20000") == true)
  }

  @Test func `many entries that cannot be played are a few lines`() throws {
    let sound = tones([440], frameCount: 5000)
    try write("a.wav", sound)
    let dead = (0..<4000).map { "missing\($0).wav\n" }.joined()
    folder.write("list.m3u", Array("\(dead)a.wav\n\(dead)a.wav\n".utf8))
    let settings = StreamSettings()
    #expect(try readAll(open("list.m3u", settings)) == [sound[0] + sound[0]])
    let skipped = settings.news.take().filter { $0.kind == .skipped }
    #expect(skipped.count == 22)
    #expect(skipped[10].message.contains("3990 more entries cannot be played"))
  }

  @Test func `an entry that breaks off fails the list after its last entry`() throws {
    let sound = tones([440], frameCount: 5000)
    try write("a.wav", sound)
    let bytes = contents(folder.file("a.wav"))
    let server = try LoopbackServer { request in
      request.earlierCount == 0
        ? [
          .text("HTTP/1.1 200 OK\nContent-Length: \(bytes.count)\nConnection: close\n\n"),
          .bytes(Array(bytes[..<(bytes.count - 8000)])),
        ] : [.text("HTTP/1.1 403 No\nContent-Length: 0\nConnection: close\n\n")]
    }
    defer { server.stop() }
    folder.write("list.m3u", Array("\(server.address("/b.wav"))\na.wav\n".utf8))
    var settings = StreamSettings()
    settings.limits.pause = 0.01
    let source = try open("list.m3u", settings)
    let block = PlanarBuffer(channelCount: 1, frameCount: 1000)
    var count = 0
    let error = ioError {
      while case let got = try source.read(into: block.channels, frameCount: 1000), got > 0 {
        count += got
      }
    }
    #expect(count == 3000 + 5000)
    #expect(error?.message.contains("one of its entries broke off") == true)
    #expect(error?.message.contains("refuses to send it (403)") == true)
  }

  @Test func `lists that name each other are opened once each`() throws {
    let sound = tones([440], frameCount: 5000)
    try write("a.wav", sound)
    let many = String(repeating: "list.m3u\nother.m3u\n\(folder.file("list.m3u"))\n", count: 60)
    folder.write("list.m3u", Array((many + "a.wav\n").utf8))
    folder.write("other.m3u", Array((many + "a.wav\n").utf8))
    // Sixty times the other list, and the file.
    #expect(try readAll(open("list.m3u"))[0].count == 61 * 5000)
  }

  @Test func `lists are opened within lists up to four deep`() throws {
    try write("a.wav", tones([440], frameCount: 5000))
    for depth in 1...4 { folder.write("\(depth).m3u", Array("\(depth + 1).m3u\n".utf8)) }
    folder.write("5.m3u", Array("a.wav\n".utf8))
    #expect(try readAll(open("2.m3u"))[0].count == 5000)
    #expect(ioError { _ = try open("1.m3u") }?.message.contains("more than 4 deep") == true)
  }

  @Test func `a list from a server cannot name files of this machine`() throws {
    try write("a.wav", tones([440], frameCount: 5000))
    let path = folder.file("a.wav")
    let list = "#EXTM3U\n\(path)\nfile://\(path)\n../sounds/b.wav?x=1\n"
    let bytes = contents(path)
    let server = try LoopbackServer { request in
      switch request.path {
      case "/lists/list":
        [
          .text(
            "HTTP/1.1 200 OK\nContent-Type: audio/x-mpegurl; charset=utf-8\n"
              + "Connection: close\n\n"), .text(list),
        ]
      case "/lists/../sounds/b.wav", "/sounds/b.wav": LoopbackServer.file(bytes, request)
      default: [.text("HTTP/1.1 404 No\nContent-Length: 0\nConnection: close\n\n")]
      }
    }
    defer { server.stop() }
    let settings = StreamSettings()
    let source = try FileSource.open(server.address("/lists/list"), nil, settings)
    #expect(try readAll(source)[0].count == 5000)
    #expect(!server.requests.contains { $0.path.contains("etc") })
    #expect(settings.news.take().filter { $0.kind == .skipped }.count == 2)
  }

  @Test func `the next station plays where the first fails`() throws {
    let bytes = contents(Fixture.audio("mono-vbr.mp3"))
    let server = try LoopbackServer { request in
      request.path == "/good"
        ? [.text("HTTP/1.0 200 OK\nicy-name: good\n\n"), .bytes(bytes), .pause(5)]
        : [.text("HTTP/1.1 404 No\nContent-Length: 0\nConnection: close\n\n")]
    }
    defer { server.stop() }
    folder.write(
      "radio.pls",
      Array("[playlist]\nFile1=\(server.address("/bad"))\nFile2=\(server.address("/good"))\n".utf8))
    let source = try open("radio.pls")
    #expect(source.isUnending)
    let block = PlanarBuffer(channelCount: source.format.channelCount, frameCount: 500)
    #expect(try source.read(into: block.channels, frameCount: 500) > 0)
    source.interrupt()
  }

  @Test(arguments: [
    "<playlist><trackList><track>", "<playlist></trackList>", "<playlist>&x;</playlist>",
    "<!DOCTYPE a [<!ENTITY b \"c\">]><playlist></playlist>", "<playlist><!-- </playlist>",
    "<playlist>< ></playlist>",
  ])
  func `a damaged XSPF list is an error`(_ text: String) throws {
    folder.write("list.xspf", Array(text.utf8))
    let error = ioError { _ = try open("list.xspf") }
    #expect(error?.code == .damaged)
  }

  @Test(arguments: [
    ("b.mp3", "http://h:1/x/y/b.mp3"), ("/b.mp3", "http://h:1/b.mp3"), ("//g/b", "http://g/b"),
    ("https://g/b", "https://g/b"), ("b?c=d:e", "http://h:1/x/y/b?c=d:e"), ("file:///etc", nil),
    ("javascript:x", nil),
  ])
  func `an entry of a server's list is resolved against the list's address`(
    _ entry: String, _ target: String?
  ) {
    let base = HTTPAddress("http://h:1/x/y/list.m3u?q=/z")
    #expect(base?.resolving(entry)?.text == target)
    #expect(HTTPAddress("http://h")?.resolving("a")?.text == "http://h/a")
  }
}
