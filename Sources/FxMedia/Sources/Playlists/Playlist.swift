package import FxAudio

/// A list of sounds that are played one after another.
package struct Playlist: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    /// A file or an address, as written in the list.
    package var reference: String
    package var title: String?
    /// True for an XSPF list, where file names are URL-escaped.
    package var isEscaped = false
  }

  package private(set) var entries: [Entry] = []

  /// The most bytes of a list.
  package static let byteLimit = 1 << 20
  package static let entryLimit = 10_000

  mutating func add(_ entry: Entry) {
    if !entry.reference.isEmpty { entries.append(entry) }
  }

  package enum Kind: Sendable { case m3u, pls, xspf, cue }

  /// The bytes from which the kind of a list is known.
  package static let probeLength = 512

  /// The kind of a list that begins with these bytes; nil if it is not a list.
  ///
  /// - Parameters:
  ///   - name: a path or an address. A list that holds only names is recognized by its extension.
  ///   - contentType: the content type that a server declares.
  package static func kind(of start: [UInt8], name: some StringProtocol, contentType: String = "")
    -> Kind?
  {
    let bytes = start.starts(with: [0xef, 0xbb, 0xbf]) ? start.dropFirst(3) : start[...]
    let text = bytes.drop { $0 <= 0x20 }
    if begins(text, "#extm3u") { return .m3u }
    if begins(text, "[playlist]") { return .pls }
    let end = name.lowercased()
    // A sheet may be in UTF-16.
    if end.hasSuffix(".cue"), CueSheet.matches(start) { return .cue }
    let isText = !start.isEmpty && !start.contains { $0 == 0 || $0 == 0x7f }
    guard isText else { return nil }
    if text.first == UInt8(ascii: "<") {
      let isMeant = end.hasSuffix(".xspf") || contentType == "application/xspf+xml"
      return isMeant || holds(text, "<playlist") ? .xspf : nil
    }
    if end.hasSuffix(".cue") || contentType == "application/x-cue" || CueSheet.matches(start) {
      return .cue
    }
    let types = ["audio/x-mpegurl", "audio/mpegurl", "application/vnd.apple.mpegurl"]
    return end.hasSuffix(".m3u") || end.hasSuffix(".m3u8") || types.contains(contentType)
      ? .m3u : nil
  }

  package init(_ bytes: [UInt8], _ kind: Kind) throws(Failure) {
    guard bytes.count <= Self.byteLimit else {
      throw Failure(.damaged, "", "a playlist has \(Self.byteLimit >> 20) MB at most")
    }
    let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes[3...] : bytes[...]
    switch kind {
    case .m3u: readM3U(bytes)
    case .pls: readPLS(bytes)
    case .xspf: self = try XSPFReader.playlist(bytes)
    case .cue:
      entries = try CueSheet(Array(bytes)).files.map { Entry(reference: $0.reference) }
    }
    guard entries.count <= Self.entryLimit else {
      throw Failure(
        .unsupportedFormat, "",
        "a playlist has \(Self.entryLimit) entries at most, and this one \(entries.count); divide it"
      )
    }
  }

  /// One file or address per line; `#EXTINF:seconds,title` gives the title of the next one.
  private mutating func readM3U(_ bytes: ArraySlice<UInt8>) {
    var title: String?
    for line in Self.lines(bytes) {
      if line.hasPrefix("#EXTINF:") {
        title = line.firstIndex(of: ",").map { ICYMetadata.text(line[$0...].dropFirst().utf8) }
      } else if !line.hasPrefix("#") {
        add(Entry(reference: line, title: title))
        title = nil
      }
    }
  }

  /// `File1=…`, `Title1=…`; the numbers give the order.
  private mutating func readPLS(_ bytes: ArraySlice<UInt8>) {
    var files: [Int: String] = [:]
    var titles: [Int: String] = [:]
    for line in Self.lines(bytes) {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let key = line[..<sign].lowercased()
      let value = ICYMetadata.text(line[sign...].dropFirst().utf8)
      if key.hasPrefix("file"), let number = Self.number(key.dropFirst(4)) {
        files[number] = value
      } else if key.hasPrefix("title"), let number = Self.number(key.dropFirst(5)) {
        titles[number] = value
      }
    }
    for (number, file) in files.sorted(by: { $0.key < $1.key }) {
      add(Entry(reference: file, title: titles[number]))
    }
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.count <= 9 && digits.utf8.allSatisfy { (48...57).contains($0) } ? Int(digits) : nil
  }

  /// The lines without surrounding spaces, and without empty lines.
  static func lines(_ bytes: ArraySlice<UInt8>) -> [String] {
    bytes.split { $0 == 0x0a || $0 == 0x0d }.map { ICYMetadata.text($0) }.filter { !$0.isEmpty }
  }

  private static func begins(_ bytes: ArraySlice<UInt8>, _ word: String) -> Bool {
    String(decoding: bytes.prefix(word.utf8.count), as: UTF8.self).lowercased() == word
  }

  private static func holds(_ bytes: ArraySlice<UInt8>, _ word: String) -> Bool {
    let word = Array(word.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: word) }
  }
}

extension Playlist {
  init(_ entries: [Entry]) { self.entries = entries }
}
