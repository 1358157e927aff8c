/// Sets the stream serial number in every page of an Ogg stream (RFC 3533) to a fixed value.
/// Encoders choose it at random; with a fixed value equal renders make equal files.
struct OggPageStamp {
  private static let serial: [UInt8] = Array("fxrn".utf8)
  private var held: [UInt8] = []

  mutating func add(_ bytes: UnsafeRawBufferPointer) { held += bytes }

  /// The next complete page; nil if more bytes are needed.
  mutating func next() -> [UInt8]? {
    guard let head = held.withUnsafeBufferPointer({ OggPage($0) }) else { return nil }
    var page = Array(held[..<head.byteCount])
    held.removeFirst(head.byteCount)
    OggPage.change(&page, serial: OggPageStamp.serial)
    return page
  }

  /// Bytes that are not a complete page.
  var rest: [UInt8] { held }
}
