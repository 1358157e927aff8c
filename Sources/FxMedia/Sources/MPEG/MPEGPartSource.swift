import FxAudio
import FxFrames

/// The sound of one part, decoded frame by frame from where the framer stands.
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
  /// The next frame's number.
  private var number = 0
  /// Bytes that were no frames.
  private var lostByteCount = 0
  private var heldSamples: UnsafePointer<Float>?
  private var heldCount = 0
  /// Samples that are to be dropped after a jump.
  private var dropCount = 0
  /// The first frame after a jump whose sound is of use: it reaches into the frame that is jumped to.
  private var firstOfUse = 0
  private(set) var isAtEnd = false
  /// True where the part ends because another one begins.
  private(set) var isFollowed = false
  /// Frames that are decoded unheard before the one that is jumped to: the sound of the last one (the last
  /// two where a frame is a single granule) reaches into it, and all of them hold bits that it may need.
  /// They are `MPEGPart.indexStep` at first, which is enough for most files, and twice as many each time
  /// that they were too few; `longestPreRoll` is enough for all. All these numbers are multiples of
  /// `indexStep`, so that the decoder's synthesis window has the position that it has when the file is
  /// played.
  private var preRoll: Int
  private let longestPreRoll: Int
  /// The jump at hand, while frames may lack bits because too few were decoded before them.
  private var jump: Jump?
  private var isJumpTooShort = false

  private struct Jump {
    /// The sound's frame, and the decoder's.
    let frame: Int
    let target: Int
    /// The first that is decoded.
    let start: Int
  }

  init(
    _ part: MPEGPart, _ framer: MPEGFramer, _ decoder: MPEGDecoder, _ reader: ByteReader
  ) throws(IOError) {
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
  ) throws(IOError) -> Int {
    var done = 0
    while done < frameCount {
      if heldCount == 0 {
        // What has come through a pipe is not kept back for what may come.
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

  /// Gives the samples that playing there gives: earlier frames are decoded first.
  func seek(toFrame frame: Int) throws(IOError) {
    try seek(toFrame: frame, preRoll: preRoll)
  }

  private func seek(toFrame frame: Int, preRoll: Int) throws(IOError) {
    let target = part.sample(at: max(frame, 0)) / part.samplesPerFrame
    let wanted = max(0, target - preRoll) / part.indexStep
    isAtEnd = false
    firstOfUse = 0
    jump = nil
    heldCount = 0
    dropCount = 0
    guard !part.index.isEmpty else {
      // Nothing has been decoded by now.
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

  /// Goes over a frame without decoding it. False at the end.
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

  /// Decodes the next frame of which something is heard. False at the end.
  private func decode() throws(IOError) -> Bool {
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
    // What the decoder makes of a damaged frame depends on those before.
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

  /// True for a frame that is heard, or whose sound overlaps one that is, so soon behind the beginning of
  /// a jump that bits may be missing which playing there has.
  private var lacksPreRoll: Bool {
    guard let jump else { return false }
    return number >= firstOfUse && number <= jump.start + longestPreRoll
  }

  /// The frame to jump to from farther away, where the jump at hand came from too near.
  private func jumpFromFarther() -> Int? {
    guard isJumpTooShort, let jump else { return nil }
    isJumpTooShort = false
    preRoll = min(2 * preRoll, longestPreRoll)
    // What has been heard of it was right.
    return number <= jump.target ? jump.frame : part.start(of: number)
  }

  private func lose(at offset: Int, byteCount: Int) {
    reservoir.clear()
    // Of the frames in front of it, whether they were decoded or jumped over.
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

  /// Samples that are heard of the frames so far.
  private var position: Int { part.start(of: number) }

  private func end() throws(IOError) {
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
