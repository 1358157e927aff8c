import FxAudio

/// The result of one call to an Ogg decoder.
enum OggStep {
  /// Decoded frames; `start` is the first one's position in the sound.
  case sound(count: Int, start: Int)
  /// Something is missing here.
  case hole
  case end
}

/// A library that decodes one codec in Ogg.
protocol OggDecoder: AnyObject {
  var format: StreamFormat { get }
  /// As the last page declares it; nil for a pipe.
  var frameCount: Int? { get }
  /// The most frames of a packet, in the units of granules.
  var longestPacket: Int { get }
  /// Decodes into a block of `OggSource.blockFrameCount` frames.
  func decode(into block: PlanarBuffer) -> OggStep
  /// False if it is impossible.
  func seek(to frame: Int) -> Bool
  /// The number of frames up to a granule.
  func frameCount(upTo granule: Int) -> Int
}

/// The sound of one link of an Ogg stream. Missing pages are replaced with silence of the same length, so that everything
/// after them keeps its position.
final class OggSource: AudioSource {
  let name: String
  let format: StreamFormat
  private(set) var frameCount: Int?
  var isSeekable: Bool { reader.isSeekable }
  private let reader: ByteReader
  private let makeDecoder: () throws(Failure) -> any OggDecoder
  private var decoder: any OggDecoder
  private let bytes: OggBytes
  private var losses: LossLog
  /// The warning about bytes behind the end.
  private var trailing: String?
  private let block: PlanarBuffer
  private var blockStart = 0
  private var blockEnd = 0
  /// Frames after a hole whose position is not known yet, one array per channel.
  private var waiting: [[Float]]
  private var waitingStart = 0
  private var isWaiting = false
  private var silenceLeft = 0
  private var position = 0
  /// The decoder's next position if nothing is missing.
  private var expected: Int?
  private var holeCount = 0
  private var isAtEnd = false
  static let blockFrameCount = 8192
  /// The position of a frame is known at the end of its page, which lasts less than this many
  /// seconds.
  private static let longestWait = 10.0
  /// The longest gap in seconds that is filled with silence. With a longer one, the positions
  /// belong to a different sound.
  private static let longestGap = 600.0

  /// - Parameter makeDecoder: opens a decoder at the reader's first byte.
  init(
    _ reader: ByteReader, _ bytes: OggBytes,
    _ makeDecoder: @escaping () throws(Failure) -> any OggDecoder
  ) throws(Failure) {
    self.reader = reader
    self.makeDecoder = makeDecoder
    decoder = try makeDecoder()
    self.bytes = bytes
    name = reader.name
    format = decoder.format
    frameCount = decoder.frameCount
    losses = LossLog(sampleRate: format.sampleRate)
    block = PlanarBuffer(
      channelCount: format.channelCount, frameCount: OggSource.blockFrameCount)
    waiting = [[Float]](repeating: [], count: format.channelCount)
    guard reader.isLocal,
      bytes.end()?.isPlausible(longestPacket: decoder.longestPacket) == false
    else { return }
    // The frames have to be counted.
    try skip(Int.max)
    try restart()
  }

  /// Continues at the first frame, whatever the decoder can do.
  private func restart() throws(Failure) {
    forget()
    position = 0
    guard decoder.seek(to: 0) else {
      guard reader.seek(to: 0) else { throw reader.error }
      decoder = try makeDecoder()
      return
    }
  }

