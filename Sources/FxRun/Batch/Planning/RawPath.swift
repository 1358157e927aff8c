/// A path as the file system stores it: bytes, which need not be UTF-8.
package struct RawPath: Sendable, Hashable {
  package let bytes: [UInt8]

  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  package init(_ text: String) { bytes = Array(text.utf8) }

  /// A C string.
  package init(_ text: UnsafePointer<CChar>) {
    var bytes: [UInt8] = []
    var next = text
    while next.pointee != 0 {
      bytes.append(UInt8(bitPattern: next.pointee))
      next += 1
    }
    self.bytes = bytes
  }

  /// True if a text can express the path.
  package var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// The path for messages, records and outputs. A byte that is not UTF-8 is written `%E9`.
  package var text: String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    var place = 0
    while place < bytes.count {
      let scalar = (1...4).lazy.compactMap { count in
        place + count <= bytes.count
          ? String(validating: bytes[place..<place + count], as: UTF8.self) : nil
      }.first
      if let scalar {
        text += scalar
        place += scalar.utf8.count
      } else {
        let digits = String(bytes[place], radix: 16, uppercase: true)
        text += "%" + digits
        place += 1
      }
    }
    return text
  }

  /// The path of a name in this folder.
  func appending(_ name: [UInt8]) -> RawPath {
    if bytes == [UInt8(ascii: ".")] { return RawPath(name) }
    let slash = bytes.isEmpty || bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return RawPath(bytes + slash + name)
  }

  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (bytes + [0]).withUnsafeBytes { bytes in
      bytes.assumingMemoryBound(to: CChar.self).baseAddress.map(body) ?? body("")
    }
  }
}
