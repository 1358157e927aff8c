import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// Answers that differ from the first one, and strange ones.
extension HTTPStreamTests {
  /// Headers of the first answer and of the later ones; true if they name the same file.
  @Test(arguments: [
    ("ETag: \"1\"\n", "ETag: \"2\"\n", false),
    ("ETag: \"1\"\nLast-Modified: A\n", "ETag: \"2\"\nLast-Modified: A\n", false),
    ("ETag: W/\"1\"\n", "ETag: W/\"2\"\n", false), ("ETag: W/\"1\"\n", "ETag: \"1\"\n", true),
    ("Last-Modified: A\n", "Last-Modified: B\n", false),
    ("ETag: \"1\"\nLast-Modified: A\n", "ETag: \"1\"\nLast-Modified: B\n", true),
    ("ETag: \"1\"\n", "", true), ("", "", true),
  ])
  func `a part of another version of the file is an error`(
    _ first: String, _ later: String, _ isSame: Bool
  ) throws {
    let bytes = try sound("wav")
    // This server ignores If-Range.
    let server = try LoopbackServer { request in
      let headers = request.earlierCount == 0 ? first : later
      var steps = LoopbackServer.file(bytes, request, headers: headers)
      if request.earlierCount == 0 { steps[1] = .bytes(Array(bytes[..<70_000])) }
      return steps
    }
    defer { server.stop() }
    let settings = settings()
    let source = try open(server, settings)
    guard !isSame else {
      #expect(try readAll(source) == expected(bytes))
      return
    }
    let error = ioError { _ = try readAll(source) }
    #expect(error?.message.contains("changed while it was read") == true)
    #expect(!settings.news.take().contains { $0.kind == .resumed })
  }

