/// Facts from the headers of an HTTP response.
struct HTTPFacts: Sendable {
  private(set) var status = 0
  /// Bytes of this response's body.
  private(set) var contentLength: Int?
  /// The start of the sent part, and the total length of the whole file.
  private(set) var rangeStart: Int?
  private(set) var total: Int?
  private(set) var acceptsRanges = false
  /// The compression of the body, such as `gzip`; nil without one.
  private(set) var compression: String?
  /// The identifier of the file's version (ETag), and the date of its last change.
  private var entityTag: String?
  private var lastModified: String?
  /// Bytes of header lines, those of redirects included.
  private(set) var headerByteCount = 0
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
    headerByteCount += line.count
    let line = ICYMetadata.text(line.prefix(16384))
    if line.isEmpty {
      isOver = true
      return
    }
    if line.hasPrefix("HTTP/") || line.hasPrefix("ICY ") {
      let byteCount = headerByteCount
      self = HTTPFacts()
      headerByteCount = byteCount
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
    case "content-encoding":
      compression = Self.compressions.contains(value.lowercased()) ? value.lowercased() : nil
    case "etag": entityTag = value
    case "last-modified": lastModified = value
    case "content-type": contentType = String(value.prefix { $0 != ";" && $0 != " " }).lowercased()
    case "retry-after": retryAfter = Double(value).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    case "icy-metaint": (isStation, metadataInterval) = (true, Self.count(value[...]))
    case "icy-name": (isStation, station) = (true, value)
    case "icy-genre": (isStation, genre) = (true, value)
    case "icy-br": (isStation, bitRate) = (true, value)
    default: break
    }
  }

  private static let compressions: Set<String> = [
    "gzip", "x-gzip", "deflate", "compress", "x-compress", "br", "zstd",
  ]

  /// The version for `If-Range`; nil if no answer can be compared with it exactly.
  var version: String? {
    guard let entityTag, !entityTag.hasPrefix("W/") else { return lastModified }
    return entityTag
  }

  /// The bytes of the whole file; nil if the answer does not say it.
  var wholeByteCount: Int? { status == 206 ? total : contentLength }

  /// False if a later answer is about another version of the file. Some servers leave out a header
  /// of the first answer.
  func isSameFile(as later: HTTPFacts) -> Bool {
    if let ours = wholeByteCount, let theirs = later.wholeByteCount, ours != theirs { return false }
    if let ours = entityTag, let theirs = later.entityTag {
      // A weak identifier names the same version as the strong one of the same name.
      return Self.name(ofTag: ours) == Self.name(ofTag: theirs)
    }
    if let ours = lastModified, let theirs = later.lastModified { return ours == theirs }
    return true
  }

  private static func name(ofTag tag: String) -> Substring {
    tag.dropFirst(tag.hasPrefix("W/") ? 2 : 0)
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
