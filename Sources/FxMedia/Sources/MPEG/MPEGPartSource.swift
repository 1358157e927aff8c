import FxAudio

/// The sound of one part, decoded frame by frame from the framer's position.
final class MPEGPartSource: AudioSource {
  let name: String
  let format: StreamFormat
  var frameCount: Int? { part.sampleCount }
  private let part: MPEGPart
  private let framer: MPEGFramer
  private let decoder: MPEGDecoder
  private let reader: ByteReader
  private let reservoir = BitReservoir()
  private let silence: PlanarBuffer
  /// The number of the next frame.
  private var number = 0
  /// Bytes that were not frames.
  private var lostByteCount = 0
  private var heldSamples: UnsafePointer<Float>?
  private var heldCount = 0
  /// Samples to drop after a seek.
  private var dropCount = 0
  /// The first frame after a seek whose sound is needed: it overlaps the target frame.
  private var firstOfUse = 0
  private(set) var isAtEnd = false
  /// True if the part ends because another part begins.
  private(set) var isFollowed = false
  /// The number of frames that are decoded before the target of a seek and not played. The sound of
  /// the last one overlaps the target (of the last two if a frame is a single granule). All of them
  /// hold bits that the target may need. The number starts at `MPEGPart.indexStep`, which is enough
  /// for most files, and doubles each time it was too small. `longestPreRoll` is always enough. All
  /// values are multiples of `indexStep`, so that the decoder's synthesis window has the same
  /// position as in continuous playback.
  private var preRoll: Int
  private let longestPreRoll: Int
  /// The current seek, while frames may lack bits because too few frames were decoded before them.
  private var jump: Jump?
  private var isJumpTooShort = false

  private struct Jump {
    /// The target frame in the sound, and its MPEG frame.
    let frame: Int
    let target: Int
    /// The first MPEG frame that is decoded.
    let start: Int
  }

  init(
    _ part: MPEGPart, _ framer: MPEGFramer, _ decoder: MPEGDecoder, _ reader: ByteReader
  ) throws(Failure) {
    self.part = part
    self.framer = framer
    self.decoder = decoder
    self.reader = reader
    name = reader.name
    format = part.kind.header.format
    silence = PlanarBuffer(
      channelCount: 1, frameCount: part.samplesPerFrame * part.kind.header.channelCount)
    preRoll = part.indexStep
    longestPreRoll = part.kind.header.isLowRate ? 104 : 40
    try decoder.restart(part.kind)
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    var done = 0
    while done < frameCount {
      if heldCount == 0 {
        // Sound from a pipe is returned at once instead of waiting for more.
        guard done == 0 || reader.isSeekable, try decode() else { break }
      }
      guard let samples = heldSamples else { break }
      let count = min(heldCount, frameCount - done)
      Interleaving.split(
        samples, channelCount: format.channelCount, frameCount: count, into: channels, at: done)
      heldSamples = samples + count * format.channelCount
      heldCount -= count
      done += count
    }
    return done
  }

  /// Gives the same samples as continuous playback: earlier frames are decoded first.
  func seek(toFrame frame: Int) throws(Failure) {
    try seek(toFrame: frame, preRoll: preRoll)
  }

  /// Seeks without reading all bytes before. nil if the place of the frame is not known: frames differ in size. Then the
  /// source must be opened again.
  ///
  /// - Parameter isEstimate: continues at an estimated place, if the frame's own is not known.
  /// - Returns: false for an estimated place.
  func jump(toFrame frame: Int, isEstimate: Bool = false) throws(Failure) -> Bool? {
    let target = part.sample(at: max(frame, 0)) / part.samplesPerFrame
    var first = frameNumber(longestPreRoll, before: target)
    guard first / part.indexStep >= part.index.count else {
      try seek(toFrame: frame)
      return true
    }
    guard let size = reader.byteCount else { return nil }
    var isExact = true
    let known = part.places?.known(beforePacket: first)
    var start = known.map { (number: $0.packet, offset: $0.offset) }
    if start.map({ first - $0.number > MPEGPartSource.nearCount }) != false {
      let offset = part.offsets(of: first).lazy.compactMap { [framer, part] in
        $0 < size ? framer.offset(near: $0, part) : nil
      }.first
      if let offset {
        start = (first, offset)
      } else if isEstimate {
        first = frameNumber(2 * part.indexStep, before: target)
        start = (first, part.estimatedOffset(of: first, before: size))
        isExact = false
      }
    }
    guard let start, framer.resume(at: start.offset, part.kind) else { return nil }
    if !isExact {
      reader.noteEstimate()
      framer.synchronize(part.kind)
    }
    isAtEnd = false
    heldCount = 0
    // The longest pre-roll is always enough.
    jump = nil
    firstOfUse = 0
    number = start.number
    while number < first {
      guard passOver() else { return isExact }
    }
    try decoder.restart(part.kind)
    if first == 0 { reservoir.begin() } else { reservoir.clear() }
    dropCount = max(0, frame - part.start(of: first))
    return isExact
  }

  /// Frames that are rather read than searched.
  private static let nearCount = 64

  /// The number of a frame some frames before another one, at which decoding can begin.
  private func frameNumber(_ count: Int, before target: Int) -> Int {
    max(0, target - count) / part.indexStep * part.indexStep
  }

