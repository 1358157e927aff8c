import FxAudio

/// Reads what a player needs from an XSPF list: the first `location` and the `title` of each
/// `track`.
///
/// XML with the features that lists need: no custom entities, no other encodings.
struct XSPFReader {
  private let bytes: ArraySlice<UInt8>
  private var place: Int
  private var path: [String] = []
  private var text: [UInt8] = []
  private var entry = Playlist.Entry(reference: "", isEscaped: true)
  private var playlist = Playlist([])
  private static let depthLimit = 64
  private static let textLimit = 8192

  static func playlist(_ bytes: ArraySlice<UInt8>) throws(Failure) -> Playlist {
    var reader = XSPFReader(bytes)
    while reader.place < bytes.endIndex { try reader.step() }
    guard reader.path.isEmpty else { throw mistake("it ends within <\(reader.path.last ?? "")>") }
    return reader.playlist
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  private mutating func step() throws(Failure) {
    guard bytes[place] == UInt8(ascii: "<") else {
      let end = bytes[place...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.endIndex
      try add(bytes[place..<end], isPlain: false)
      place = end
      return
    }
    if try skip("<!--", to: "-->") != nil { return }
    if try skip("<?", to: "?>") != nil { return }
    if let inner = try skip("<![CDATA[", to: "]]>") {
      return try add(inner, isPlain: true)
    }
    if let inner = try skip("<!", to: ">") {
      guard !inner.contains(UInt8(ascii: "[")) else {
        throw Self.mistake("it defines entities, which a playlist does not need")
      }
      return
    }
    guard let tag = try skip("<", to: ">") else { return }
    try read(tag)
  }

  private mutating func read(_ tag: ArraySlice<UInt8>) throws(Failure) {
    let isEnd = tag.first == UInt8(ascii: "/")
    let isEmpty = tag.last == UInt8(ascii: "/")
    let name = Self.name(isEnd ? tag.dropFirst() : tag)
    guard !name.isEmpty else { throw Self.mistake("a tag without a name") }
    if isEnd {
      guard path.popLast() == name else { throw Self.mistake("</\(name)> ends what is not open") }
      end(name)
    } else if !isEmpty {
      guard path.count < Self.depthLimit else { throw Self.mistake("it is too deep") }
      path.append(name)
      if name == "track" { entry = Playlist.Entry(reference: "", isEscaped: true) }
    }
    text = []
  }

  private mutating func end(_ name: String) {
    if name == "track" { return playlist.add(entry) }
    guard path.last == "track" else { return }
    let value = ICYMetadata.text(text)
    if name == "location", entry.reference.isEmpty { entry.reference = value }
    if name == "title", entry.title == nil { entry.title = value }
  }

  /// The name without a prefix: `track` for `x:track`.
  private static func name(_ tag: ArraySlice<UInt8>) -> String {
    let name = tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
    let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
    return ICYMetadata.text(local.prefix(64))
  }

  /// The bytes between two marks; reading continues after the second one. nil if the first mark is
  /// not here.
  private mutating func skip(
    _ start: String, to end: String
  ) throws(Failure) -> ArraySlice<UInt8>? {
    guard bytes[place...].starts(with: start.utf8) else { return nil }
    let first = place + start.utf8.count
    let mark = Array(end.utf8)
    var place = first
    while place < bytes.endIndex {
      guard let next = bytes[place...].firstIndex(of: mark[0]) else { break }
      if bytes[next...].starts(with: mark) {
        self.place = next + mark.count
        return bytes[first..<next]
      }
      place = next + 1
    }
    throw Self.mistake("\(start) has no \(end)")
  }

  private mutating func add(_ part: ArraySlice<UInt8>, isPlain: Bool) throws(Failure) {
    guard text.count + part.count <= Self.textLimit || path.last == nil else {
      // Annotations may be long; addresses and titles are short.
      guard path.last != "location" else { throw Self.mistake("an address is too long") }
      return
    }
    guard !isPlain else { return text.append(contentsOf: part) }
    var rest = part
    while let sign = rest.firstIndex(of: UInt8(ascii: "&")) {
      text.append(contentsOf: rest[..<sign])
      guard let end = rest[sign...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
        let scalar = Self.scalar(rest[(sign + 1)..<end])
      else { throw Self.mistake("an entity that XML does not have") }
      text.append(contentsOf: String(scalar).utf8)
      rest = rest[(end + 1)...]
    }
    text.append(contentsOf: rest)
  }

  private static func scalar(_ entity: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let name = String(decoding: entity, as: UTF8.self)
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      let digits = name.dropFirst()
      let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return code.flatMap { Unicode.Scalar($0) }
    }
  }

  private static func mistake(_ message: String) -> Failure {
    Failure(.damaged, "", "a playlist that cannot be read: \(message)")
  }
}
