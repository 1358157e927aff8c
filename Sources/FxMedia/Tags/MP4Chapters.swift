import FxAudio

/// The chapters of an MP4 file: a text track (QuickTime) or a list (`chpl`, Nero).
enum MP4Chapters {
  /// The longest title in bytes.
  private static let titleLimit = 1024

  /// Empty if they cannot be read. The reader's position changes.
  static func read(_ reader: ByteReader) -> [SoundTags.Chapter] {
    guard reader.seek(to: 0), let movie = try? MP4Box.movie(reader) else { return [] }
    if let track = MP4Track.chapters(in: movie) {
      let found = chapters(of: track, reader)
      if !found.isEmpty { return found }
    }
    return movie.child("udta", "chpl").map(chapters) ?? []
  }

  private static func chapters(
    of track: MP4Track, _ reader: ByteReader
  ) -> [SoundTags.Chapter] {
    var chapters: [SoundTags.Chapter] = []
    var start = 0
    for packet in track.packets.prefix(SoundTags.Chapter.countLimit) {
      let length = packet.frameCount
      defer { start += length }
      let size = packet.size
      guard size >= 2, reader.seek(to: packet.offset) else { return chapters }
      var bytes = [UInt8](repeating: 0, count: min(size, titleLimit + 2))
      let count = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { reader.readFully($0, buffer.count) } ?? 0
      }
      guard count == bytes.count else { return chapters }
      let title = bytes.dropFirst(2).prefix(bytes.big(0, 2))
      let scale = Double(track.timescale)
      chapters.append(
        SoundTags.Chapter(
          title: text(title), start: Double(start) / scale, end: Double(start + length) / scale))
    }
    return chapters
  }

  /// UTF-8, or UTF-16 after a byte order mark.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.starts(with: [0xfe, 0xff]) else { return String(decoding: bytes, as: UTF8.self) }
    let units = bytes.dropFirst(2)
    let pairs = stride(from: units.startIndex, to: units.endIndex - 1, by: 2)
    return String(
      decoding: pairs.map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }, as: UTF16.self)
  }

  /// A version, flags, in version 1 four more bytes, and a count. Then for each chapter a time in
  /// units of 100 ns, and a title with its length.
  private static func chapters(of list: MP4Box) -> [SoundTags.Chapter] {
    var place = list.number(0, 1) == 0 ? 4 : 8
    let count = list.number(place, 1)
    place += 1
    var chapters: [SoundTags.Chapter] = []
    for _ in 0..<count {
      let length = list.number(place + 8, 1)
      guard place + 9 + length <= list.content.count else { return chapters }
      chapters.append(
        SoundTags.Chapter(
          title: String(
            decoding: list.content.dropFirst(place + 9).prefix(length), as: UTF8.self),
          start: Double(list.number(place, 8)) / 1e7))
      place += 9 + length
    }
    return chapters
  }
}
