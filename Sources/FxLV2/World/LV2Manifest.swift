import Glibc

/// The text of a bundle's manifest, searched without parsing it.
struct LV2Manifest {
  /// Ends with a zero.
  private let bytes: [UInt8]

  /// nil when the file does not exist or is larger than a manifest can be.
  init?(path: String) {
    guard let text = CacheFile(path: path).contents() else { return nil }
    bytes = text + [0]
  }

  init(text: String) { bytes = Array(text.utf8) + [0] }

  /// True when the text contains the URI in full, or abbreviated with a prefix that it declares.
  func mentions(_ uri: String) -> Bool {
    let uri = Array(uri.utf8)
    if contains(uri) { return true }
    var start = 0
    while let declaration = position(of: Array("prefix".utf8), from: start) {
      start = declaration + 6
      guard let (prefix, iri) = prefixDeclaration(at: start) else { continue }
      guard iri.count < uri.count, uri.starts(with: iri) else { continue }
      let rest = uri[iri.count...].prefix { $0.isNameByte }
      if contains(prefix + rest) { return true }
    }
    return false
  }

  /// `name: <iri>`, with the colon as part of the name.
  private func prefixDeclaration(at start: Int) -> (prefix: [UInt8], iri: [UInt8])? {
    let line = bytes[start...].prefix(1024)
    guard let open = line.firstIndex(of: UInt8(ascii: "<")),
      let close = line[open...].firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    let prefix = line[start..<open].filter { $0 > UInt8(ascii: " ") }
    guard prefix.last == UInt8(ascii: ":") else { return nil }
    return (prefix, Array(line[(open + 1)..<close]))
  }

  private func contains(_ text: [UInt8]) -> Bool { position(of: text, from: 0) != nil }

  private func position(of text: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes in
      (text + [0]).withUnsafeBytes { text in
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          let needle = text.baseAddress?.assumingMemoryBound(to: CChar.self), start < bytes.count,
          let found = strstr(base + start, needle)
        else { return nil }
        return UnsafePointer(found) - base
      }
    }
  }
}

extension UInt8 {
  /// True for a byte that Turtle allows in a local name without escaping.
  fileprivate var isNameByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
