/// The main data that a frame of layer III takes from the frames before it (bit reservoir).
///
/// After damage a frame may refer to missing bytes, and other bytes in their place would decode to
/// noise. Such a frame becomes silence; its own bytes still serve the next frames.
final class BitReservoir {
  /// Valid bytes before the next frame; nil as long as nothing is missing.
  private var byteCount: Int?
  private let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: longestFrame)
  private static let longestFrame = 4096

  deinit { copy.deallocate() }

  /// The earlier bytes are lost.
  func clear() { byteCount = 0 }

  /// At the beginning of the sound nothing is missing.
  func begin() { byteCount = nil }

  /// The frame to decode. It is silent if it is incomplete or lacks bytes of earlier frames. It is
  /// also silent if its sound is not needed, which is faster.
  func fill(
    _ header: MPEGHeader, _ frame: UnsafeBufferPointer<UInt8>, isWhole: Bool, length: Int,
    isOfUse: Bool = true
  ) -> (bytes: UnsafeBufferPointer<UInt8>, isSilenced: Bool) {
    let side = header.mainDataOffset - header.sideInfoByteCount
    guard isWhole else {
      let silent = silence(header, frame, length: length, keeping: 4, held: byteCount ?? 0)
      byteCount = 0
      return (silent, true)
    }
    guard header.layer == 3, frame.count > header.mainDataOffset else { return (frame, false) }
    let limit = header.isLowRate ? 255 : 511
    let held = byteCount ?? limit
    let borrowed =
      header.isLowRate ? Int(frame[side]) : Int(frame[side]) << 1 | Int(frame[side + 1]) >> 7
    let own = frame.count - header.mainDataOffset
    let lacksBytes = borrowed > held
    let silent =
      lacksBytes || !isOfUse
      ? silence(header, frame, length: length, keeping: frame.count, held: held) : nil
    byteCount = held + own >= limit ? nil : held + own
    return (silent ?? frame, lacksBytes)
  }

  /// A silent frame. It refers to all held bytes, so that the decoder keeps them.
  private func silence(
    _ header: MPEGHeader, _ frame: UnsafeBufferPointer<UInt8>, length: Int, keeping count: Int,
    held: Int
  ) -> UnsafeBufferPointer<UInt8> {
    let length = min(length, BitReservoir.longestFrame)
    let side = header.mainDataOffset - header.sideInfoByteCount
    let limit = header.isLowRate ? 255 : 511
    let held = min(held, limit)
    for index in 0..<length { copy[index] = index < min(count, frame.count) ? frame[index] : 0 }
    for index in side..<min(header.mainDataOffset, length) { copy[index] = 0 }
    if header.isLowRate {
      copy[side] = UInt8(held)
    } else {
      copy[side] = UInt8(held >> 1)
      copy[side + 1] = UInt8(held & 1) << 7
    }
    return UnsafeBufferPointer(start: UnsafePointer(copy), count: length)
  }
}
