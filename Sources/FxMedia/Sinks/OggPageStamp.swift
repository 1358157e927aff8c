/// Gives every page of an Ogg stream (RFC 3533) the same number of the stream, where encoders draw one
/// by chance: equal renders make equal files.
struct OggPageStamp {
  private static let serial: [UInt8] = Array("fxrn".utf8)
  private var held: [UInt8] = []

  mutating func add(_ bytes: UnsafeRawBufferPointer) { held += bytes }

  /// The next whole page; nil where more is needed.
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

  /// What is no whole page.
  var rest: [UInt8] { held }
}
