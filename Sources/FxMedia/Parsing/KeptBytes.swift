/// The pushed bytes that a seek needs again: the beginning of the stream, its first packets and its end.
package final class KeptBytes {
  /// Bytes that follow each other, within a range of the stream.
  private struct Stretch {
    var range: Range<Int>
    var offset = 0
    var bytes: [UInt8] = []

    mutating func add(_ piece: [UInt8], at place: Int) {
      let start = max(place, range.lowerBound)
      let end = min(place + piece.count, range.upperBound)
      guard start < end else { return }
      if bytes.isEmpty { offset = start }
      let reached = offset + bytes.count
      if place <= reached, end > reached {
        bytes += piece[(reached - place)..<(end - place)]
      } else if start < offset, end >= offset {
        bytes.insert(contentsOf: piece[(start - place)..<(offset - place)], at: 0)
        offset = start
      }
    }
  }

  private var head = Stretch(range: 0..<byteCount)
  /// Around the first packet. Its place is only known when some bytes behind it have been read.
  private var start = Stretch(range: byteCount..<Int.max)
  private var end: Stretch
  private var isStartKnown = false
  private static let byteCount = 1 << 16

  /// - Parameter byteCount: bytes of the whole stream.
  package init(byteCount: Int) {
    end = Stretch(range: max(byteCount - 3 * KeptBytes.byteCount, KeptBytes.byteCount)..<Int.max)
  }

  /// Keeps what is needed of some pushed bytes.
  ///
  /// - Parameter dataOffset: the offset of the first packet; nil if it is not known yet.
  package func add(_ piece: [UInt8], at place: Int, dataOffset: Int?) {
    head.add(piece, at: place)
    end.add(piece, at: place)
    if !isStartKnown, let dataOffset {
      isStartKnown = true
      start.range = max(dataOffset, head.range.upperBound)..<dataOffset + KeptBytes.byteCount
    }
    start.add(piece, at: place)
    let excess = start.bytes.count - 4 * KeptBytes.byteCount
    guard !isStartKnown, excess > 0 else { return }
    start.bytes.removeFirst(excess + KeptBytes.byteCount)
    start.offset += excess + KeptBytes.byteCount
  }

  /// Up to `count` kept bytes from an offset on; nil if it is not kept.
  func bytes(at place: Int, _ count: Int) -> ArraySlice<UInt8>? {
    for stretch in [head, start, end] {
      let first = place - stretch.offset
      guard stretch.bytes.indices.contains(first) else { continue }
      return stretch.bytes[first..<min(first + count, stretch.bytes.count)]
    }
    return nil
  }

  /// All bytes before an offset; nil if some are not kept.
  func beginning(upTo offset: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < offset {
      guard let more = self.bytes(at: bytes.count, offset - bytes.count) else { return nil }
      bytes += more
    }
    return bytes
  }
}