  @Test func `a seek into another version of the file is an error`() throws {
    let bytes = try sound("wav", frameCount: 3_000_000)
    let server = try LoopbackServer { request in
      LoopbackServer.file(bytes, request, headers: "ETag: \"\(request.earlierCount)\"\n")
    }
    defer { server.stop() }
    let source = try open(server, settings())
    try source.seek(toFrame: 2_900_000)
    #expect(
      ioError { _ = try readAll(source) }?.message.contains("changed while it was read") == true)
  }

  @Test func `bytes that differ from those before are an error without any version`() throws {
    let bytes = try sound("wav")
    let other = try Array(sound("wav", frameCount: 90_000).prefix(44)) + bytes[44...].reversed()
    let server = try LoopbackServer { request in
      [
        .text("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n\(String(70_000, radix: 16))\n"),
        .bytes(Array((request.earlierCount == 0 ? bytes : other)[..<70_000])), .text("\n"),
      ]
    }
    defer { server.stop() }
    let settings = settings()
    let source = try open(server, settings)
    #expect(
      ioError { _ = try readAll(source) }?.message.contains("changed while it was read") == true)
    #expect(!settings.news.take().contains { $0.kind == .resumed })
  }

  @Test(arguments: ["bytes 100-199/1000", "bytes */1000", "100", ""])
  func `a first answer with a part that does not begin at the first byte is an error`(
    _ range: String
  ) throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer { _ in
      let header = range.isEmpty ? "" : "Content-Range: \(range)\n"
      return [.text("HTTP/1.1 206 Partial\n\(header)Connection: close\n\n"), .bytes(bytes)]
    }
    defer { server.stop() }
    let error = ioError { _ = try open(server, settings()) }
    #expect(error?.message.contains("where fxrun asked for the whole file") == true)
  }

  @Test func `a server that sends parts of its own length is asked for the rest`() throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer { request in
      let start = request.rangeStart
      let end = min(start + 60_000, bytes.count)
      return [
        .text(
          "HTTP/1.1 206 Partial\nContent-Length: \(end - start)\nAccept-Ranges: bytes\n"
            + "Content-Range: bytes \(start)-\(end - 1)/\(bytes.count)\nConnection: close\n\n"),
        .bytes(Array(bytes[start..<end])),
      ]
    }
    defer { server.stop() }
    let source = try open(server, settings())
    #expect(try readAll(source) == expected(bytes))
    #expect(source.warnings == [])
  }

  @Test func `the cause of a strange answer is named`() throws {
    let long = String(repeating: "a", count: 1 << 20)
    let many = (0..<5000).map { "X-\($0): aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n" }.joined()
    let answers: [String: ([LoopbackServer.Step], String)] = [
      "/bare": ([.bytes([0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0])], "without an HTTP header"),
      "/long": ([.text("HTTP/1.1 200 OK\nX: \(long)\n\n")], "a header of more than 100 kB"),
      "/many": ([.text("HTTP/1.1 200 OK\n\(many)\n")], "a header of more than 100 kB"),
      "/gzip": (
        [.text("HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: 3\n\nabc")],
        "compressed (gzip)"
      ),
      "/compressed": (
        [
          .text("HTTP/1.1 200 OK\nContent-Type: audio/wav\n\n"),
          .bytes([0x1f, 0x8b, 8] + [UInt8](repeating: 1, count: 100_000)),
        ], "compressed data (gzip)"
      ),
      "/page": (
        [.text("HTTP/1.1 200 OK\n\n\n<!DOCTYPE html><html><body>Welcome</body></html>")],
        "a web page"
      ),
      "/endless": (
        [
          .text("HTTP/1.1 200 OK\nConnection: close\n\n"),
          .endless { _ in [UInt8](repeating: 7, count: 1 << 16) },
        ], "no audio in the first 8 MB"
      ),
    ]
    let server = try LoopbackServer { answers[$0.path]?.0 ?? [] }
    defer { server.stop() }
    for (path, answer) in answers {
      let error = ioError { _ = try open(server, settings(), path) }
      #expect(error?.message.contains(answer.1) == true, "\(path): \(String(describing: error))")
    }
    for (address, words) in [
      ("icy://radio.example:8000/live", "not icy://; a station usually answers"),
      ("folder/mms://host/a", "not mms://"), ("rtsp://host/a", "not rtsp://"),
    ] {
      let error = ioError { _ = try FileSource.open(address, nil, settings()) }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
    #expect(ioError { _ = try FileSource.open("a/b.wav", nil, settings()) }?.code == .notFound)
  }

  @Test func `a server that sets a cookie and redirects to itself is followed`() throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer { request in
      guard request.headers["cookie"]?.contains("seen=1") != true else {
        return LoopbackServer.file(bytes, request)
      }
      return [
        .text(
          "HTTP/1.1 302 Found\nSet-Cookie: seen=1; Path=/\nLocation: /sound\nContent-Length: 0\n"
            + "Connection: close\n\n")
      ]
    }
    defer { server.stop() }
    #expect(try readAll(open(server, settings())) == expected(bytes))
  }

  @Test func `a patient stream is tried again without end`() throws {
    let bytes = try sound("wav")
    let server = try LoopbackServer { request in
      switch request.earlierCount {
      case 0:
        [LoopbackServer.file(bytes, request)[0], .bytes(Array(bytes[..<70_000]))]
      case 1..<12:
        [.text("HTTP/1.1 404 Gone\nContent-Length: 0\nConnection: close\n\n")]
      default: LoopbackServer.file(bytes, request)
      }
    }
    defer { server.stop() }
    var settings = settings()
    settings.limits.isPatient = true
    #expect(try readAll(open(server, settings)) == expected(bytes))
    let news = settings.news.take()
    #expect(news.filter { $0.kind == .reconnecting }.count == 12)
    #expect(news.last?.kind == .resumed)
  }

  @Test(arguments: ["flac", "aiff", "wav"])
  func `a source gives all frames from before it fails, also at another rate`(_ end: String) throws
  {
    let bytes = try sound(end)
    let server = try LoopbackServer { request in
      guard request.earlierCount == 0 else {
        return [.text("HTTP/1.1 403 No\nContent-Length: 0\nConnection: close\n\n")]
      }
      return [
        .text("HTTP/1.1 200 OK\nContent-Length: \(bytes.count)\nConnection: close\n\n"),
        .bytes(Array(bytes[..<(bytes.count / 2)])),
      ]
    }
    defer { server.stop() }
    let source = try ResampledSource(open(server, settings()), to: 44100)
    let block = PlanarBuffer(channelCount: 2, frameCount: 1000)
    var count = 0
    let error = ioError {
      while case let got = try source.read(into: block.channels, frameCount: 1000), got > 0 {
        count += got
      }
    }
    #expect(error?.message.contains("refuses to send it (403)") == true)
    #expect(count > 44100 / 2 && count < 44100 * 11 / 10)
  }
}
