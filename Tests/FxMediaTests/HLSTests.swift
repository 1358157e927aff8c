import Foundation
import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

private let hasFFmpeg = access("/usr/bin/ffmpeg", X_OK) == 0

/// HLS playlists: which of their lists is read, and the sound of their segments.
struct HLSTests {
  private let folder = TemporaryFolder()

  private func list(_ text: String) throws -> HLSPlaylist {
    try #require(HLSPlaylist(Playlist.lines(Array(text.utf8)[...])))
  }

  @Test func `the best sound of a master playlist is taken`() throws {
    let videos = """
      #EXTM3U
      #EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS="avc1.42e00a,mp4a.40.2"
      low.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.42e00a,mp4a.40.2",AUDIO="a"
      high.m3u8
      """
    #expect(try list(videos).variant == "high.m3u8")
    let group = """
      \(videos)
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="b",NAME="x, y",DEFAULT=YES,URI="other.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="fr",DEFAULT=NO,URI="fr.m3u8"
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",DEFAULT=YES,URI="en.m3u8"
      """
    #expect(try list(group).variant == "en.m3u8")
    let sounds = """
      \(videos)
      #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
      a64.m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
      a128.m3u8
      """
    #expect(try list(sounds).variant == "a128.m3u8")
  }

  @Test func `a list of segments has a length, and ends unless it is live`() throws {
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6.0,\na.ts\n#EXTINF:2.5,x\nb.ts\n"
    let live = try list(text)
    #expect(live.variant == nil && live.seconds == 8.5 && live.targetSeconds == 6)
    #expect(!live.isFinished)
    #expect(try list(text + "#EXT-X-ENDLIST\n").isFinished)
    #expect(HLSPlaylist(["#EXTM3U", "#EXTINF:1,A", "a.mp3"]) == nil)
  }

  /// Three seconds of a tone in segments of a second, by ffmpeg.
  private func segments(_ options: [String]) throws {
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
    program.currentDirectoryURL = folder.url
    program.arguments =
      ["-v", "error", "-f", "lavfi", "-i", "sine=440:d=3:r=44100", "-c:a", "aac", "-f", "hls"]
      + ["-hls_time", "1", "-hls_playlist_type", "vod"] + options + ["list.m3u8"]
    try program.run()
    program.waitUntilExit()
    #expect(program.terminationStatus == 0)
  }

  private func open(_ name: String) throws -> any AudioSource {
    try FileSource.open(name, nil, StreamSettings())
  }

  /// A server with the files of the folder.
  private func server(
    _ change: @escaping @Sendable (LoopbackServer.Request) -> [UInt8]? = { _ in nil }
  ) throws -> LoopbackServer {
    let folder = folder
    return try LoopbackServer { request in
      let path = folder.file(String(request.path.dropFirst()))
      guard
        let bytes = change(request) ?? FileManager.default.contents(atPath: path).map(Array.init)
      else { return [.text("HTTP/1.1 404 No\nContent-Length: 0\nConnection: close\n\n")] }
      let type = path.hasSuffix(".m3u8") ? "application/vnd.apple.mpegurl" : "video/mp2t"
      return [
        .text(
          "HTTP/1.1 200 OK\nContent-Type: \(type)\nContent-Length: \(bytes.count)\n"
            + "Connection: close\n\n"), .bytes(bytes),
      ]
    }
  }

