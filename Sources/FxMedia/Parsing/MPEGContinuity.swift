/// Finds frames of layer III that are missing although every frame begins where the one before ends.
///
/// The main data of a frame begin some bytes before it, behind the main data of the frame before. If they begin earlier than
/// that, a frame between is missing. The checksum of the header is compared if the encoder writes right ones.
struct MPEGContinuity {
  /// Main data before the next frame that are there; nil as long as nothing is missing.
  private var held: Int?
  /// Bytes behind the main data of the frame before; nil if that is not known.
  private var unused: Int?
  /// Consecutive right checksums at the start of the sound.
  private var rightSumCount = 0
  private static let sumProof = 4

  /// True if the next frame needs no bytes that are missing.
  var isComplete: Bool { held == nil }

  /// Bytes are missing here.
  mutating func lose() {
    held = 0
    unused = nil
  }

  /// Adds a whole frame. False if bytes are missing before it, or if it is damaged.
  mutating func add(_ header: MPEGHeader, _ frame: UnsafeBufferPointer<UInt8>) -> Bool {
    guard header.layer == 3, frame.count > header.mainDataOffset else {
      held = nil
      return true
    }
    let limit = header.isLowRate ? 255 : 511
    let side = MPEGSideInfo(header, frame)
    let own = frame.count - header.mainDataOffset
    let borrowed = side.mainDataBegin
    let isRight =
      unused.map { borrowed <= $0 } ?? true && held.map { borrowed <= $0 } ?? true
      && hasRightSum(header, frame)
    let before = isRight ? held ?? limit : 0
    held = before + own >= limit ? nil : before + own
    // A frame that claims more than it has is damaged, and says nothing about the next.
    let rest = borrowed + own - side.mainDataByteCount
    unused = rest >= 0 ? rest : nil
    return isRight
  }

  private mutating func hasRightSum(
    _ header: MPEGHeader, _ frame: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard header.hasSum else { return true }
    let head = header.mainDataOffset - header.sideInfoByteCount
    let sum = CyclicSum.mpegHeader.continued(
      CyclicSum.mpegHeader.continued(0xffff, frame[2..<4]), frame[head..<header.mainDataOffset])
    guard Int(sum) != frame.big(4, 2) else {
      rightSumCount = min(rightSumCount + 1, MPEGContinuity.sumProof)
      return true
    }
    // Some encoders write wrong ones.
    guard rightSumCount == MPEGContinuity.sumProof else {
      rightSumCount = Int.min / 2
      return true
    }
    return false
  }
}

/// The part of a frame of layer III that describes its main data (ISO/IEC 11172-3, section 2.4.1.7).
private struct MPEGSideInfo {
  /// Bytes of main data before the frame that belong to it.
  let mainDataBegin: Int
  /// Bytes of its main data.
  let mainDataByteCount: Int

  init(_ header: MPEGHeader, _ frame: UnsafeBufferPointer<UInt8>) {
    let start = 8 * (header.mainDataOffset - header.sideInfoByteCount)
    func bits(_ place: Int, _ count: Int) -> Int {
      let byte = place / 8
      return frame.big(byte, 3) >> (24 - place % 8 - count) & (1 << count - 1)
    }
    let channels = header.channelCount
    let isLow = header.isLowRate
    mainDataBegin = bits(start, isLow ? 8 : 9)
    // Private bits, and in MPEG-1 a share of scale factors, precede the lengths.
    var place = start + (isLow ? 8 + channels : (channels == 1 ? 14 : 12) + 4 * channels)
    var total = 0
    for _ in 0..<channels * (isLow ? 1 : 2) {
      total += bits(place, 12)
      place += isLow ? 63 : 59
    }
    mainDataByteCount = (total + 7) / 8
  }
}
