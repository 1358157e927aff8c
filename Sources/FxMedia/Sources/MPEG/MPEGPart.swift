import FxAudio

/// A run of frames of one kind: mostly all of a file, and one of several where files were joined.
final class MPEGPart {
  let kind: MPEGFramer.Kind
  let tag: MPEGTag?
  /// Where the information frame is, or the first frame of sound.
  let offset: Int
  /// Where each frame begins whose number is a multiple of `indexStep`, as far as they have been seen.
  private(set) var index: [Int] = []
  /// Frames in it; nil before its end has been seen.
  var frameCount: Int?
  var losses: LossLog

  /// Frames after which a decoder's synthesis window of 16 slots has the same position again: 36 slots
  /// a frame, 18 in layer III of a low rate, 12 in layer I.
  let indexStep: Int

  /// Takes over a framer that has just found the kind, and takes the information frame from it.
  init(_ framer: MPEGFramer, _ kind: MPEGFramer.Kind, startSeconds: Double) {
    self.kind = kind
    indexStep = kind.header.samplesPerFrame == 576 ? 8 : 4
    offset = framer.offset
    let tag = framer.peekFrame().flatMap { MPEGTag($0.0, $0.1) }
    self.tag = tag
    if tag != nil { _ = framer.next() }
    losses = LossLog(
      sampleRate: Double(kind.header.sampleRate), startSeconds: startSeconds)
  }

  var samplesPerFrame: Int { kind.header.samplesPerFrame }

  /// Samples of the frames that are not heard.
  var skippedCount: Int { tag?.skippedCount ?? 0 }

  /// Remembers where a frame begins.
  func note(_ number: Int, at offset: Int) {
    if number == index.count * indexStep { index.append(offset) }
  }

  /// The samples of a frame that are heard. Frames that the tag does not count were joined to it and
  /// are heard whole.
  func heard(_ number: Int) -> Range<Int> {
    let start = number * samplesPerFrame
    let first = min(max(skippedCount - start, 0), samplesPerFrame)
    guard let tag, number < tag.frameCount else { return first..<samplesPerFrame }
    let last = tag.frameCount * samplesPerFrame - tag.cutCount - start
    return first..<max(first, min(last, samplesPerFrame))
  }

  /// The sample, of those of all frames, that is heard at a place of the sound.
  func sample(at place: Int) -> Int {
    let sample = place + skippedCount
    guard let tag, sample >= tag.frameCount * samplesPerFrame - tag.cutCount else { return sample }
    return sample + tag.cutCount
  }

  /// Samples that are heard in front of a frame.
  func start(of number: Int) -> Int {
    let start = number * samplesPerFrame + heard(number).lowerBound - skippedCount
    guard let tag else { return max(0, start) }
    let end = tag.frameCount * samplesPerFrame - tag.cutCount - skippedCount
    return max(0, number < tag.frameCount ? min(start, end) : start - tag.cutCount)
  }

  /// Samples that are heard; nil where neither the end has been seen nor the tag says it.
  var sampleCount: Int? {
    guard let frameCount else { return tag?.sampleCount(samplesPerFrame) }
    let cut = tag.map { frameCount >= $0.frameCount ? $0.cutCount : 0 } ?? 0
    return max(0, frameCount * samplesPerFrame - cut - skippedCount)
  }
}
