import FxAudio

/// A run of frames of one kind: usually a whole file, or one of several joined files.
final class MPEGPart {
  let kind: MPEGFramer.Kind
  let tag: MPEGTag?
  /// The offsets of the frames whose numbers are multiples of `indexStep`, as far as they were
  /// read.
  private(set) var index: [Int] = []
  /// The offset of the information frame, or of the first frame of sound.
  private let startOffset: Int
  /// The places of frames that somebody else has found.
  var places: PacketMap?
  /// The offset of the first frame of sound.
  let soundOffset: Int
  /// The header of that frame.
  private let soundHeader: MPEGHeader
  /// The number of its frames; nil until its end was read.
  var frameCount: Int?
  var losses: LossLog

  /// Frames after which a decoder's synthesis window of 16 slots has the same position again. A
  /// frame has 36 slots, 18 in layer III of a low rate, and 12 in layer I.
  let indexStep: Int

  /// Adopts a framer that has just found the kind, and reads the information frame from it.
  init(_ framer: MPEGFramer, _ kind: MPEGFramer.Kind, startSeconds: Double) {
    self.kind = kind
    indexStep = kind.header.samplesPerFrame == 576 ? 8 : 4
    startOffset = framer.offset
    let tag = framer.peekFrame().flatMap { MPEGTag($0.0, $0.1) }
    self.tag = tag
    if tag != nil { _ = framer.next() }
    soundOffset = framer.offset
    soundHeader = framer.peekFrame()?.0 ?? kind.header
    losses = LossLog(
      sampleRate: Double(kind.header.sampleRate), startSeconds: startSeconds)
  }

  var samplesPerFrame: Int { kind.header.samplesPerFrame }

  /// Samples at the start that are not played.
  var skippedCount: Int { tag?.skippedCount ?? 0 }

  /// True if all frames may have the same bit rate, so that the offset of each is known.
  var isConstant: Bool {
    kind.freeByteCount == 0 && (tag.map { !$0.isVariable } ?? true)
  }

  /// The possible offsets of a frame if all frames have the bit rate of the first: with padding to
  /// the exact rate, and without.
  func offsets(of number: Int) -> [Int] {
    guard isConstant, number < 1 << 32 else { return [] }
    let bits = soundHeader.samplesPerFrame / 8 * soundHeader.bitRate
    let exact = Double(number) * Double(bits) / Double(soundHeader.sampleRate)
    let plain = (soundHeader.byteCount ?? 0) - soundHeader.paddingByteCount
    return [soundOffset + Int(exact), soundOffset + number * plain]
  }

  /// The offset of a frame, estimated by the tag, the known frames or the bit rate of the first one.
  func estimatedOffset(of number: Int, before end: Int) -> Int {
    let offset =
      tag?.byteCount(before: number).map { startOffset + $0 }
      ?? places?.place(ofPacket: number)?.offset ?? offsets(of: number).first ?? soundOffset
    return min(max(offset, soundOffset), max(end - 1, soundOffset))
  }

  /// True for a frame of the same bit rate as the first.
  func isLikeFirst(_ header: MPEGHeader) -> Bool { header.bitRate == soundHeader.bitRate }

  /// Stores the offset of a frame in the index.
  func note(_ number: Int, at offset: Int) {
    if number == index.count * indexStep { index.append(offset) }
  }

  /// The samples of a frame that are played. Frames beyond the tag's count come from a joined file
  /// and are played completely.
  func heard(_ number: Int) -> Range<Int> {
    let start = number * samplesPerFrame
    let first = min(max(skippedCount - start, 0), samplesPerFrame)
    guard let tag, number < tag.frameCount else { return first..<samplesPerFrame }
    let last = tag.frameCount * samplesPerFrame - tag.cutCount - start
    return first..<max(first, min(last, samplesPerFrame))
  }

  /// Converts a position in the played sound into a sample number of all frames.
  func sample(at place: Int) -> Int {
    let sample = place + skippedCount
    guard let tag, sample >= tag.frameCount * samplesPerFrame - tag.cutCount else { return sample }
    return sample + tag.cutCount
  }

  /// The number of played samples before a frame.
  func start(of number: Int) -> Int {
    let start = number * samplesPerFrame + heard(number).lowerBound - skippedCount
    guard let tag else { return max(0, start) }
    let end = tag.frameCount * samplesPerFrame - tag.cutCount - skippedCount
    return max(0, number < tag.frameCount ? min(start, end) : start - tag.cutCount)
  }

  /// The number of played samples; nil if neither the tag nor a reached end gives it.
  var sampleCount: Int? {
    guard let frameCount else { return tag?.sampleCount(samplesPerFrame) }
    let cut = tag.map { frameCount >= $0.frameCount ? $0.cutCount : 0 } ?? 0
    return max(0, frameCount * samplesPerFrame - cut - skippedCount)
  }
}
