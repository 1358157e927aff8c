import Glibc
import Synchronization

/// A web server on the loopback interface that answers as a test says, the wrong ways included.
public final class LoopbackServer: Sendable {
  /// A client's request.
  public struct Request: Sendable {
    /// Without the query.
    public let path: String
    /// By their names in lower case.
    public let headers: [String: String]
    /// How often the path was asked for before.
    public let earlierCount: Int

    /// The first byte of the requested range; 0 without a range.
    public var rangeStart: Int {
      headers["range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
    }
  }

  public enum Step: Sendable {
    case text(String)
    case bytes([UInt8])
    /// Bytes in small pieces, at a number of bytes a second.
    case trickle([UInt8], perSecond: Double)
    case pause(Double)
    /// Ends the connection as a crash does.
    case reset
    /// Bytes for ever, as fast as they are taken, made for a place.
    case endless(@Sendable (Int) -> [UInt8])
  }

  public let port: Int
  private let descriptor: Int32
  private let answer: @Sendable (Request) -> [Step]
  private let counts = Mutex<[String: Int]>([:])
  private let log = Mutex<[Request]>([])
  private let isOver = Atomic<Bool>(false)
  private let clients = Mutex<Set<Int32>>([])

  public init(_ answer: @escaping @Sendable (Request) -> [Step]) throws {
    self.answer = answer
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw ServerError.noSocket }
    port = Int(UInt16(bigEndian: address.sin_port))
    signal(SIGPIPE, SIG_IGN)
    Self.detach { [self] in accept() }
  }

  enum ServerError: Error { case noSocket }

  /// The requests so far.
  public var requests: [Request] { log.withLock { $0 } }

  public func address(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Closes all connections.
  public func stop() {
    isOver.store(true, ordering: .relaxed)
    shutdown(descriptor, Int32(SHUT_RDWR))
    clients.withLock { for client in $0 { shutdown(client, Int32(SHUT_RDWR)) } }
  }

  private func accept() {
    while !isOver.load(ordering: .relaxed) {
      let client = Glibc.accept(descriptor, nil, nil)
      guard client >= 0 else { break }
      clients.withLock { _ = $0.insert(client) }
      Self.detach { [self] in
        serve(client)
        clients.withLock { _ = $0.remove(client) }
        close(client)
      }
    }
    close(descriptor)
  }

  private func serve(_ client: Int32) {
    guard let request = read(client) else { return }
    log.withLock { $0.append(request) }
    for step in answer(request) where !isOver.load(ordering: .relaxed) {
      switch step {
      case .text(let text):
        guard send(client, Array(text.replacing("\n", with: "\r\n").utf8)) else { return }
      case .bytes(let bytes): guard send(client, bytes) else { return }
      case .trickle(let bytes, let rate):
        let size = max(Int(rate / 50), 1)
        for start in stride(from: 0, to: bytes.count, by: size) {
          guard send(client, Array(bytes[start..<min(start + size, bytes.count)])) else { return }
          usleep(20_000)
        }
      case .pause(let seconds): usleep(UInt32(seconds * 1_000_000))
      case .reset:
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
          client, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        return
      case .endless(let make):
        var place = 0
        while !isOver.load(ordering: .relaxed) {
          let bytes = make(place)
          guard send(client, bytes) else { return }
          place += bytes.count
        }
      }
    }
    shutdown(client, Int32(SHUT_WR))
    // Receives the rest of the request, so that the answer reaches the client.
    var byte: UInt8 = 0
    while recv(client, &byte, 1, 0) > 0 {}
  }

  private func read(_ client: Int32) -> Request? {
    var bytes: [UInt8] = []
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      var byte: UInt8 = 0
      guard recv(client, &byte, 1, 0) == 1, bytes.count < 65536 else { return nil }
      bytes.append(byte)
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
    let path = String(words[1].prefix { $0 != "?" })
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = String(line[line.index(colon, offsetBy: 2)...])
    }
    let count = counts.withLock { counts in
      defer { counts[path, default: 0] += 1 }
      return counts[path, default: 0]
    }
    return Request(path: path, headers: headers, earlierCount: count)
  }

  private func send(_ client: Int32, _ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let sent = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map { Glibc.send(client, $0 + done, bytes.count - done, 0) } ?? 0
      }
      guard sent > 0 else { return false }
      done += sent
    }
    return true
  }

  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  private static func detach(_ run: @escaping () -> Void) {
    var thread = pthread_t()
    let body = Unmanaged.passRetained(Body(run)).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, body)
    if code == 0 { pthread_detach(thread) }
  }
}

extension LoopbackServer {
  /// The answer of a server as it should be, with or without parts of files.
  public static func file(
    _ bytes: [UInt8], _ request: Request, acceptsRanges: Bool = true, headers: String = ""
  ) -> [Step] {
    let start = acceptsRanges ? min(request.rangeStart, bytes.count) : 0
    var head = start > 0 ? "HTTP/1.1 206 Partial Content\n" : "HTTP/1.1 200 OK\n"
    head += "Content-Length: \(bytes.count - start)\n\(headers)Connection: close\n"
    if acceptsRanges { head += "Accept-Ranges: bytes\n" }
    if start > 0 { head += "Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)\n" }
    return [.text(head + "\n"), .bytes(Array(bytes[start...]))]
  }
}
