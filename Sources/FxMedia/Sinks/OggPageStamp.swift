/// Sets the stream serial number in every page of an Ogg stream (RFC 3533) to a fixed value.
/// Encoders choose it at random; with a fixed value equal renders make equal files.
struct OggPageStamp {
  private static let serial: [UInt8] = Array("fxrn".utf8)
  private var held: [UInt8] = []

  mutating func add(_ bytes: UnsafeRawBufferPointer) { held += bytes }

  /// The next complete page; nil if more bytes are needed.
  mutating func next() -> [UInt8]? {
    guard held.count >= 27, held.starts(with: "OggS".utf8) else { return nil }
    let body = 27 + Int(held[26])
    guard held.count >= body else { return nil }
    let size = body + held[27..<body].reduce(0) { $0 + Int($1) }
    guard held.count >= size else { return nil }
    var page = Array(held[..<size])
    held.removeFirst(size)
    page.replaceSubrange(14..<18, with: OggPageStamp.serial)
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    page.replaceSubrange(
      22..<26, with: FilePatch.little(0, Int(CyclicSum.oggPage(page)), 4).bytes)
    return page
  }

  /// Bytes that are not a complete page.
  var rest: [UInt8] { held }
}
