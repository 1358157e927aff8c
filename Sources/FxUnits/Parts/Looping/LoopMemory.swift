import FxAudio

/// The samples of a loop, in two layers, so that the last overdub can be undone without a copy.
///
/// A mark for each frame says which layer holds its newest samples. The first time that an overdub
/// reaches a frame, it writes to the other layer, which keeps the samples from before the overdub.
/// A second mark lists these frames. To undo is to read their other layer.
///
/// Frames are places in a ring; the loop begins at any of them.
struct LoopMemory: ~Copyable {
  /// Frames of a layer.
  let capacity: Int
  private let channelCount: Int
  /// Layer by layer, channel by channel.
  private let samples: SampleBuffer
  /// A bit for each frame: the number of the layer with the newest samples.
  private let newest: UnsafeMutablePointer<UInt64>
  /// A bit for each frame: whether the last overdub has replaced its samples.
  private let replaced: UnsafeMutablePointer<UInt64>

  init(channelCount: Int, capacity: Int) {
    self.capacity = capacity
    self.channelCount = channelCount
    samples = SampleBuffer(count: 2 * channelCount * capacity)
    let count = Self.wordCount(capacity)
    newest = .allocate(capacity: count)
    newest.initialize(repeating: 0, count: count)
    replaced = .allocate(capacity: count)
    replaced.initialize(repeating: 0, count: count)
  }

  private static func wordCount(_ capacity: Int) -> Int { (capacity + 63) / 64 }

  static func byteCount(channelCount: Int, capacity: Int) -> Int {
    SampleBuffer.byteCount(count: 2 * channelCount * capacity)
      + 2 * wordCount(capacity) * MemoryLayout<UInt64>.stride
  }

  deinit {
    newest.deallocate()
    replaced.deallocate()
  }

  // MARK: - Realtime

  @_noLocks @inline(__always)
  private func sample(_ layer: UInt64, _ channel: Int, _ frame: Int) -> UnsafeMutablePointer<Float>
  {
    samples.samples + ((Int(layer) &* channelCount &+ channel) &* capacity &+ frame)
  }

  /// The bit of a frame, 0 or 1.
  @_noLocks @inline(__always)
  private func bit(_ marks: UnsafeMutablePointer<UInt64>, _ frame: Int) -> UInt64 {
    (marks[frame &>> 6] &>> UInt64(frame & 63)) & 1
  }

  /// A sample of the loop. `undone` is the share of the loop without the last overdub.
  @_noLocks @inline(__always)
  func read(_ frame: Int, channel: Int, undone: Float) -> Float {
    let layer = bit(newest, frame)
    let new = sample(layer, channel, frame).pointee
    guard undone > 0, bit(replaced, frame) == 1 else { return new }
    let old = sample(1 &- layer, channel, frame).pointee
    return undone < 1 ? new + undone * (old - new) : old
  }

  /// Prepares a frame for `record`: it has no overdub.
  @_noLocks
  func clearMarks(_ frame: Int) {
    let mask = ~(1 &<< UInt64(frame & 63)) as UInt64
    newest[frame &>> 6] &= mask
    replaced[frame &>> 6] &= mask
  }

  /// Stores a sample of a new loop, after `clearMarks`.
  @_noLocks
  func record(_ value: Float, _ frame: Int, channel: Int) {
    sample(0, channel, frame).pointee = value
  }

  /// Moves a sample of a new loop toward a value by a share.
  @_noLocks
  func blend(_ frame: Int, channel: Int, to value: Float, share: Float) {
    let place = sample(0, channel, frame)
    place.pointee += share * (value - place.pointee)
  }

  /// Begins an overdub of the frames from `start` on. If the one before is undone, it is forgotten;
  /// otherwise it stays for good. Takes about a nanosecond for 64 frames.
  @_noLocks
  func beginOverdub(from start: Int, count: Int, isUndone: Bool) {
    let end = start &+ count
    settle(from: start, to: min(end, capacity), isUndone: isUndone)
    if end > capacity { settle(from: 0, to: end &- capacity, isUndone: isUndone) }
  }

  @_noLocks
  private func settle(from start: Int, to end: Int, isUndone: Bool) {
    guard start < end else { return }
    for word in start &>> 6...(end &- 1) &>> 6 {
      if isUndone { newest[word] ^= replaced[word] }
      replaced[word] = 0
    }
  }

  /// Makes a frame's samples ready for `overdub`, which changes the newest ones in place.
  @_noLocks
  func keep(_ frame: Int) {
    guard bit(replaced, frame) == 0 else { return }
    let layer = bit(newest, frame)
    for channel in 0..<channelCount {
      sample(1 &- layer, channel, frame).pointee = sample(layer, channel, frame).pointee
    }
    let mask = 1 &<< UInt64(frame & 63) as UInt64
    newest[frame &>> 6] ^= mask
    replaced[frame &>> 6] |= mask
  }

  /// Scales the newest sample of a frame and adds a value, after `keep`.
  @_noLocks
  func overdub(_ value: Float, _ frame: Int, channel: Int, scale: Float) {
    let place = sample(bit(newest, frame), channel, frame)
    // Limited like the input: an endless sum must not become infinite.
    place.pointee = (scale * place.pointee + value).finiteSample
  }
}
