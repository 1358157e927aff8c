/// Finds the frames of native FLAC in a window.
struct FLACFrameFinder {
  enum Found {
    /// A frame begins at the window. It is not whole if its checksum is wrong; then it ends where the next one begins.
    case frame(FLACFrameHeader, byteCount: Int, isWhole: Bool)
    /// Bytes that are no frame were skipped, or bytes are missing here.
    case gap
    /// The header of a joined file was skipped.
    case stream
  }

  private let window: ByteWindow
  private let info: FLACStreamInfo
  /// The size limit in bytes for the search for a frame's end.
  private let longestFrame: Int

  init(_ window: ByteWindow, _ info: FLACStreamInfo) {
    self.window = window
    self.info = info
    // An encoder stores samples as they are if that is shorter.
    let stored = info.blockSizes.upperBound * info.channelCount * (info.bitsPerSample + 1) / 8
    longestFrame = min(1 << 21, 2 * stored + 4096)
  }

  /// The next frame, or what precedes it; nil at the end.
  ///
  /// - Parameter expected: the number of the next frame's first sample, if nothing is missing. A frame with a different
  ///   number must be whole, because a header also occurs by chance.
  func next(at expected: Int?) -> Found? {
    if let header = header(at: 0) {
      let (length, isWhole) = length(of: header)
      if isWhole || header.start(in: info) == expected {
        return .frame(header, byteCount: length, isWhole: isWhole)
      }
    } else if FLACHeader.isMark(window.bytes()), skipHeader() {
      return .stream
    }
    guard window.has(2) else {
      window.skip(window.count)
      return window.passHole() ? .gap : nil
    }
    repeat {
      window.skip(1)
    } while (window.has(FLACFrameHeader.longest) || window.count >= 6) && header(at: 0) == nil
      && !FLACHeader.isMark(window.bytes())
    if window.count >= 6 { return .gap }
    window.skip(window.count)
    // Zeros or a tag after the last frame are not part of the sound.
    return window.passHole() ? .gap : nil
  }

  private func header(at place: Int) -> FLACFrameHeader? {
    guard window.has(place + FLACFrameHeader.longest) || window.count >= place + 6,
      window[place] == 0xff, let header = FLACFrameHeader(window.bytes(at: place)),
      header.sampleCount <= max(info.blockSizes.upperBound, 16)
    else { return nil }
    return header
  }

  /// A frame ends where its checksum is right and another frame, or nothing, follows. If there is no such place, it ends at
  /// the first right checksum before the next frame: other bytes follow it.
  private func length(of header: FLACFrameHeader) -> (byteCount: Int, isWhole: Bool) {
    var sum: UInt32 = 0
    var place = 0
    var lonelyEnd: Int?
    var next: Int?
    while place < longestFrame, window.has(place + 1) {
      sum = CyclicSum.flacFrame.continued(sum, CollectionOfOne(window[place]))
      place += 1
      guard place > header.byteCount else { continue }
      let isFollowed =
        window.has(place + 1) && window[place] == 0xff && self.header(at: place) != nil
      if sum == 0, place > header.byteCount + 2 {
        if isFollowed || !window.has(place + 2) || FLACHeader.isMark(window.bytes(at: place)) {
          return (place, true)
        }
        if next == nil { lonelyEnd = lonelyEnd ?? place }
      }
      if isFollowed { next = next ?? place }
    }
    if let lonelyEnd { return (lonelyEnd, true) }
    return (next ?? min(window.count, place + 1), false)
  }

  /// Skips the header of a joined file. False if it is damaged, or describes a different format.
  private func skipHeader() -> Bool {
    let start = window.offset
    let bytes = HeaderBytes(window, name: "", byteCount: nil)
    guard let header = try? FLACHeader(bytes), header.info.format == info.format else {
      return false
    }
    return window.skip(start + header.audioOffset - window.offset)
  }
}
