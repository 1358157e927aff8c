import FxTestSupport
import Glibc
import Testing

/// The ways in which a station or a file from a server ends after it has sent sound. That sound is
/// kept: a station's as a complete file, a file's as `NAME.partial.EXT`.
@Suite struct StreamEndingTests {
  private let folder = Folder()

  /// What a server sends.
  enum Body: String, Sendable {
    /// Two seconds of sound.
    case wav, aiff, mp3, ogg
    /// WAV that declares no length.
    case endless
  }

  struct Ending: Sendable, CustomTestStringConvertible {
    let name: String
    var body = Body.endless
    /// Bytes that the first answer sends; nil for the whole body.
    var sent: Int? = 150_000
    /// The header of the first answer.
    var header = "icy-name: Test FM\n"
    /// True if the first answer ends with a reset instead of an orderly end.
    var resets = false
    /// Follows the body of the first answer.
    var pause = 0.0
    /// Every later answer.
    var later: [LoopbackServer.Step] = []
    /// A phrase of the message.
    var cause: String
    /// The exit status. 0: the file is complete; 4: it is kept as a partial one.
    var exitCode: Int32 = 0

    var testDescription: String { name }
  }

  private static func status(_ line: String, _ rest: String = "") -> [LoopbackServer.Step] {
    [.text("HTTP/1.1 \(line)\n\(rest)Content-Length: 0\nConnection: close\n\n")]
  }

  private static let station = "HTTP/1.0 200 OK\nicy-name: Test FM\n"
  private static let ranged = "Accept-Ranges: bytes\nETag: \"1\"\nContent-Length: 352844\n"

  static let stations = [
    Ending(
      name: "its server refuses the connection",
      later: status("302 Found", "Location: http://127.0.0.1:1/\n"), cause: "refuses the connection"
    ),
    Ending(name: "the connection is reset", resets: true, later: [.reset], cause: "has ended"),
    Ending(name: "the answer is empty", cause: "does not answer as a web server"),
    Ending(name: "status 500", later: status("500 No"), cause: "a fault of its own (500)"),
    Ending(name: "status 503", later: status("503 No"), cause: "busy (503)"),
    Ending(name: "status 404", later: status("404 No"), cause: "not found on the server (404)"),
    Ending(
      name: "redirects in a circle", later: status("301 Moved", "Location: /x\n"),
      cause: "it seems to go in a circle"),
    Ending(
      name: "bytes that are no answer", later: [.bytes([0x15, 3, 1, 0, 2, 2, 40, 10, 10, 7])],
      cause: "answers without an HTTP header"),
    Ending(
      name: "a secure address whose server stays silent",
      later: status("302 Found", "Location: https://127.0.0.1:PORT/\n"),
      cause: "no connection within 0.4 s"),
    Ending(
      name: "a name that is not known",
      later: status("302 Found", "Location: http://no-such-host.invalid/\n"),
      cause: "the name of its server is not known"),
    Ending(
      name: "chunks without the last mark", header: "icy-name: x\nTransfer-Encoding: chunked\n",
      later: status("410 Gone"), cause: "gone for good (410)"),
    Ending(name: "a stall", pause: 2, later: [.pause(2)], cause: "sent nothing for 0.4 s"),
    Ending(
      name: "a cut within a title", sent: 150_000 - 150_000 % 16_017 + 16_005,
      header: "icy-metaint: 16000\n", later: status("403 No"), cause: "refuses to send it (403)"),
    Ending(
      name: "a header and nothing more", later: [.text(station + "\n")], cause: "has ended"),
    Ending(
      name: "a header and a stall", later: [.text(station + "\n"), .pause(2)], cause: "has ended"),
    Ending(
      name: "a header of 1 MB",
      later: [.text(station), .text("X: " + String(repeating: "a", count: 1 << 20) + "\n\n")],
      cause: "a header of more than 100 kB"),
    Ending(
      name: "a compressed answer", later: [.text(station + "Content-Encoding: gzip\n\nabc")],
      cause: "compressed (gzip)"),
    Ending(
      name: "MP3 cut within a frame", body: .mp3, sent: 30_011, later: status("404 No"),
      cause: "not found on the server (404)"),
    Ending(
      name: "Ogg cut within a page", body: .ogg, sent: 20_011, later: status("404 No"),
      cause: "not found on the server (404)"),
  ]

