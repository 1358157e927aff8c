import FxAudio

/// Divides a sound at its silences. The result depends only on the sound, never on the block size.
/// It holds back a few seconds at most.
///
/// By default all of a silence is kept. The cut is in its middle, or `longestLead` before the next
/// sound if that is later. With `SilenceRule.keep` only that length is kept, half on each side.
final class SilenceDivider {
  /// What to do with the next frames.
  enum Step {
    case write(UnsafePointer<UnsafePointer<Float>>, from: Int, frameCount: Int)
    case skip(Int)
    /// The following frames begin a new part.
    case cut
  }

  /// The longest silence in seconds at the beginning of a part.
  static let longestLead = 5.0

  private let channelCount: Int
  private let threshold: Float
  private let least: Int
  /// Frames kept after a sound; nil for all.
  private let after: Int?
  /// Frames kept before a sound.
  private let before: Int
  private let held: HeldFrames
  /// Frames of silence so far.
  private var run = 0
  private var hasSound = false

  init(_ rule: SilenceRule, _ format: StreamFormat) {
    func frames(_ seconds: Double) -> Int { Int((seconds * format.sampleRate).rounded()) }
    channelCount = format.channelCount
    threshold = Float(Math.amplitude(decibels: rule.level))
    least = max(frames(rule.time), 1)
    let kept = rule.keep.map(frames)
    after = kept.map { $0 / 2 }
    before = kept.map { $0 - $0 / 2 } ?? frames(Self.longestLead)
    held = HeldFrames(
      channelCount: format.channelCount, capacity: kept == nil ? before : max(before, least))
  }

  func take(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int,
    _ body: (Step) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    while start < frameCount {
      let isLoud = isLoud(channels, start)
      var end = start + 1
      while end < frameCount, self.isLoud(channels, end) == isLoud { end += 1 }
      if isLoud {
        if run >= least, hasSound { try body(.cut) }
        try release(held.count, body)
        run = 0
        hasSound = true
        try body(.write(channels, from: start, frameCount: end - start))
      } else {
        try silence(channels, start, end - start, body)
      }
      start = end
    }
  }

  /// Handles the frames that are held at the end of the sound.
  func finish(_ body: (Step) throws(Failure) -> Void) throws(Failure) {
    if after != nil, run >= least {
      held.drop(held.count)
    } else {
      try release(held.count, body)
    }
  }

  private func silence(
    _ channels: UnsafePointer<UnsafePointer<Float>>, _ offset: Int, _ frameCount: Int,
    _ body: (Step) throws(Failure) -> Void
  ) throws(Failure) {
    var (offset, count) = (offset, frameCount)
    guard let after else {
      run += count
      let surplus = held.count + count - min(run / 2, before)
      let old = min(surplus, held.count)
      try release(old, body)
      if surplus > old {
        try body(.write(channels, from: offset, frameCount: surplus - old))
      }
      return held.push(
        channels, from: offset + surplus - old, frameCount: count - (surplus - old))
    }
    if hasSound, run < after {
      let near = min(count, after - run)
      try body(.write(channels, from: offset, frameCount: near))
      run += near
      offset += near
      count -= near
    }
    run += count
    let surplus = max(held.count + count - (run >= least ? before : least), 0)
    let old = min(surplus, held.count)
    held.drop(old)
    if surplus > 0 { try body(.skip(surplus)) }
    held.push(channels, from: offset + surplus - old, frameCount: count - (surplus - old))
  }

  private func release(
    _ frameCount: Int, _ body: (Step) throws(Failure) -> Void
  ) throws(Failure) {
    try held.pop(frameCount) { (channels, count) throws(Failure) in
      try body(.write(channels, from: 0, frameCount: count))
    }
  }

  private func isLoud(_ channels: UnsafePointer<UnsafePointer<Float>>, _ frame: Int) -> Bool {
    for channel in 0..<channelCount where abs(channels[channel][frame]) > threshold { return true }
    return false
  }
}