  private func seek(toFrame frame: Int, preRoll: Int) throws(Failure) {
    let target = part.sample(at: max(frame, 0)) / part.samplesPerFrame
    let wanted = max(0, target - preRoll) / part.indexStep
    isAtEnd = false
    firstOfUse = 0
    jump = nil
    heldCount = 0
    dropCount = 0
    guard !part.index.isEmpty else {
      // Nothing was decoded yet.
      dropCount = max(0, frame)
      return
    }
    let known = min(wanted, part.index.count - 1)
    guard framer.resume(at: part.index[known], part.kind) else { throw reader.error }
    number = known * part.indexStep
    while number < wanted * part.indexStep {
      guard passOver() else { return }
    }
    try decoder.restart(part.kind)
    if number == 0 { reservoir.begin() } else { reservoir.clear() }
    if number > 0, preRoll < longestPreRoll {
      jump = Jump(frame: frame, target: target, start: number)
      firstOfUse = target - (part.kind.header.isLowRate ? 2 : 1)
    }
    dropCount = max(0, frame - part.start(of: number))
  }

  /// Skips a frame without decoding it. False at the end.
  private func passOver() -> Bool {
    let offset = framer.offset
    switch framer.next() {
    case .frame(_, _, let isWhole):
      if isWhole || part.kind.header.layer == 3 {
        part.note(number, at: offset)
        number += 1
      }
      return true
    case .gap: return true
    case .change:
      isFollowed = true
      isAtEnd = true
      return false
    case .trailing, .cutShort, .end:
      isAtEnd = true
      return false
    }
  }

  /// Decodes the next frame with played samples. False at the end.
  private func decode() throws(Failure) -> Bool {
    while !isAtEnd {
      let offset = framer.offset
      switch framer.next() {
      case .frame(let header, let bytes, let isWhole):
        guard isWhole || header.layer == 3 else {
          lose(at: offset, byteCount: bytes.count)
          continue
        }
        part.note(number, at: offset)
        hold(header, bytes, isWhole, offset)
        if let farther = jumpFromFarther() {
          try seek(toFrame: farther, preRoll: longestPreRoll)
          continue
        }
        if heldCount > 0 { return true }
      case .gap(let count):
        lose(at: offset, byteCount: count)
      case .trailing(let count):
        part.losses.add(.trailing(count), at: offset, frame: position)
      case .cutShort(let count):
        part.losses.add(.cutShort(count), at: offset, frame: position)
      case .change:
        isFollowed = true
        try end()
      case .end:
        try end()
      }
    }
    return false
  }

  private func hold(
    _ header: MPEGHeader, _ bytes: UnsafeBufferPointer<UInt8>, _ isWhole: Bool, _ offset: Int
  ) {
    let width = format.channelCount
    let (frame, isSilenced) = reservoir.fill(
      header, bytes, isWhole: isWhole, length: part.kind.byteCount(header),
      isOfUse: number >= firstOfUse)
    if isSilenced, lacksPreRoll { return isJumpTooShort = true }
    let samples = decoder.decode(frame, sampleCount: part.samplesPerFrame * width)
    // For a damaged frame the decoder's output depends on earlier frames.
    if samples == nil, let jump, number < jump.target { return isJumpTooShort = true }
    var heard = part.heard(number)
    number += 1
    let dropped = min(dropCount, heard.count)
    dropCount -= dropped
    heard = heard.lowerBound + dropped..<heard.upperBound
    heldSamples = (samples ?? UnsafePointer(silence[0])) + heard.lowerBound * width
    heldCount = heard.count
    if isSilenced || samples == nil, !heard.isEmpty {
      part.losses.add(
        .damage(byteCount: 0, missing: 0, silenced: heard.count), at: offset,
        frame: position - heard.count)
    }
  }

  /// True for a frame that is played, or overlaps a played one, soon after the start of a seek. It
  /// may lack bits that continuous playback has.
  private var lacksPreRoll: Bool {
    guard let jump else { return false }
    return number >= firstOfUse && number <= jump.start + longestPreRoll
  }

  /// The frame to seek to again, with a longer pre-roll, if the current pre-roll was too short.
  private func jumpFromFarther() -> Int? {
    guard isJumpTooShort, let jump else { return nil }
    isJumpTooShort = false
    preRoll = min(2 * preRoll, longestPreRoll)
    // The samples that were returned already are right.
    return number <= jump.target ? jump.frame : part.start(of: number)
  }

  private func lose(at offset: Int, byteCount: Int) {
    reservoir.clear()
    // Estimates the mean frame size from the frames before, decoded or skipped.
    let total = offset - (part.index.first ?? offset) - lostByteCount
    let mean = Double(max(total, 1)) / Double(max(number, 1))
    lostByteCount += byteCount
    let frames = number > 0 ? (Double(byteCount) / mean).rounded() : 0
    guard dropCount == 0 else { return }
    part.losses.add(
      .damage(
        byteCount: byteCount, missing: Int(min(frames, 1e9)) * part.samplesPerFrame, silenced: 0),
      at: offset, frame: position)
  }

  /// Played samples of the frames so far.
  private var position: Int { part.start(of: number) }

  private func end() throws(Failure) {
    if reader.hasFailed { throw reader.error }
    isAtEnd = true
    part.frameCount = number
    guard let tag = part.tag else { return }
    let missing = tag.frameCount * part.samplesPerFrame - number * part.samplesPerFrame
    if missing - part.losses.missingCount > 2 * part.samplesPerFrame {
      part.losses.add(
        .missingEnd(part.tag?.sampleCount(part.samplesPerFrame) ?? 0), at: framer.offset,
        frame: position)
    }
  }
}
