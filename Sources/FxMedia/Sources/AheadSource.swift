import CRealtime
package import FxAudio
import Synchronization

/// Decodes a sound on two threads while the other threads wait for the decoder. The reader's thread
/// decodes one stretch, and a helper thread decodes the next one.
///
/// The samples are the same as those of the source alone: `fork` guarantees the same samples from
/// any frame. After the first damage, or if the helper fails, the source continues alone.
package final class AheadSource: ChangedSource {
  package let source: any AudioSource
  private let helper: StretchDecoder
  private let stretch: Int
  /// False once the source has to continue alone.
  private var isHelped = true
  /// True while the current stretches are decoded by two threads.
  private var wasHelped = false
  /// The next frame to read, and the position of the source.
  private var position = 0
  private var sourcePosition = 0
  /// The stretches of the helper thread, at most two: it decodes one while the other is read.
  private var ahead: [Range<Int>] = []
  /// For the current stretch: the seconds within `read`, and the seconds between its calls.
  private var readingSeconds = 0.0
  private var waitingSeconds = 0.0
  private var leftAt: Double?

  /// Frames per stretch. A decoder needs a few thousand frames before its first sample; this is far
  /// more.
  private static let stretchFrames = 192 * 1152
  /// The helper saves time if reading takes at least these shares of the whole time. With help,
  /// reading takes about half as long, so the share for further help is lower.
  private static let worthwhileShare = (alone: 0.6, helped: 0.35)

  package var isSilence: Bool { source.isSilence }
  package var wholeFrameCount: Int? { source.wholeFrameCount }

  /// A source that decodes on two threads. Returns the source itself if it is short or cannot fork.
  package static func wrapping(
    _ source: any AudioSource, stretch: Int = stretchFrames
  ) -> any AudioSource {
    guard let length = source.frameCount, length >= 4 * stretch, let other = source.fork(),
      other.frameCount == length,
      let helper = StretchDecoder(other, stretch: stretch)
    else { return source }
    return AheadSource(source, helper, stretch)
  }

  private init(_ source: any AudioSource, _ helper: StretchDecoder, _ stretch: Int) {
    self.source = source
    self.helper = helper
    self.stretch = stretch
  }

  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    guard frameCount > 0 else { return 0 }
    let start = fx_monotonic_seconds()
    if let leftAt { waitingSeconds += start - leftAt }
    if position % stretch == 0 {
      if ahead.isEmpty {
        askForHelp(at: position + stretch)
      } else if ahead.count == 1, ahead[0].lowerBound == position {
        askForHelp(at: position + 2 * stretch)
      }
    }
    let count =
      if let range = ahead.first, range.contains(position) {
        try takeOver(range, into: channels, frameCount)
      } else {
        try readAlone(into: channels, frameCount)
      }
    let end = fx_monotonic_seconds()
    readingSeconds += end - start
    leftAt = end
    return count
  }

  /// Requests a stretch from the helper if this saves time.
  private func askForHelp(at start: Int) {
    let share =
      wasHelped ? AheadSource.worthwhileShare.helped : AheadSource.worthwhileShare.alone
    let isWorthwhile = readingSeconds >= share * (readingSeconds + waitingSeconds)
    (readingSeconds, waitingSeconds, wasHelped) = (0, 0, false)
    // The source itself decodes the end, because a file may be shorter than its header declares.
    guard isHelped, isWorthwhile, let length = source.frameCount,
      start + 2 * stretch <= length
    else { return }
    helper.begin(at: start)
    wasHelped = true
    ahead.append(start..<start + stretch)
  }

  private func takeOver(
    _ range: Range<Int>, into channels: UnsafePointer<UnsafeMutablePointer<Float>>,
    _ frameCount: Int
  ) throws(Failure) -> Int {
    guard source.warnings.isEmpty, let samples = helper.finished() else {
      // The source continues at the beginning of this stretch.
      isHelped = false
      cancelHelp()
      return try readAlone(into: channels, frameCount)
    }
    let count = min(frameCount, range.upperBound - position)
    let offset = position - range.lowerBound
    for channel in 0..<format.channelCount {
      channels[channel].update(from: samples[channel] + offset, count: count)
    }
    position += count
    if position == range.upperBound {
      ahead.removeFirst()
      helper.release()
    }
    return count
  }

  private func cancelHelp() {
    for _ in ahead {
      _ = helper.finished()
      helper.release()
    }
    ahead = []
  }

  private func readAlone(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int
  ) throws(Failure) -> Int {
    if sourcePosition != position {
      try source.seek(toFrame: position)
      sourcePosition = position
    }
    let end = ahead.first?.lowerBound ?? (position / stretch + 1) * stretch
    let count = try source.read(into: channels, frameCount: min(frameCount, end - position))
    position += count
    sourcePosition = position
    return count
  }

  package func seek(toFrame frame: Int) throws(Failure) {
    cancelHelp()
    // Seek at once, so that a failure is thrown here.
    try source.seek(toFrame: frame)
    position = max(frame, 0)
    sourcePosition = position
  }

  package func interrupt() {
    source.interrupt()
    helper.interrupt()
  }
}