  @Test(
    .enabled(if: hasFFmpeg, "ffmpeg is not installed"),
    arguments: [["-hls_segment_type", "mpegts"], ["-hls_segment_type", "fmp4"]])
  func `segments of both kinds are one sound, from a server and from a folder`(
    _ options: [String]
  ) throws {
    try segments(options)
    let local = try open(folder.file("list.m3u8"))
    #expect(local.format.sampleRate == 44100 && !local.isUnending && local.isStreamed)
    let sound = try readAll(local)
    #expect(sound.count == 1 && (132_300...135_000).contains(sound[0].count))
    folder.write(
      "master.m3u8",
      Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2\"\nlist.m3u8\n".utf8))
    #expect(try readAll(open(folder.file("master.m3u8"))) == sound)
    let server = try server()
    defer { server.stop() }
    for name in ["/list.m3u8", "/master.m3u8"] {
      #expect(try readAll(open(server.address(name))) == sound)
    }
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
  func `a sound that lacks a segment is an error after the rest of it`() throws {
    try segments([])
    let server = try server()
    defer { server.stop() }
    unlink(folder.file("list1.ts"))
    for name in [server.address("/list.m3u8"), folder.file("list.m3u8")] {
      let source = try open(name)
      let error = ioError { _ = try readAll(source) }
      #expect(error?.code == .truncated && error?.path == name)
      #expect(error?.message.contains("1 of its segments could not be loaded") == true)
    }
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
  func `a segment without sound is an error after the rest, whatever the list says about lengths`()
    throws
  {
    try segments([])
    folder.write("list1.ts", Array("<html>".utf8))
    let text = String(decoding: contents(folder.file("list.m3u8")), as: UTF8.self)
    let long = text.replacing(/#EXT-X-TARGETDURATION:\d+/, with: "#EXT-X-TARGETDURATION:100")
    folder.write("long.m3u8", Array(long.utf8))
    for name in ["list.m3u8", "long.m3u8"] {
      let source = try open(folder.file(name))
      let error = ioError { _ = try readAll(source) }
      #expect(error?.code == .truncated)
    }
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
  func `a live stream grows until it is finished, and a stalled one ends with a warning`() throws {
    try segments([])
    let text = String(decoding: contents(folder.file("list.m3u8")), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init).filter {
      !$0.hasPrefix("#EXT-X-PLAYLIST-TYPE") && !$0.hasPrefix("#EXT-X-ENDLIST")
    }
    let place = try #require(lines.lastIndex(of: "list1.ts"))
    let early = lines[...place].joined(separator: "\n") + "\n"
    let late = lines.joined(separator: "\n") + "\n#EXT-X-ENDLIST\n"
    let growing = try server { request in
      request.path == "/list.m3u8" ? Array((request.earlierCount < 3 ? early : late).utf8) : nil
    }
    defer { growing.stop() }
    let source = try open(growing.address("/list.m3u8"))
    #expect(source.isUnending)
    #expect(try readAll(source)[0].count > 130_000)
    #expect(source.warnings == [])
    let stalled = try server { $0.path == "/list.m3u8" ? Array(early.utf8) : nil }
    defer { stalled.stop() }
    var settings = StreamSettings()
    settings.limits.limitWaits(to: 1)
    let halted = try FileSource.open(stalled.address("/list.m3u8"), nil, settings)
    #expect((80_000...95_000).contains(try readAll(halted)[0].count))
    #expect(halted.warnings.count == 1 && halted.warnings[0].contains("the live stream has ended"))
  }

  @Test func `a list that ffmpeg cannot read is an error that says so`() throws {
    folder.write(
      "list.m3u8", Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nno.ts\n#EXT-X-ENDLIST".utf8)
    )
    let error = ioError { _ = try open(folder.file("list.m3u8")) }
    #expect(error?.path == folder.file("list.m3u8") && error?.message.contains("ffmpeg") == true)
  }

  @Test(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
  func `a list from a server names no file of this machine`() throws {
    try segments([])
    let text = String(decoding: contents(folder.file("list.m3u8")), as: UTF8.self)
      .replacingOccurrences(of: "list0", with: "file:\(folder.path)/list0")
    let server = try server { $0.path == "/list.m3u8" ? Array(text.utf8) : nil }
    defer { server.stop() }
    let error = ioError { _ = try readAll(try open(server.address("/list.m3u8"))) }
    #expect(error != nil)
  }
}