  static let files = [
    Ending(
      name: "a file, then status 500", body: .wav, header: ranged, resets: true,
      later: status("500 No"), cause: "a fault of its own (500)", exitCode: 4),
    Ending(
      name: "a file, then status 404", body: .wav, header: ranged, later: status("404 No"),
      cause: "not found on the server (404)", exitCode: 4),
    Ending(
      name: "a file in chunks without the last mark", header: "Transfer-Encoding: chunked\n",
      later: status("404 No"), cause: "not found on the server (404)", exitCode: 4),
    Ending(
      name: "a file that has changed", body: .wav, header: ranged,
      later: [.text("HTTP/1.1 200 OK\nETag: \"2\"\nContent-Length: 352844\n\n"), .bytes([1])],
      cause: "changed while it was read",
      exitCode: 4),
    Ending(
      name: "another part than requested", body: .wav, header: ranged,
      later: [
        .text(
          "HTTP/1.1 206 Partial\nETag: \"1\"\nContent-Range: bytes 7-352843/352844\n\n"),
        .bytes([1, 2, 3]),
      ], cause: "a part from byte 7 (206)", exitCode: 4),
    Ending(
      name: "a file that stalls", body: .wav, header: ranged, pause: 2, later: [.pause(2)],
      cause: "sent nothing for 0.4 s", exitCode: 4),
    Ending(
      name: "a file that is copied first", body: .aiff, header: "Content-Length: 352844\n",
      later: status("403 No"), cause: "refuses to send it (403)", exitCode: 4),
    Ending(
      name: "fewer bytes than announced", body: .wav, header: "Content-Length: 352844\n",
      later: [.text("HTTP/1.1 200 OK\nContent-Length: 352844\n\n")],
      cause: "announced 352844 bytes and sends", exitCode: 0),
  ]

  private static let sound = Sound([Signal.noise(88200), Signal.noise(88200, seed: 2)])

  /// The whole body.
  private func bytes(_ body: Body) throws -> [UInt8] {
    var wave = Self.sound.wave(bits: 16)
    switch body {
    case .wav: return wave
    case .endless:
      for place in Array(4..<8) + Array(40..<44) { wave[place] = 0xff }
      return wave
    case .mp3: return try folder.bytes(Fixture.audio("voice.mp3"))
    case .aiff:
      try folder.write("whole.wav", wave)
      #expect(try folder.run("none", "whole.wav", "-o", "16.aiff", "--bits", "16").exitCode == 0)
      return try folder.bytes("16.aiff")
    case .ogg:
      try folder.write("whole.wav", wave)
      #expect(try folder.run("none", "whole.wav", "-o", "whole.ogg").exitCode == 0)
      return try folder.bytes("whole.ogg")
    }
  }

  private func server(_ ending: Ending) throws -> LoopbackServer {
    var bytes = try bytes(ending.body)
    if ending.header.contains("metaint") {
      bytes = stride(from: 0, to: bytes.count, by: 16000).flatMap {
        bytes[$0..<min($0 + 16000, bytes.count)] + [1] + Array("StreamTitle='a';".utf8)
      }
    }
    let sent = Array(bytes.prefix(ending.sent ?? bytes.count))
    return try LoopbackServer { request in
      guard request.path == "/live", request.earlierCount == 0 else {
        return ending.later.map { step in
          guard case .text(let text) = step else { return step }
          return .text(
            text.replacing("PORT", with: request.headers["host"]?.split(separator: ":").last ?? ""))
        }
      }
      var steps: [LoopbackServer.Step] = [.text("HTTP/1.1 200 OK\n\(ending.header)\n")]
      if ending.header.contains("chunked") {
        steps += [.text("\(String(sent.count, radix: 16))\n"), .bytes(sent), .text("\n")]
      } else {
        steps.append(.bytes(sent))
      }
      if ending.pause > 0 { steps.append(.pause(ending.pause)) }
      // Lets the client read before the reset takes the bytes away.
      if ending.resets { steps += [.pause(0.3), .reset] }
      return steps
    }
  }

  /// Frames that the bytes of the first answer have at least.
  private func frameCount(_ ending: Ending) -> Int {
    switch ending.body {
    case .wav, .endless, .aiff: 37_000
    case .mp3: 44_100
    case .ogg: 8000
    }
  }

  private static let limits = ["--stream-timeout", "0.4", "--stream-attempts", "2"]

