import FxAudio

/// The frames of MPEG audio.
final class MPEGWalker: PacketWalker {
  private(set) var properties: SoundProperties
  var keepsBytes = false
  private let reader: ByteReader
  private let framer: MPEGFramer
  private var part: MPEGPart
  /// Frames of the current part so far.
  private var number = 0
  /// Packets and played frames of the earlier parts; the frames are at the first part's sample
  /// rate.
  private var earlier = (packets: 0, frames: 0)
  private var byteTotal = 0
  private var bitRates: Set<Int> = []
  private var continuity = MPEGContinuity()
  /// True behind a discontinuity, until a frame has all its bytes.
  private var isRecovering = false
  /// The number of discontinuities when the current part began.
  private var earlierLosses = 0
  /// A packet that follows a discontinuity.
  private var waiting: SoundPacket?
  /// The offset of the current part's information frame.
  private var partOffset = 0

  /// - Throws: `notAudio` if no frame is found.
  init(_ reader: ByteReader) throws(Failure) {
    self.reader = reader
    framer = MPEGFramer(reader)
    guard framer.findFirst() != nil, let kind = framer.kind else {
      throw MPEGFramer.nothingFound(reader)
    }
    let start = framer.offset
    partOffset = start
    let header = kind.header
    part = MPEGPart(framer, kind, startSeconds: 0)
    properties = SoundProperties("MPEG audio", codec: "MP\(header.layer)")
    properties.take(header.format)
    properties.byteCount = reader.byteCount
    properties.framesPerPacket = header.samplesPerFrame
    properties.dataOffset = framer.offset
    if header.bitRate > 0 {
      properties.bitRate = .init(value: Double(header.bitRate), kind: .estimated)
    }
    guard let tag = part.tag else { return }
    properties.encoderDelay = tag.skippedCount
    properties.encoderPadding = tag.cutCount
    properties.packetCount = .init(count: tag.frameCount, certainty: .declared)
    properties.frameCount = part.sampleCount.map { .init(count: $0, certainty: .declared) }
    guard tag.frameCount > 0, let bytes = tag.byteCount else { return }
    let rate = MPEGWalker.meanBitRate(
      bytes: bytes - (framer.offset - start), frames: tag.frameCount * header.samplesPerFrame,
      rate: Double(header.sampleRate))
    if let rate, tag.isVariable { properties.bitRate = .init(value: rate, kind: .variable) }
  }

  func next() throws(Failure) -> PacketStep {
    if let packet = waiting {
      waiting = nil
      return .packet(packet)
    }
    while true {
      let offset = framer.offset
      switch framer.next() {
      case .frame(let header, let bytes, let isWhole):
        guard isWhole || header.layer == 3 else {
          if lose() { return .discontinuity(offset: offset) }
          continue
        }
        let hasLoss = isWhole && continuity.add(header, bytes) ? false : lose(isWhole: isWhole)
        let packet = take(header, bytes, offset)
        if continuity.isComplete { isRecovering = false }
        guard hasLoss else { return .packet(packet) }
        waiting = packet
        return .discontinuity(offset: offset)
      case .gap, .trailing, .cutShort: if lose() { return .discontinuity(offset: offset) }
      case .change:
        let hasLoss = lacksFrames && lose()
        let ratio = (properties.sampleRate ?? 1) / Double(part.kind.header.sampleRate)
        earlier.packets += number
        earlier.frames += frames(ratio)
        number = 0
        guard let kind = framer.kind else { continue }
        partOffset = framer.offset
        part = MPEGPart(framer, kind, startSeconds: 0)
        continuity = MPEGContinuity()
        isRecovering = false
        earlierLosses = properties.discontinuityCount
        properties.laterSoundCount += 1
        properties.framesPerPacket = nil
        if hasLoss { return .discontinuity(offset: offset) }
      case .end:
        if reader.hasFailed { throw reader.error }
        if lacksFrames, lose() { return .discontinuity(offset: offset) }
        finish()
        return .end
      }
    }
  }

  /// Notes that bytes are missing or are no frame. False if that belongs to the discontinuity before.
  private func lose(isWhole: Bool = false) -> Bool {
    if !isWhole { continuity.lose() }
    guard !isRecovering else { return false }
    isRecovering = true
    properties.discontinuityCount += 1
    return true
  }

  /// True at the end of a part if its information frame counts more frames than there are, and no discontinuity explains that.
  private var lacksFrames: Bool {
    guard let tag = part.tag, tag.frameCount > number,
      earlierLosses == properties.discontinuityCount
    else { return false }
    // Some encoders count the information frame too; then the bytes have to agree.
    let lacksBytes = tag.byteCount.map { $0 > framer.offset - partOffset } ?? false
    return lacksBytes || tag.frameCount > number + 2
  }

  private func take(
    _ header: MPEGHeader, _ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int
  ) -> SoundPacket {
    let byteCount = bytes.count
    let heard = part.heard(number)
    let ratio = (properties.sampleRate ?? 1) / Double(part.kind.header.sampleRate)
    let packet = SoundPacket(
      number: earlier.packets + number, offset: offset, byteCount: byteCount,
      frame: earlier.frames + Int((Double(part.start(of: number)) * ratio).rounded()),
      frameCount: Int((Double(heard.count) * ratio).rounded()), bytes: kept(bytes))
    number += 1
    byteTotal += byteCount
    bitRates.insert(header.bitRate)
    follow(packet)
    return packet
  }

  /// Updates the bit rate and the lengths from the packets so far.
  private func follow(_ packet: SoundPacket) {
    guard let rate = properties.sampleRate, earlier.packets == 0, number >= 32 || number % 8 == 0
    else { return }
    let mean = MPEGWalker.meanBitRate(
      bytes: byteTotal, frames: number * part.samplesPerFrame, rate: rate)
    if bitRates.count == 1, let only = bitRates.first, only > 0 {
      if part.tag?.isVariable != true {
        properties.bitRate = .init(value: Double(only), kind: .constant)
      }
    } else if let mean, bitRates == [0] {
      // Free format: the frame size gives the bit rate.
      properties.bitRate = .init(value: mean, kind: .constant)
    } else if let mean, part.tag?.byteCount == nil {
      properties.bitRate = .init(value: mean, kind: .estimated)
    }
    guard part.tag?.frameCount ?? 0 == 0, let size = properties.byteCount,
      let start = properties.dataOffset
    else { return }
    let packets = Double(size - start) * Double(number) / Double(byteTotal)
    let count = Int(packets.rounded())
    properties.packetCount = .init(count: count, certainty: .estimated)
    properties.frameCount = .init(
      count: max(0, count * part.samplesPerFrame - part.skippedCount), certainty: .estimated)
  }

  /// Played frames of the current part, at the first part's sample rate.
  private func frames(_ ratio: Double) -> Int {
    part.frameCount = number
    return Int((Double(part.sampleCount ?? 0) * ratio).rounded())
  }

  private func finish() {
    let ratio = (properties.sampleRate ?? 1) / Double(part.kind.header.sampleRate)
    let total = earlier.frames + frames(ratio)
    properties.packetCount = .init(count: earlier.packets + number, certainty: .exact)
    properties.frameCount = .init(count: total, certainty: .exact)
    if bitRates.count != 1, earlier.packets == 0 {
      let mean = MPEGWalker.meanBitRate(
        bytes: byteTotal, frames: number * part.samplesPerFrame,
        rate: properties.sampleRate ?? 1)
      if let mean { properties.bitRate = .init(value: mean, kind: .variable) }
    }
  }
}
