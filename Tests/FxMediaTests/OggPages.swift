@testable import FxMedia

/// The pages of a stream in Ogg, for tests that change them.
enum OggPages {
  static func split(_ bytes: [UInt8]) -> [[UInt8]] {
    var pages: [[UInt8]] = []
    var place = 0
    while place + 27 < bytes.count {
      let body = place + 27 + Int(bytes[place + 26])
      let end = bytes[place + 27..<body].reduce(body) { $0 + Int($1) }
      pages.append(Array(bytes[place..<end]))
      place = end
    }
    return pages
  }

  /// A page with a different granule or stream, and the checksum that belongs to it.
  static func changed(_ page: [UInt8], granule: UInt64? = nil, serial: Int? = nil) -> [UInt8] {
    var page = page
    if let granule {
      for byte in 0..<8 {
        page[6 + byte] = UInt8(truncatingIfNeeded: granule >> UInt64(8 * byte))
      }
    }
    if let serial { page.replaceSubrange(14..<18, with: FilePatch.little(0, serial, 4).bytes) }
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    page.replaceSubrange(22..<26, with: FilePatch.little(0, Int(CyclicSum.oggPage(page)), 4).bytes)
    return page
  }
}
