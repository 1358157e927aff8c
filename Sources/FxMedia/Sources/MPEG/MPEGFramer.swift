import FxFrames

/// Finds the frames in a reader of MPEG audio, and what lies between them.
///
/// A header alone proves nothing: the same four bytes occur by chance. A frame counts where the frames
/// before or behind it agree with it, and a frame of another kind only at the head of several.
final class MPEGFramer {
  enum Step {
    /// A frame; its bytes stay until the next step. Less than whole where the next one begins inside.
    case frame(MPEGHeader, UnsafeBufferPointer<UInt8>, isWhole: Bool)
    /// So many bytes are no frame, and another frame follows.
    case gap(Int)
    /// So many bytes are no frame, and nothing follows.
    case trailing(Int)
    /// The reader ends inside a frame, of which so many bytes are there.
    case cutShort(Int)
    /// Frames of another kind follow.
    case change
    case end
  }

  /// What all frames of a part have in common.
  struct Kind: Equatable {
    let header: MPEGHeader
    /// Bytes of a frame of free format without padding; 0 for any other.
    let freeByteCount: Int

    func matches(_ other: MPEGHeader) -> Bool {
      other.kind == header.kind && other.isFreeFormat == header.isFreeFormat
    }

    func byteCount(_ header: MPEGHeader) -> Int {
      header.byteCount ?? freeByteCount + header.paddingByteCount
    }
  }

  /// The kind of the frames that come now; nil before the first.
  private(set) var kind: Kind?
  /// Where the next frame begins, as far as it is known.
  var offset: Int { window.offset }
  private let window: ByteWindow
  private static let capacity = 1 << 17
  /// The longest frame that libmpg123 takes.
  private static let longestFrame = 3456
  /// So many bytes in front of the first frame may be something else, apart from tags.
  static let searchLimit = 1 << 16
  /// So many frames in a row are a sound of their own.
  private static let proof = 4

  /// Begins where the reader is.
  init(_ reader: ByteReader) { window = ByteWindow(reader, limit: MPEGFramer.capacity) }

  /// Goes to the first frame. Returns how many bytes in front of it are neither tags nor a wrapping;
  /// nil without a frame.
  func findFirst() -> Int? {
    var skipped = 0
    while has(4), skipped < MPEGFramer.searchLimit {
      if let length = MPEGTrailer.length(at: 0, of: self), skip(length) { continue }
      if let found = found(at: 0, proof: 3) {
        kind = found
        return skipped
      }
      _ = skip(1)
      skipped += 1
    }
    return nil
  }

  /// Goes back, or on, to a frame of a kind.
  func resume(at offset: Int, _ kind: Kind) -> Bool {
    guard window.resume(at: offset) else { return false }
    self.kind = kind
    return true
  }

  /// The frame that is next where `kind` has just been found.
  func peekFrame() -> (MPEGHeader, UnsafeBufferPointer<UInt8>)? {
    guard let kind, let header = header(at: 0) else { return nil }
    let length = kind.byteCount(header)
    guard has(length) else { return nil }
    return (header, UnsafeBufferPointer(rebasing: bytes(at: 0)[..<length]))
  }

  func next() -> Step {
    guard let kind else { return .end }
    while has(4) {
      if let header = header(at: 0), kind.matches(header) {
        return frame(header, kind)
      }
      if let length = MPEGTrailer.length(at: 0, of: self), skip(length) { continue }
      return between(kind)
    }
    let rest = window.count
    return rest > 0 && skip(rest) ? .trailing(rest) : .end
  }

  private func frame(_ header: MPEGHeader, _ kind: Kind) -> Step {
    let length = kind.byteCount(header)
    let isThere = has(length)
    if !isThere || !isFollowed(at: length, kind) {
      // One that was cut is followed too early.
      let limit = min(length, window.count)
      if let inner = (4..<max(limit, 4)).first(where: { isFrame(at: $0, kind) }) {
        return take(header, inner, isWhole: false)
      }
      guard isThere else {
        let rest = window.count
        _ = skip(rest)
        return .cutShort(rest)
      }
    }
    return take(header, length, isWhole: true)
  }

