/// Facts from the headers of an HTTP response.
struct HTTPFacts: Sendable {
  private(set) var status = 0
  /// Bytes of this response's body.
  private(set) var contentLength: Int?
  /// The start of the sent part, and the total length of the file.
  private(set) var rangeStart: Int?
  private(set) var total: Int?
  private(set) var acceptsRanges = false
  private(set) var isEncoded = false
  /// An identifier of the file's version (ETag or date).
  private(set) var tag: String?
  private(set) var contentType = ""
  private(set) var retryAfter: Double?
  private(set) var isStation = false
  /// Bytes of sound between two metadata blocks.
  private(set) var metadataInterval: Int?
  private(set) var station: String?
  private(set) var genre: String?
  private(set) var bitRate: String?
  private(set) var isOver = false

  /// Adds a header line. A new status line, for example after a redirect, starts again.
  mutating func add(_ line: some Collection<UInt8>) {
    let line = ICYMetadata.text(line.prefix(16384))
    if line.isEmpty {
      isOver = true
      return
    }
    if line.hasPrefix("HTTP/") || line.hasPrefix("ICY ") {
      self = HTTPFacts()
      status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      isStation = line.hasPrefix("ICY ")
      return
    }
    guard let colon = line.firstIndex(of: ":") else { return }
    let value = String(line[line.index(after: colon)...].drop { $0 == " " })
    read(line[..<colon].lowercased(), value)
  }

  private mutating func read(_ name: String, _ value: String) {
    switch name {
    case "content-length": contentLength = Self.count(value[...])
    case "content-range": readRange(value)
    case "accept-ranges": acceptsRanges = value.lowercased().contains("bytes")
    case "content-encoding": isEncoded = value.lowercased() != "identity"
    case "etag": if !value.hasPrefix("W/") { tag = value }
    case "last-modified": tag = tag ?? value
    case "content-type": contentType = String(value.prefix { $0 != ";" && $0 != " " }).lowercased()
    case "retry-after": retryAfter = Double(value).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    case "icy-metaint": metadataInterval = Self.count(value[...])
    case "icy-name": (isStation, station) = (true, value)
    case "icy-genre": (isStation, genre) = (true, value)
    case "icy-br": (isStation, bitRate) = (true, value)
    default: break
    }
  }

  /// Parses `bytes 100-199/1000` or `bytes */1000`; the total may also be `*` if it is unknown.
  private mutating func readRange(_ value: String) {
    guard value.lowercased().hasPrefix("bytes ") else { return }
    let parts = value.dropFirst(6).split(separator: "/", maxSplits: 1)
    rangeStart = parts.first.flatMap { Self.count($0.prefix { $0 != "-" }) }
    total = parts.count == 2 ? Self.count(parts[1]) : nil
  }

  /// Only digits, for a number in the range of file sizes.
  private static func count(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(text)
  }
}