  @Test(arguments: stations + files)
  func `a render keeps the sound that arrived`(_ ending: Ending) throws {
    let server = try server(ending)
    defer { server.stop() }
    let outcome = try Program.run(
      ["none", server.address("/live"), "-o", "out.wav"] + Self.limits, in: folder.path)
    #expect(outcome.exitCode == ending.exitCode, "\(outcome.errorText)")
    #expect(outcome.errorText.contains(ending.cause), "\(outcome.errorText)")
    let name = ending.exitCode == 0 ? "out.wav" : "out.partial.wav"
    let others = folder.names.filter { $0.hasPrefix("out") }
    #expect(others == [name])
    let kept = try folder.sound(name)
    #expect(kept.frameCount >= frameCount(ending))
    if ending.exitCode != 0 { #expect(outcome.errorText.contains("is in out.partial.wav")) }
    if ending.exitCode == 0, ending.body == .endless {
      #expect(outcome.errorText.contains("the station has ended: "))
    }
    guard ending.body != .mp3, ending.body != .ogg else { return }
    let whole = Self.sound.prefix(kept.frameCount)
    #expect(kept.distance(to: whole) < 3 / 32768.0)
  }

  @Test(arguments: stations + files)
  func `a performance plays and records the sound that arrived`(_ ending: Ending) throws {
    try folder.write(
      "asound.conf",
      """
      </usr/share/alsa/alsa.conf>
      pcm.nowhere { type null }
      pcm.!default { type file slave.pcm nowhere file "\(folder.file("default.raw"))" format raw }
      """)
    try folder.write(
      "chain.json",
      #"""
      { "version": 1, "tail": "none",
        "nodes": { "in": { "source": "main" }, "out": { "sink": "main" },
          "file": { "sink": { "file": "out.wav" } } },
        "connections": ["in -> out", "in -> file"] }
      """#)
    let server = try server(ending)
    defer { server.stop() }
    let outcome = try Program.run(
      ["chain.json", server.address("/live"), "--stream-buffer", "0.5", "--device", "default"]
        + Self.limits, in: folder.path,
      environment: ["ALSA_CONFIG_PATH": folder.file("asound.conf")])
    #expect(outcome.exitCode == ending.exitCode, "\(outcome.errorText)")
    #expect(outcome.errorText.contains(ending.cause), "\(outcome.errorText)")
    #expect(!outcome.errorText.contains("plays again after"))
    let name = ending.exitCode == 0 ? "out.wav" : "out.partial.wav"
    #expect(folder.names.filter { $0.hasPrefix("out") } == [name])
    let played = try folder.bytes("default.raw").count / 8
    #expect(played >= frameCount(ending))
    #expect(try folder.sound(name).frameCount >= frameCount(ending))
  }

  @Test func `the sound of a decoder that is killed is kept as a partial file`() throws {
    try folder.write("sound.wav", bytes(.endless))
    try folder.write(
      "ffmpeg", "#!/bin/sh\ncat '\(folder.file("sound.wav"))'\nkill -9 $$\n")
    #expect(chmod(folder.file("ffmpeg"), 0o755) == 0)
    try folder.write("in.m4a", [0, 0, 0, 24] + Array("ftypM4A \0\0\0\0M4A mp42isom".utf8))
    let path = "\(folder.path):/usr/bin:/bin"
    let outcome = try folder.run("none", "in.m4a", "-o", "out.wav", environment: ["PATH": path])
    #expect(outcome.exitCode == 4)
    #expect(outcome.errorText.contains("was ended by killed (SIGKILL)"), "\(outcome.errorText)")
    #expect(try folder.sound("out.partial.wav").frameCount == 88200)
    let asJSON = try folder.run(
      "none", "in.m4a", "-o", "out.wav", "--json", environment: ["PATH": path])
    let error = try JSONValue(asJSON.output)["error"]
    #expect(error["kind"].text == "input")
    #expect(error["partials"][0].text?.hasSuffix("out.partial-2.wav") == true)
  }

  @Test func `a pipe that ends within a frame is a warning`() throws {
    let bytes = Array(try bytes(.endless).dropLast(2))
    let outcome = try folder.run("none", "-", "-o", "out.wav", input: .bytes(bytes))
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorText.contains("truncated: the stream ended within a frame"))
    #expect(try folder.sound("out.wav").frameCount == 88199)
  }

  @Test func `a render that needs no more of a source does not report its failure`() throws {
    let ending = try #require(Self.files.first)
    let server = try server(ending)
    defer { server.stop() }
    let outcome = try Program.run(
      ["none", server.address("/live"), "-o", "out.wav", "--duration", "0.5"] + Self.limits,
      in: folder.path)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(try folder.sound("out.wav").frameCount == 22050)
  }

  @Test func `a sound that is measured first is kept too`() throws {
    let ending = try #require(Self.files.first)
    let server = try server(ending)
    defer { server.stop() }
    let outcome = try Program.run(
      ["none", server.address("/live"), "-o", "out.wav", "--loudness", "-20"] + Self.limits,
      in: folder.path)
    #expect(outcome.exitCode == 4)
    #expect(try folder.sound("out.partial.wav").frameCount >= 37_000, "\(outcome.errorText)")
  }
}