  private func take(_ header: MPEGHeader, _ count: Int, isWhole: Bool) -> Step {
    let bytes = UnsafeBufferPointer(rebasing: bytes(at: 0)[..<count])
    _ = skip(count)
    return .frame(header, bytes, isWhole: isWhole)
  }

  /// What is no frame, up to the next.
  private func between(_ kind: Kind) -> Step {
    var skipped = 0
    var isEmpty = true
    while has(4) {
      if isFrame(at: 0, kind) { return .gap(skipped) }
      if let found = found(at: 0, proof: MPEGFramer.proof) {
        guard skipped == 0 else { return .gap(skipped) }
        self.kind = found
        return .change
      }
      if skipped > 0, MPEGTrailer.length(at: 0, of: self) != nil { break }
      isEmpty = isEmpty && window[0] == 0
      _ = skip(1)
      skipped += 1
    }
    if !has(4) {
      let rest = window.count
      isEmpty = isEmpty && (0..<rest).allSatisfy { window[$0] == 0 }
      _ = skip(rest)
      skipped += rest
      // Zeros behind the end are filling.
      return isEmpty ? .end : .trailing(skipped)
    }
    return .gap(skipped)
  }
}

// MARK: - Looking ahead

extension MPEGFramer {
  /// True when so many bytes are there to be looked at, of at most the window.
  func has(_ count: Int) -> Bool { window.has(count) }

  /// The bytes from a place on that are there already.
  func bytes(at place: Int) -> UnsafeBufferPointer<UInt8> { window.bytes(at: place) }

  private func header(at place: Int) -> MPEGHeader? {
    window.bytes(at: place).baseAddress.flatMap(MPEGHeader.init)
  }

  /// Drops bytes. False where there are not so many.
  private func skip(_ count: Int) -> Bool { window.skip(count) }

  /// True where a frame of a kind begins that another one follows.
  private func isFrame(at place: Int, _ kind: Kind) -> Bool {
    guard window[place] == 0xff, has(place + 4), let header = header(at: place),
      kind.matches(header)
    else { return false }
    return run(at: place, kind, limit: 2) >= 2
  }

  /// True for what may follow a frame.
  private func isFollowed(at place: Int, _ kind: Kind) -> Bool {
    guard has(place + 4) else { return true }
    if let header = header(at: place), kind.matches(header) { return true }
    return MPEGTrailer.length(at: place, of: self) != nil
      || found(at: place, proof: MPEGFramer.proof) != nil
  }

  /// The kind of a run of frames, or of what there is of it up to the end.
  private func found(at place: Int, proof: Int) -> Kind? {
    guard window[place] == 0xff, let header = header(at: place) else { return nil }
    guard header.isFreeFormat else {
      let kind = Kind(header: header, freeByteCount: 0)
      return run(at: place, kind, limit: proof) >= proof ? kind : nil
    }
    // The distance of two headers is the length.
    for distance in 24...MPEGFramer.longestFrame {
      guard has(place + distance + 4) else { return nil }
      guard let next = self.header(at: place + distance), next.kind == header.kind,
        next.isFreeFormat
      else { continue }
      let kind = Kind(header: header, freeByteCount: distance - header.paddingByteCount)
      if run(at: place, kind, limit: proof) >= proof { return kind }
    }
    return nil
  }

  /// Frames of a kind that follow each other from a place on; the limit where the reader, or a tag,
  /// ends them.
  private func run(at first: Int, _ kind: Kind, limit: Int) -> Int {
    var place = first
    var count = 0
    while count < limit {
      guard has(place + 4) else {
        return count >= 2 || count == 1 && place == window.count ? limit : count
      }
      guard let header = header(at: place), kind.matches(header) else {
        return count >= 1 && MPEGTrailer.length(at: place, of: self) != nil ? limit : count
      }
      place += kind.byteCount(header)
      count += 1
    }
    return count
  }

  /// Why there is no frame in a stream.
  static func nothingFound(_ reader: ByteReader) -> IOError {
    if reader.hasFailed { return reader.error }
    if let size = reader.byteCount, size < 1024 {
      return IOError(
        .truncated, reader.name,
        "the file ends within its header after \(size) bytes; fetch it again")
    }
    return IOError(
      .notAudio, reader.name, "no audio in it that fxrun can read (no MPEG frame found)")
  }
}
