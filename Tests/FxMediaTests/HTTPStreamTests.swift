import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// Files and stations from a local server, which also gives wrong answers.
struct HTTPStreamTests {
  private let folder = TemporaryFolder()

  func sound(_ end: String, frameCount: Int = 96_000) throws -> [UInt8] {
    let path = folder.file("whole.\(end)")
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: 48000, channelCount: 2),
      encoding: FileEncoding(depth: .int16, isDithered: false))
    let noise = Signal.noise(frameCount, seed: 5).map { $0 / 4 }
    try writeAll([noise, noise.reversed()], to: sink)
    try sink.finish()
    return contents(path)
  }

  func settings() -> StreamSettings {
    var settings = StreamSettings()
    settings.userAgent = "fxrun/test"
    settings.limits.pause = 0.01
    settings.limits.firstByte = 0.3
    settings.limits.idle = 0.3
    settings.limits.longestPause = 0.1
    return settings
  }

  func open(
    _ server: LoopbackServer, _ settings: StreamSettings, _ path: String = "/sound"
  ) throws -> any AudioSource {
    try FileSource.open(server.address(path), nil, settings)
  }

  func expected(_ bytes: [UInt8]) throws -> [[Float]] {
    try readAll(FileSource.open(MemoryStream(bytes, name: "memory")))
  }

  @Test(arguments: ["wav", "flac", "ogg", "opus", "aiff"])
  func `a file from a server has the samples of the local file`(_ end: String) throws {
    let bytes = try sound(end)
    let server = try LoopbackServer { LoopbackServer.file(bytes, $0) }
    defer { server.stop() }
    let source = try open(server, settings())
    #expect(try readAll(source) == expected(bytes))
    #expect(source.warnings == [])
    #expect(server.requests.count == 1)
    #expect(server.requests.first?.headers["user-agent"] == "fxrun/test")
    #expect(server.requests.first?.headers["accept-encoding"] == nil)
  }

  @Test func `MPEG audio is read without fetching its end first`() throws {
    let bytes = contents(Fixture.audio("mono-vbr.mp3"))
    try #require(!bytes.isEmpty)
    let server = try LoopbackServer { LoopbackServer.file(bytes, $0) }
    defer { server.stop() }
    #expect(try readAll(open(server, settings())) == expected(bytes))
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["wav", "flac", "aiff"])
  func `a seek requests a range of bytes where the server supports ranges`(_ end: String) throws {
    let bytes = try sound(end, frameCount: 3_000_000)
    let whole = try expected(bytes)
    let server = try LoopbackServer { LoopbackServer.file(bytes, $0) }
    defer { server.stop() }
    let source = try open(server, settings())
    #expect(source.isSeekable)
    #expect(source.frameCount == 3_000_000)
    let block = PlanarBuffer(channelCount: 2, frameCount: 500)
    for frame in [2_900_000, 17, 1_500_000, 1_500_400] {
      try source.seek(toFrame: frame)
      let count = try source.read(into: block.channels, frameCount: 500)
      #expect(count > 0)
      #expect((0..<count).allSatisfy { block[1][$0] == whole[1][frame + $0] })
    }
    #expect(server.requests.contains { $0.rangeStart > 9_000_000 })
  }

  @Test func `a stream from a server without ranges cannot seek`() throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer {
      LoopbackServer.file(bytes, $0, acceptsRanges: false)
    }
    defer { server.stop() }
    let source = try open(server, settings())
    #expect(!source.isSeekable)
    #expect(try readAll(source) == expected(bytes))
  }

  @Test(arguments: [true, false])
  func `a broken connection is opened again without a loss`(_ acceptsRanges: Bool) throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer { request in
      var steps = LoopbackServer.file(
        bytes, request, acceptsRanges: acceptsRanges, headers: "ETag: \"1\"\n")
      if request.earlierCount < 3, case .bytes(let rest) = steps[1] {
        let cut = acceptsRanges ? 50_000 : 50_000 * (request.earlierCount + 1)
        steps[1...] = [
          .bytes(Array(rest.prefix(cut))), request.earlierCount == 1 ? .reset : .pause(0),
        ]
      }
      return steps
    }
    defer { server.stop() }
    let settings = settings()
    let source = try open(server, settings)
    #expect(try readAll(source) == expected(bytes))
    #expect(source.warnings == [])
    let news = settings.news.take()
    #expect(news.filter { $0.kind == .reconnecting }.count == 3)
    #expect(news.filter { $0.kind == .resumed }.count == 3)
    #expect(server.requests.last?.headers["if-range"] == "\"1\"")
  }

  @Test func `a stalled connection ends at its limit, and the stream continues`() throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer { request in
      guard request.earlierCount == 0 else { return LoopbackServer.file(bytes, request) }
      return [
        LoopbackServer.file(bytes, request)[0], .bytes(Array(bytes[..<70_000])), .pause(1.5),
      ]
    }
    defer { server.stop() }
    let settings = settings()
    #expect(try readAll(open(server, settings)) == expected(bytes))
    #expect(
      settings.news.take().first?.message.contains("not one byte came for 0.3 s") == true)
  }

  @Test func `a file that changes while it is read is an error`() throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer { request in
      guard request.earlierCount == 0 else {
        return LoopbackServer.file(
          bytes + [0], request, acceptsRanges: false, headers: "ETag: \"2\"\n")
      }
      return [
        LoopbackServer.file(bytes, request, headers: "ETag: \"1\"\n")[0],
        .bytes(Array(bytes[..<70_000])),
      ]
    }
    defer { server.stop() }
    let error = ioError { _ = try readAll(open(server, settings())) }
    #expect(error?.message.contains("changed while it was read") == true)
  }

  @Test func `a length that is too long is reported and does not hang`() throws {
    let bytes = try sound("flac")
    let server = try LoopbackServer { request in
      let rest = bytes[min(request.rangeStart, bytes.count)...]
      return [
        .text("HTTP/1.1 200 OK\nContent-Length: \(bytes.count + 5000)\nConnection: close\n\n"),
        .bytes(request.rangeStart == 0 ? bytes : Array(rest)),
      ]
    }
    defer { server.stop() }
    let source = try open(server, settings())
    #expect(try readAll(source) == expected(bytes))
    #expect(
      source.warnings.contains {
        $0.contains("announced \(bytes.count + 5000) bytes and sends \(bytes.count)")
      })
  }

  @Test func `a length that is too short gives the bytes that it covers, and a warning`() throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer { _ in
      [
        .text("HTTP/1.1 200 OK\nContent-Length: 100044\nConnection: close\n\n"), .bytes(bytes),
      ]
    }
    defer { server.stop() }
    let source = try open(server, settings())
    #expect(try readAll(source) == expected(Array(bytes[..<100_044])))
    #expect(source.warnings.contains { $0.contains("truncated") })
  }

  @Test func `chunks are joined`() throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer { _ in
      var steps: [LoopbackServer.Step] = [
        .text("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nConnection: close\n\n")
      ]
      for start in stride(from: 0, to: bytes.count, by: 7777) {
        let piece = Array(bytes[start..<min(start + 7777, bytes.count)])
        steps += [.text("\(String(piece.count, radix: 16))\n"), .bytes(piece), .text("\n")]
      }
      return steps + [.text("0\n\n")]
    }
    defer { server.stop() }
    #expect(try readAll(open(server, settings())) == expected(bytes))
  }

  @Test func `redirects are followed up to a limit, relative ones too`() throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer { request in
      let target =
        switch request.path {
        case "/sound": "/a/b"
        case "/a/b": "c"
        case "/circle": "/circle"
        case "/file": "file:///etc/passwd"
        default: ""
        }
      guard !target.isEmpty else { return LoopbackServer.file(bytes, request) }
      return [
        .text("HTTP/1.1 302 Found\nLocation: \(target)\nContent-Length: 0\nConnection: close\n\n")
      ]
    }
    defer { server.stop() }
    #expect(try readAll(open(server, settings())) == expected(bytes))
    #expect(server.requests.map(\.path) == ["/sound", "/a/b", "/a/c"])
    let circle = ioError { _ = try open(server, settings(), "/circle") }
    #expect(circle?.message.contains("redirects more than 10 times") == true)
    let file = ioError { _ = try open(server, settings(), "/file") }
    #expect(file?.message.contains("something else than http or https") == true)
  }

  @Test(arguments: [
    (404, "not found on the server (404)", 1), (403, "refuses to send it (403)", 1),
    (401, "asks for a name and a password (401)", 1), (410, "gone for good (410)", 1),
    (500, "fault of its own (500); try again later, after 6 attempts", 6),
    (503, "busy (503); try again later, after 6 attempts", 6),
  ])
  func `an error status is reported in words`(_ status: Int, _ words: String, _ count: Int) throws {
    let server = try LoopbackServer { _ in
      [.text("HTTP/1.1 \(status) No\nContent-Length: 2\nConnection: close\n\nno")]
    }
    defer { server.stop() }
    let error = ioError { _ = try open(server, settings()) }
    #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    #expect(server.requests.count == count)
  }

  @Test func `a busy server is asked again after the time that it gives`() throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer { request in
      request.earlierCount < 2
        ? [.text("HTTP/1.1 503 Busy\nRetry-After: 1\nContent-Length: 0\nConnection: close\n\n")]
        : LoopbackServer.file(bytes, request)
    }
    defer { server.stop() }
    let settings = settings()
    #expect(try readAll(open(server, settings)) == expected(bytes))
    #expect(settings.news.take().map(\.kind) == [.reconnecting, .reconnecting])
  }

  @Test func `a server that sends nothing is an error after a time limit`() throws {
    let server = try LoopbackServer { _ in [.pause(2)] }
    defer { server.stop() }
    let error = ioError { _ = try open(server, settings()) }
    #expect(error?.code == .timeout)
    #expect(error?.message.contains("sent nothing for 0.3 s") == true)
  }

  @Test func `a closed port is reported at once`() throws {
    let server = try LoopbackServer { _ in [] }
    server.stop()
    let error = ioError { _ = try open(server, settings()) }
    #expect(error?.message.contains("refuses the connection") == true)
  }

  @Test func `an interrupt ends a waiting read`() throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer { request in
      [
        LoopbackServer.file(bytes, request)[0], .bytes(Array(bytes[..<70_000])), .pause(20),
      ]
    }
    defer { server.stop() }
    var patient = settings()
    patient.limits.idle = 30
    let source = try open(server, patient)
    let feeder = Interrupter(source)
    feeder.interrupt(after: 0.2)
    let start = ContinuousClock.now
    let error = ioError { _ = try readAll(source) }
    #expect(error?.code == .interrupted)
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func `bytes are not fetched before the reader needs them`() throws {
    let server = try LoopbackServer { _ in
      [
        .text("HTTP/1.1 200 OK\nConnection: close\n\n"),
        .endless { _ in [UInt8](repeating: 7, count: 1 << 16) },
      ]
    }
    defer { server.stop() }
    let address = try #require(HTTPAddress(server.address("/x")))
    let stream = try HTTPStream(address, settings())
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    // Longer than the limit for a stall: here the reader waits, not the server.
    for _ in 0..<3 {
      Interrupter.sleep(0.4)
      #expect(stream.read(&bytes, bytes.count) > 0)
    }
    var total = 0
    while total < 3 * HTTPBuffer.capacity {
      let got = stream.read(&bytes, bytes.count)
      try #require(got > 0)
      #expect(bytes[..<got].allSatisfy { $0 == 7 })
      total += got
    }
  }

  @Test func `a name and a password are not shown`() {
    #expect(HTTPAddress("http://me:secret@host/x?y=@z")?.shown == "http://host/x?y=@z")
    #expect(HTTPAddress("https://host/a@b")?.shown == "https://host/a@b")
    #expect(HTTPAddress("ftp://host/a") == nil)
  }
}

/// The window of bytes between the fetching thread and the reader.
struct HTTPBufferTests {
  @Test func `bytes fetched for an earlier place are dropped`() {
    let buffer = HTTPBuffer()
    let earlier = buffer.request.generation
    let bytes: [UInt8] = [1, 2, 3]
    bytes.withUnsafeBytes { buffer.append($0, earlier) }
    #expect(buffer.move(to: 1 << 24))
    // The fetching thread has not seen the move yet.
    bytes.withUnsafeBytes { buffer.append($0, earlier) }
    buffer.complete(earlier)
    buffer.fail(Failure(.truncated, "", ""), earlier)
    var byte: UInt8 = 0
    guard case .nothing = buffer.take(&byte, 1, inPieces: false) else {
      Issue.record("there are bytes of the place before, or an end")
      return
    }
    let now = buffer.request
    #expect(now.place == 1 << 24)
    bytes.withUnsafeBytes { buffer.append($0, now.generation) }
    guard case .bytes(1) = buffer.take(&byte, 1, inPieces: false) else {
      Issue.record("the bytes of this place are missing")
      return
    }
    #expect(byte == 1)
  }
}
