/// The place of a playlist, which its relative entries refer to.
enum PlaylistPlace: Sendable, Hashable {
  /// The folder with its slash; empty for the current folder.
  case folder(String)
  case address(HTTPAddress)

  /// The target of an entry. nil if fxrun cannot play it, and for a local file in a playlist from a
  /// server.
  func resolved(_ entry: Playlist.Entry) -> PlaylistTarget? {
    let reference = entry.reference
    if let address = HTTPAddress(Self.escaped(reference)) { return .address(address) }
    switch self {
    case .address(let base): return base.resolving(Self.escaped(reference)).map { .address($0) }
    case .folder(let folder):
      guard let path = Self.path(reference, isEscaped: entry.isEscaped),
        !path.utf8.contains(0), !path.isEmpty
      else { return nil }
      return .file(path.hasPrefix("/") ? path : "\(folder.isEmpty ? "./" : folder)\(path)")
    }
  }

  /// The path of a file, relative or as a `file:` address.
  private static func path(_ reference: String, isEscaped: Bool) -> String? {
    guard reference.lowercased().hasPrefix("file:") else {
      let hasScheme = reference.firstIndex(of: ":").map {
        reference[$0...].hasPrefix("://")
      }
      if hasScheme == true { return nil }
      return isEscaped ? unescaped(reference) : reference
    }
    var path = reference.dropFirst(5)
    if path.hasPrefix("//") {
      path = path.dropFirst(2)
      if path.lowercased().hasPrefix("localhost/") { path = path.dropFirst(9) }
      // A file on another machine.
      guard path.hasPrefix("/") else { return nil }
    }
    return unescaped(String(path))
  }

  /// Escapes bytes that are not allowed in an address.
  private static func escaped(_ reference: String) -> String {
    let digits = Array("0123456789ABCDEF")
    return reference.utf8.reduce(into: "") { text, byte in
      if byte <= 0x20 || byte >= 0x7f || [0x22, 0x3c, 0x3e, 0x5c].contains(byte) {
        text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      } else {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
  }

  private static func unescaped(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// The target of a playlist's entry.
enum PlaylistTarget: Sendable, Hashable {
  case file(String)
  case address(HTTPAddress)

  var shown: String {
    switch self {
    case .file(let path): path
    case .address(let address): address.shown
    }
  }

  /// The whole path or address.
  var location: String {
    switch self {
    case .file(let path): path
    case .address(let address): address.text
    }
  }

  var isFile: Bool {
    if case .file = self { true } else { false }
  }

  /// The place that entries of a list at this target refer to.
  var place: PlaylistPlace {
    switch self {
    case .file(let path): .folder(PartialName.split(path).folder)
    case .address(let address): .address(address)
    }
  }
}