  var warnings: [String] { losses.warnings + (trailing.map { [$0] } ?? []) }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    guard frameCount > 0 else { return 0 }
    while true {
      let count = take(into: channels, frameCount)
      if count > 0 {
        position += count
        return count
      }
      guard !isAtEnd else { return 0 }
      try decode()
    }
  }

  func seek(toFrame frame: Int) throws(Failure) {
    guard reader.isSeekable else {
      return try skip(to: frame, from: position)
    }
    let target = max(frame, 0)
    forget()
    if let frameCount, target >= frameCount {
      position = frameCount
      isAtEnd = true
    } else if decoder.seek(to: target) {
      position = target
    } else {
      if reader.hasFailed { throw reader.error }
      // Damage prevents the seek: decode from the beginning.
      try restart()
      try skip(target)
    }
  }

  func interrupt() { reader.interrupt() }

  private func forget() {
    blockStart = 0
    blockEnd = 0
    for channel in waiting.indices { waiting[channel] = [] }
    waitingStart = 0
    isWaiting = false
    silenceLeft = 0
    expected = nil
    isAtEnd = false
    holeCount = 0
  }

  /// Returns available frames: silence, then frames that waited for their position, then the block.
  private func take(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) -> Int {
    let width = format.channelCount
    guard !isWaiting else { return 0 }
    if silenceLeft > 0 {
      let count = min(silenceLeft, frameCount)
      for channel in 0..<width { channels[channel].update(repeating: 0, count: count) }
      silenceLeft -= count
      return count
    }
    if let held = waiting.first?.count, held > 0 {
      let count = min(held - waitingStart, frameCount)
      for channel in 0..<width {
        for frame in 0..<count { channels[channel][frame] = waiting[channel][waitingStart + frame] }
      }
      waitingStart += count
      if waitingStart == held {
        for channel in 0..<width { waiting[channel] = [] }
        waitingStart = 0
      }
      return count
    }
    let count = min(blockEnd - blockStart, frameCount)
    for channel in 0..<width where count > 0 {
      channels[channel].update(from: block[channel] + blockStart, count: count)
    }
    blockStart += count
    return count
  }

  private func decode() throws(Failure) {
    switch decoder.decode(into: block) {
    case .sound(let count, let start):
      holeCount = 0
      place(count, at: start)
    case .hole:
      holeCount += 1
      isWaiting = true
      // A decoder that returns only holes has reached its end.
      if holeCount > 1000 { try finish() }
    case .end:
      try finish()
    }
  }

  private func place(_ count: Int, at start: Int) {
    defer { expected = start + count }
    guard let expected else {
      arrive(0)
      blockStart = 0
      blockEnd = count
      return
    }
    let missing = start - expected
    guard isWaiting else {
      blockStart = 0
      blockEnd = count
      return
    }
    let waited = waiting.first?.count ?? 0
    let limit = OggSource.longestWait * format.sampleRate
    if missing > 0 || Double(waited) > limit {
      arrive(missing)
      blockStart = 0
      blockEnd = count
      return
    }
    for channel in waiting.indices {
      waiting[channel].append(
        contentsOf: UnsafeBufferPointer(start: block[channel], count: count))
    }
  }

  /// Ends the waiting: `missing` frames are missing before the waiting ones.
  private func arrive(_ missing: Int) {
    guard isWaiting else { return }
    isWaiting = false
    guard missing > 0 else { return }
    if Double(missing) < OggSource.longestGap * format.sampleRate {
      silenceLeft = missing
      losses.add(
        .damage(byteCount: 0, missing: 0, silenced: missing), at: position, frame: position)
    } else {
      losses.add(
        .damage(byteCount: 0, missing: missing, silenced: 0), at: position, frame: position)
    }
  }

  private func finish() throws(Failure) {
    if reader.hasFailed { throw reader.error }
    isAtEnd = true
    let hasHole = isWaiting
    isWaiting = false
    let whole = position + (waiting.first?.count ?? 0)
    let last = bytes.end()
    // Some damage is only visible in the number of frames.
    let missing = (last.map { decoder.frameCount(upTo: $0.granule) } ?? 0) - whole
    let limit = Int(OggSource.longestGap * format.sampleRate)
    if missing > 0, missing < limit {
      losses.add(.damage(byteCount: 0, missing: missing, silenced: 0), at: position, frame: whole)
    } else if hasHole {
      losses.add(.hole, at: position, frame: whole)
    }
    if last?.isMarked != true {
      losses.add(.cutShort(last?.rest.count ?? 0), at: Int.max, frame: whole)
    } else if let rest = last?.rest {
      trailing = TrailingBytes(rest).warning
    }
    frameCount = whole
  }
}
