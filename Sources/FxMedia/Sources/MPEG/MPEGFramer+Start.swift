/// The first frame: where MPEG audio begins, and whether the bytes are MPEG audio at all. A few
/// headers also occur by chance, for example in samples without a header.
extension MPEGFramer {
  /// The most bytes before the first frame that may be something else, not counting tags.
  static let searchLimit = 1 << 16
  /// The number of frames that prove the first part, if the bytes have so many.
  private static let firstProof = 6
  /// The same for layer I.
  private static let weakProof = 48

  /// Moves to the first frame. Returns the number of bytes before it that are neither tags nor a
  /// container's header; nil without a frame.
  func findFirst() -> Int? {
    var skipped = 0
    // Not counting zeros at the start.
    var unknown = 0
    while has(4) || window.passHole(), skipped < MPEGFramer.searchLimit {
      guard has(4) else { continue }
      if let length = MPEGTrailer.length(at: 0, of: self), skip(length) { continue }
      if let found = found(at: 0, proof: 3), isBelievable(found, unknown, skipped) {
        kind = found
        unknownByteCount = unknown
        return skipped
      }
      if window[0] != 0 || unknown > 0 { unknown += 1 }
      _ = skip(1)
      skipped += 1
    }
    return nil
  }

  /// True if the frames from here on have more bytes than those that are no frames: the bytes
  /// before, and gaps between the frames.
  ///
  /// - Parameters:
  ///   - before: the bytes before, without zeros at the start.
  ///   - skipped: all bytes before.
  private func isBelievable(_ kind: Kind, _ before: Int, _ skipped: Int) -> Bool {
    // In free format any distance fits, so that waves look like it. Quiet samples are full of the
    // headers of layer I.
    let first = kind.header
    let isWeak = first.isFreeFormat || first.layer == 1
    guard !isWeak || before == 0, !first.isFreeFormat || first.layer == 3,
      !isPeriodic(kind, skipped)
    else { return false }
    let proof = first.layer == 1 ? MPEGFramer.weakProof : MPEGFramer.firstProof
    var place = 0
    var frames = (count: 0, bytes: 0)
    var unknown = before
    while has(place + 4), place < MPEGFramer.capacity {
      if frames.count >= proof, frames.bytes > unknown { return true }
      if let header = header(at: place), kind.matches(header) {
        let length = kind.byteCount(header)
        // The end of the bytes may cut the last frame off.
        let held = has(place + length) ? length : max(window.count - place, 0)
        frames = (frames.count + 1, frames.bytes + held)
        place += length
      } else if let length = MPEGTrailer.length(at: place, of: self) {
        place += length
      } else {
        repeat {
          unknown += 1
          place += 1
        } while has(place + 4) && !isFrame(at: place, kind)
      }
    }
    guard frames.count < proof else { return frames.bytes > unknown }
    // A short sound proves less.
    guard first.layer > 1 else { return unknown == 0 && place == window.count }
    return frames.count >= 3 ? frames.bytes > skipped : skipped == 0 && unknown == 0
  }

  /// True if a wave without a header repeats the same bytes as often as frames begin: its header
  /// also occurs inside the frame, or bytes precede several frames that are all the same.
  private func isPeriodic(_ kind: Kind, _ skipped: Int) -> Bool {
    guard let header = header(at: 0), case let length = kind.byteCount(header), length > 8,
      has(length * MPEGFramer.firstProof)
    else { return false }
    let bytes = bytes(at: 0)
    let head = bytes[..<4]
    if (4..<length - 4).contains(where: { bytes[$0..<$0 + 4].elementsEqual(head) }) { return true }
    return skipped > 0
      && (1..<MPEGFramer.firstProof).allSatisfy { frame in
        bytes[frame * length..<(frame + 1) * length].elementsEqual(bytes[..<length])
      }
  }
}
