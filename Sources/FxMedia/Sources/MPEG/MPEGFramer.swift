import FxAudio

/// Finds the frames in a reader of MPEG audio, and the bytes between them.
///
/// A header alone proves nothing, because its four bytes also occur by chance. A frame is accepted
/// if the frames before or after it match it. A frame of a different kind is only accepted at the
/// start of several such frames.
final class MPEGFramer {
  enum Step {
    /// A frame. Its bytes are valid until the next step. It is incomplete if the next frame begins
    /// inside it.
    case frame(MPEGHeader, UnsafeBufferPointer<UInt8>, isWhole: Bool)
    /// The number of bytes that are not a frame; another frame follows. 0 where only bytes are missing.
    case gap(Int)
    /// The number of bytes that are not a frame; nothing follows.
    case trailing(Int)
    /// The reader ends within a frame, of which this many bytes exist.
    case cutShort(Int)
    /// Frames of a different kind follow.
    case change
    case end
  }

  /// The properties that all frames of a part share.
  struct Kind: Equatable {
    let header: MPEGHeader
    /// The size of a free-format frame without padding; 0 for any other format.
    let freeByteCount: Int

    func matches(_ other: MPEGHeader) -> Bool {
      other.kind == header.kind && other.isFreeFormat == header.isFreeFormat
    }

    func byteCount(_ header: MPEGHeader) -> Int {
      header.byteCount ?? freeByteCount + header.paddingByteCount
    }
  }

  /// The kind of the next frames; nil before the first frame.
  var kind: Kind?
  /// Bytes before the first frame that are no tag, not counting zeros at the start.
  var unknownByteCount = 0
  /// The offset where the next frame should begin.
  var offset: Int { window.offset }
  let window: ByteWindow
  static let capacity = 1 << 17
  /// The longest frame that libmpg123 accepts.
  private static let longestFrame = 3456
  /// Padding moves a frame by at most one slot of four bytes.
  private static let slack = 4
  /// The number of consecutive frames that prove a new part.
  private static let proof = 4

  /// Starts at the reader's position.
  init(_ reader: ByteReader) { window = ByteWindow(reader, limit: MPEGFramer.capacity) }

  /// Seeks to a frame of a kind.
  func resume(at offset: Int, _ kind: Kind) -> Bool {
    guard window.resume(at: offset) else { return false }
    self.kind = kind
    return true
  }

  /// The offset of a frame at most a few bytes from another offset, with several frames behind it
  /// that a part accepts; nil if there is none.
  func offset(near offset: Int, _ part: MPEGPart) -> Int? {
    let start = max(offset - MPEGFramer.slack, part.soundOffset)
    guard window.resume(at: start) else { return nil }
    return (0...2 * MPEGFramer.slack).first { place in
      guard has(place + 4), let header = header(at: place), part.kind.matches(header),
        part.isLikeFirst(header)
      else { return false }
      return run(at: place, part.kind, limit: MPEGFramer.proof) >= MPEGFramer.proof
    }.map { start + $0 }
  }

  /// Moves to the next frame that several others follow.
  func synchronize(_ kind: Kind) {
    while has(4), run(at: 0, kind, limit: MPEGFramer.proof) < MPEGFramer.proof { _ = skip(1) }
  }

  /// The next frame, if `kind` has just been found.
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
    _ = skip(rest)
    if window.passHole() { return .gap(rest) }
    return rest > 0 ? .trailing(rest) : .end
  }

  private func frame(_ header: MPEGHeader, _ kind: Kind) -> Step {
    let length = kind.byteCount(header)
    let isThere = has(length)
    if !isThere || !isFollowed(at: length, kind) {
      // After an incomplete frame the next one begins too early.
      let limit = min(length, window.count)
      if let inner = (4..<max(limit, 4)).first(where: { isFrame(at: $0, kind) }) {
        return take(header, inner, isWhole: false)
      }
      guard isThere else {
        let rest = window.count
        _ = skip(rest)
        return window.passHole() ? .gap(rest) : .cutShort(rest)
      }
    }
    return take(header, length, isWhole: true)
  }

  private func take(_ header: MPEGHeader, _ count: Int, isWhole: Bool) -> Step {
    let bytes = UnsafeBufferPointer(rebasing: bytes(at: 0)[..<count])
    _ = skip(count)
    return .frame(header, bytes, isWhole: isWhole)
  }

  /// Skips bytes that are not a frame, up to the next frame.
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
      if window.passHole() { return .gap(skipped) }
      // Zeros after the end are padding.
      return isEmpty ? .end : .trailing(skipped)
    }
    return .gap(skipped)
  }
}

// MARK: - Looking ahead

extension MPEGFramer {
  /// True if this many bytes can be read ahead, at most the window's limit.
  func has(_ count: Int) -> Bool { window.has(count) }

  /// The bytes of the window from `place` on.
  func bytes(at place: Int) -> UnsafeBufferPointer<UInt8> { window.bytes(at: place) }

  func header(at place: Int) -> MPEGHeader? {
    window.bytes(at: place).baseAddress.flatMap(MPEGHeader.init)
  }

  /// Skips bytes. False if there are fewer.
  func skip(_ count: Int) -> Bool { window.skip(count) }

  /// True if a frame of a kind begins here and another one follows it.
  func isFrame(at place: Int, _ kind: Kind) -> Bool {
    guard window[place] == 0xff, has(place + 4), let header = header(at: place),
      kind.matches(header)
    else { return false }
    return run(at: place, kind, limit: 2) >= 2
  }

  /// True if these bytes may follow a frame.
  private func isFollowed(at place: Int, _ kind: Kind) -> Bool {
    guard has(place + 4) else { return true }
    if let header = header(at: place), kind.matches(header) { return true }
    return MPEGTrailer.length(at: place, of: self) != nil
      || found(at: place, proof: MPEGFramer.proof) != nil
  }

  /// The kind of a run of frames. At the end of the reader a shorter run is enough.
  func found(at place: Int, proof: Int) -> Kind? {
    guard window[place] == 0xff, let header = header(at: place) else { return nil }
    guard header.isFreeFormat else {
      let kind = Kind(header: header, freeByteCount: 0)
      return run(at: place, kind, limit: proof) >= proof ? kind : nil
    }
    // The distance between two headers is the frame length.
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

  /// The number of consecutive frames of a kind, starting at `first`. A run that the end of the
  /// reader or a tag cuts off counts as `limit`.
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

  /// The error for a stream without a frame.
  static func nothingFound(_ reader: ByteReader) -> Failure {
    if reader.hasFailed { return reader.error }
    if let size = reader.byteCount, size < 1024 { return .cutHeader(reader.name, size) }
    return Failure(
      .notAudio, reader.name,
      "no audio in it that fxrun can read (no MPEG frame found); samples without a header need --raw"
    )
  }
}