/// Decodes stretches one after another on the helper thread, into memory for two of them.
private final class StretchDecoder: @unchecked Sendable {
  // Sendable: between `begin` and `finished` a slot belongs to the thread; so does the source.
  private struct Slot {
    let buffer: PlanarBuffer
    var start = 0
    var isComplete = false
  }

  private let source: any AudioSource
  private let slots: UnsafeMutablePointer<Slot>
  /// The numbers of stretches that were requested, decoded, and read.
  private let asked = Atomic<Int>(0)
  private let answered = Atomic<Int>(0)
  private var released = 0
  private let isEnding = Atomic<Bool>(false)
  private let decoder = Sleeper.make()
  private let waiter = Sleeper.make()
  private var thread: WorkerThread?

  /// nil if no thread can be started.
  init?(_ source: any AudioSource, stretch: Int) {
    self.source = source
    slots = .allocate(capacity: 2)
    for slot in 0..<2 {
      (slots + slot).initialize(
        to: Slot(
          buffer: PlanarBuffer(channelCount: source.format.channelCount, frameCount: stretch)))
    }
    var code: Int32 = 0
    let context = Unmanaged.passUnretained(self)
    thread = WorkerThread(failure: &code) { context.takeUnretainedValue().work() }
    if thread == nil { return nil }
  }

  deinit {
    interrupt()
    thread?.join()
    slots.deinitialize(count: 2)
    slots.deallocate()
    decoder.destroy()
    waiter.destroy()
  }

  /// Requests a stretch. The caller makes sure that one of the two slots is free.
  func begin(at frame: Int) {
    slots[asked.load(ordering: .relaxed) & 1].start = frame
    asked.add(1, ordering: .releasing)
    decoder.wake()
  }

  /// Waits for the oldest stretch. nil if it could not be decoded completely and without a warning,
  /// or if reading was interrupted.
  func finished() -> UnsafePointer<UnsafeMutablePointer<Float>>? {
    waiter.sleep {
      answered.load(ordering: .acquiring) > released || isEnding.load(ordering: .acquiring)
    }
    guard answered.load(ordering: .acquiring) > released else { return nil }
    let slot = slots + (released & 1)
    return slot.pointee.isComplete ? slot.pointee.buffer.channels : nil
  }

  /// Frees the oldest stretch after it was read.
  func release() { released += 1 }

  func interrupt() {
    isEnding.store(true, ordering: .releasing)
    source.interrupt()
    decoder.wake()
    waiter.wake()
  }

  private func work() {
    while true {
      decoder.sleep {
        answered.load(ordering: .relaxed) != asked.load(ordering: .acquiring)
          || isEnding.load(ordering: .acquiring)
      }
      let number = answered.load(ordering: .relaxed)
      guard asked.load(ordering: .acquiring) != number else { return }
      let slot = slots + (number & 1)
      slot.pointee.isComplete =
        !isEnding.load(ordering: .acquiring)
        && decode(into: slot.pointee.buffer, from: slot.pointee.start)
      answered.store(number + 1, ordering: .releasing)
      waiter.wake()
    }
  }

  private func decode(into buffer: PlanarBuffer, from start: Int) -> Bool {
    do throws(Failure) {
      try source.seek(toFrame: start)
      return try source.fill(buffer, to: buffer.frameCount) == buffer.frameCount
        && source.warnings.isEmpty
    } catch {
      return false
    }
  }
}
