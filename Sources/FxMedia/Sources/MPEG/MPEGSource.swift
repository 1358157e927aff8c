import FxAudio

/// MPEG audio, decoded by libmpg123 to 32-bit floats, without the encoder's delay and padding.
///
/// Damage is skipped and reported. Joined files become one sound in the format of the first file.
final class MPEGSource: AudioSource, PacketSeeking {
  let name: String
  let format: StreamFormat
  private(set) var frameCount: Int?
  /// From a server only if the tag gives the length, or all frames have the same size. Otherwise all
  /// bytes before would have to be read.
  var isSeekable: Bool {
    reader.isSeekable && (reader.isLocal || frameCount != nil || parts[0].isConstant)
  }
  private let reader: ByteReader
  private let framer: MPEGFramer
  private let decoder: MPEGDecoder
  private var parts: [MPEGPart]
  /// The first frame of each part.
  private var starts: [Int] = [0]
  private var current = 0
  private var source: MPEGPartSource
  /// The current source, converted to the format of the first part.
  private var converted: any AudioSource
  private var position = 0
  private var openingWarnings: [String] = []

  /// Searches for the first frame; throws `notAudio` if there is none.
  init(_ reader: ByteReader) throws(Failure) {
    self.reader = reader
    name = reader.name
    framer = MPEGFramer(reader)
    let skipped = framer.findFirst()
    guard let skipped, let kind = framer.kind else { throw MPEGFramer.nothingFound(reader) }
    let start = framer.offset
    let part = MPEGPart(framer, kind, startSeconds: 0)
    parts = [part]
    format = kind.header.format
    decoder = try MPEGDecoder(name: name)
    source = try MPEGPartSource(part, framer, decoder, reader)
    converted = source
    if skipped > 0 {
      openingWarnings.append(
        "the first \(skipped) \(skipped == 1 ? "byte is" : "bytes are") not MPEG audio: skipped")
    }
    try measure(from: start)
  }

  var warnings: [String] { openingWarnings + parts.flatMap(\.losses.warnings) }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    guard frameCount > 0 else { return 0 }
    while true {
      let count = try converted.read(into: channels, frameCount: frameCount)
      position += count
      if count > 0 { return count }
      guard source.isFollowed else {
        if source.isAtEnd { endAtPosition() }
        return 0
      }
      try openNext()
    }
  }

  func seek(toFrame frame: Int) throws(Failure) { _ = try seek(toFrame: frame, isEstimate: false) }

  /// Uses frames that somebody else has found.
  func use(_ places: PacketMap) { parts[0].places = places }

  /// Seeks to a frame.
  ///
  /// - Parameter isEstimate: continues at an estimated place, if that of the frame is not known.
  /// - Returns: false if the place is estimated.
  func seek(toFrame frame: Int, isEstimate: Bool) throws(Failure) -> Bool {
    guard isSeekable || reader.isSeekable && (isEstimate || parts[0].places != nil) else {
      try skip(to: frame, from: position)
      return true
    }
    let target = max(frame, 0)
    let index = max(0, (starts.firstIndex { $0 > target } ?? starts.count) - 1)
    if index != current { try open(index) }
    guard !reader.isLocal, parts[index].frameCount == nil else {
      try converted.seek(toFrame: target - starts[index])
      position = target
      return true
    }
    if format == source.format,
      let isExact = try source.jump(toFrame: target - starts[index], isEstimate: isEstimate)
    {
      position = target
      return isExact
    }
    // The parts after this one are not known yet.
    try open(index)
    position = starts[index]
    try skip(target - position)
    return true
  }

  private func endAtPosition() {
    if let declared = frameCount, position > declared, openingWarnings.isEmpty {
      openingWarnings.append(LossLog.goesOn(behind: declared, format.sampleRate))
    }
    frameCount = position
  }

  func interrupt() { reader.interrupt() }

  /// Only for an undamaged file of layer III with frames of one kind, and not for free format.
  func fork() -> (any AudioSource)? {
    guard let file = reader.file, file.isWhole, parts.count == 1, parts[0].kind.header.layer == 3,
      parts[0].kind.freeByteCount == 0, warnings.isEmpty,
      let stream = try? openStream(path: "/proc/self/fd/\(file.descriptor)"),
      let other = try? MPEGSource(ByteReader(stream)), other.parts.count == 1
    else { return nil }
    return other
  }

  /// Continues with the part after the current one.
  private func openNext() throws(Failure) {
    if current + 1 == parts.count {
      guard let kind = framer.kind else { return }
      let seconds = Double(position) / format.sampleRate
      parts.append(MPEGPart(framer, kind, startSeconds: seconds))
      starts.append(position)
      current += 1
      try activate()
    } else {
      try open(current + 1)
    }
  }

  private func open(_ index: Int) throws(Failure) {
    let part = parts[index]
    guard framer.resume(at: part.soundOffset, part.kind) else { throw reader.error }
    current = index
    try activate()
  }

  private func activate() throws(Failure) {
    source = try MPEGPartSource(parts[current], framer, decoder, reader)
    converted = try source.fitted(to: format)
  }

  /// Counts the frames of a file: a tag may declare any number. From a server and a pipe the tag's
  /// length is used, and compared with the sound at its end.
  private func measure(from start: Int) throws(Failure) {
    let declared = parts[0].sampleCount
    frameCount = declared
    guard let size = reader.byteCount, reader.isLocal else { return }
    let isDamaged = try scan()
    guard !isDamaged, parts.count == 1, let tag = parts[0].tag, let declared, let frameCount,
      declared - frameCount > 2 * parts[0].samplesPerFrame
    else { return }
    let missing = tag.byteCount.map { start + $0 - size } ?? 0
    let share = missing > 0 ? Int(Double(size) / Double(size + missing) * 1000) : 0
    let reason =
      missing > 2048
      ? "only \(share / 10).\(share % 10) % of the file is there"
      : "the file is shorter than its header says"
    openingWarnings.append(
      "truncated: \(reason), \(clockSeconds(frameCount, format.sampleRate)) of "
        + "\(clockSeconds(declared, format.sampleRate)); decoding what is")
    parts[0].losses.isEndKnown = true
  }

  /// Reads all frames without decoding. True if there is damage, apart from the end.
  private func scan() throws(Failure) -> Bool {
    var number = 0
    var isDamaged = false
    var isOver = false
    while !isOver {
      let offset = framer.offset
      switch framer.next() {
      case .frame(let header, _, let isWhole):
        isDamaged = isDamaged || !isWhole
        guard isWhole || header.layer == 3 else { continue }
        parts[parts.count - 1].note(number, at: offset)
        number += 1
      case .gap: isDamaged = true
      case .trailing, .cutShort: continue
      case .change:
        endPart(number)
        guard let kind = framer.kind, let start = starts.last else { continue }
        parts.append(MPEGPart(framer, kind, startSeconds: Double(start) / format.sampleRate))
        number = 0
      case .end: isOver = true
      }
    }
    if reader.hasFailed { throw reader.error }
    endPart(number)
    frameCount = starts.removeLast()
    try open(0)
    return isDamaged
  }

  private func endPart(_ number: Int) {
    let part = parts[parts.count - 1]
    part.frameCount = number
    let ratio = format.sampleRate / Double(part.kind.header.sampleRate)
    let length = (Double(part.sampleCount ?? 0) * ratio).rounded()
    starts.append(starts[starts.count - 1] + Int(min(length, 1e15)))
  }
}
