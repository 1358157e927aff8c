import FxAudio

/// The block CUESHEET of a FLAC file (RFC 9639, section 8.7), which has numbers and places of tracks
/// and no titles.
enum FLACCueSheet {
  private static let blockKind: UInt8 = 5
  /// The catalogue number, the lead-in, flags and reserved bits, and the number of tracks.
  private static let headByteCount = 128 + 8 + 259 + 1
  private static let trackByteCount = 36
  private static let indexByteCount = 12
  /// The most bytes of a block: 100 tracks with 100 index points each.
  private static let byteLimit = headByteCount + 256 * (trackByteCount + 256 * indexByteCount)

  /// Empty if there is no block, or if it is damaged. The reader's position changes.
  static func read(_ reader: ByteReader) -> [SoundTags.Chapter] {
    guard let file = reader.file else { return [] }
    let bytes = HeaderBytes(file, name: reader.name)
    guard let header = try? FLACHeader(bytes), let block = try? block(bytes) else { return [] }
    return tracks(block, sampleRate: Double(header.info.sampleRate))
  }

  private static func block(_ bytes: HeaderBytes) throws(Failure) -> [UInt8]? {
    var offset = 4
    for _ in 0..<Chunks.limit {
      let head = try bytes.all(at: offset, 4)
      let size = head.big(1, 3)
      if head[0] & 0x7f == blockKind, size <= byteLimit {
        return try bytes.bytes(at: offset + 4, size)
      }
      guard head[0] & 0x80 == 0 else { return nil }
      offset += 4 + size
    }
    return nil
  }

  private static func tracks(_ block: [UInt8], sampleRate: Double) -> [SoundTags.Chapter] {
    guard block.count >= headByteCount else { return [] }
    var chapters: [SoundTags.Chapter] = []
    var place = headByteCount
    for track in 0..<Int(block[headByteCount - 1]) {
      guard place + trackByteCount <= block.count else { return [] }
      let origin = block.big(place, 8)
      let number = Int(block[place + 8])
      let code = block[(place + 9)..<(place + 21)].filter { $0 > 0x20 && $0 < 0x7f }
      let isAudio = block[place + 21] & 0x80 == 0
      let count = Int(block[place + 35])
      place += trackByteCount
      guard place + count * indexByteCount <= block.count else { return [] }
      let points = (0..<count).map { place + $0 * indexByteCount }
      place += count * indexByteCount
      // The last is the lead-out, which ends the track before it.
      let isLeadOut = track + 1 == Int(block[headByteCount - 1])
      let first = points.first { block[$0 + 8] == 1 }
      let (frame, isOverflow) = origin.addingReportingOverflow(first.map { block.big($0, 8) } ?? 0)
      guard frame >= 0, !isOverflow else { return [] }
      let start = min(Double(frame) / sampleRate, SoundTags.timeLimit)
      if let last = chapters.indices.last, chapters[last].end == nil { chapters[last].end = start }
      guard !isLeadOut, isAudio, first != nil else { continue }
      var chapter = SoundTags.Chapter(title: "", start: start)
      chapter.texts["tracknumber"] = "\(number)"
      if code.count == 12 { chapter.texts["isrc"] = String(decoding: code, as: UTF8.self) }
      chapters.append(chapter)
    }
    return chapters
  }
}
