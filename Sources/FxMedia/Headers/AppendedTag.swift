/// Tags behind a sound: ID3v1, and APE in front of it.
enum AppendedTag {
  /// True for bytes that may begin a tag of any kind.
  static func begins(_ bytes: some Collection<UInt8>) -> Bool {
    ["TAG", "ID3", "APE"].contains(bytes.text(0, 3))
  }

  /// The size in bytes of the tags at the end; 0 without any.
  static func byteCount(atEndOf bytes: some BidirectionalCollection<UInt8>) -> Int {
    let old = bytes.suffix(128).count == 128 && bytes.suffix(128).text(0, 3) == "TAG" ? 128 : 0
    let footer = bytes.dropLast(old).suffix(APEMark.byteCount)
    return min(old + (APEMark(footer)?.tagByteCount ?? 0), bytes.count)
  }
}

/// The header or the footer of an APE tag, which have the same form.
struct APEMark {
  static let byteCount = 32
  /// Bytes of the whole tag, counted from a header on, or up to a footer's end.
  let tagByteCount: Int
  let isHeader: Bool

  /// nil for other bytes.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count >= APEMark.byteCount, bytes.text(0, 8) == "APETAGEX" else { return nil }
    let flags = bytes.little(20, 4)
    isHeader = flags & 0x2000_0000 != 0
    // The size includes the footer, and never the header.
    let hasHeader = isHeader || flags & 0x8000_0000 != 0
    tagByteCount =
      max(bytes.little(12, 4), APEMark.byteCount) + (hasHeader ? APEMark.byteCount : 0)
  }
}
