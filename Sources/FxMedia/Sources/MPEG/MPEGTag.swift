/// The information frame at the start of MPEG audio (Xing, LAME or VBRI). It holds no sound itself.
struct MPEGTag: Equatable {
  /// Frames that follow; 0 if unknown.
  private(set) var frameCount = 0
  /// Bytes starting with the information frame; nil if unknown.
  private(set) var byteCount: Int?
  /// Samples to drop at the start.
  private(set) var skippedCount = 0
  /// Samples to drop at the end of the last frames.
  private(set) var cutCount = 0

  /// The place of each hundredth of the sound, in 256ths of the bytes; empty if it is not stored.
  private(set) var places: [UInt8] = []

  /// True if frames have different bit rates.
  private(set) var isVariable = true

  /// The delay of a layer III decoder in samples.
  private static let decoderDelay = 529

  /// nil if this is a frame of sound.
  init?(_ header: MPEGHeader, _ frame: UnsafeBufferPointer<UInt8>) {
    guard header.layer == 3 else { return nil }
    func number(_ offset: Int, _ width: Int) -> Int? {
      offset + width <= frame.count ? frame.big(offset, width) : nil
    }
    let vbri = 36
    if number(vbri, 4) == 0x5642_5249, let frames = number(vbri + 14, 4),
      let bytes = number(vbri + 10, 4)
    {
      frameCount = frames
      byteCount = bytes
      return
    }
    // The checksum is not counted. All bytes before the name are zero.
    var place = 4 + header.sideInfoByteCount
    guard let name = number(place, 4), name == 0x5869_6e67 || name == 0x496e_666f,
      frame[6..<place].allSatisfy({ $0 == 0 }), let flags = number(place + 4, 4)
    else { return nil }
    isVariable = name == 0x5869_6e67
    place += 8
    if flags & 1 != 0 {
      guard let frames = number(place, 4) else { return }
      frameCount = frames
      place += 4
    }
    if flags & 2 != 0 {
      byteCount = number(place, 4)
      place += 4
    }
    if flags & 4 != 0 {
      if place + 100 <= frame.count { places = Array(frame[place..<place + 100]) }
      place += 100
    }
    if flags & 8 != 0 { place += 4 }
    guard frameCount > 0 else { return }
    skippedCount = MPEGTag.decoderDelay
    guard let encoder = number(place, 1), encoder != 0, let both = number(place + 21, 3) else {
      return
    }
    skippedCount += both >> 12
    cutCount = max(0, both & 0xfff - MPEGTag.decoderDelay)
  }

  /// Bytes from the information frame to a frame, estimated by the stored places; nil if the tag has no lengths.
  func byteCount(before number: Int) -> Int? {
    guard frameCount > 0, let byteCount else { return nil }
    let share = min(Double(number) / Double(frameCount), 1)
    guard places.count == 100 else { return Int(share * Double(byteCount)) }
    let step = min(Int(share * 100), 99)
    let start = Double(places[step])
    let end = step < 99 ? Double(places[step + 1]) : 256
    return Int((start + (end - start) * (share * 100 - Double(step))) / 256 * Double(byteCount))
  }

  /// Samples of the whole sound, from the samples per frame; nil if unknown.
  func sampleCount(_ samplesPerFrame: Int) -> Int? {
    guard frameCount > 0 else { return nil }
    return max(0, frameCount * samplesPerFrame - cutCount - skippedCount)
  }
}
