private import CKernels

/// Past frames in rings, one ring per channel, all at the same position.
///
/// Allocated on the control thread, used on the render thread.
///
/// A unit writes a block, then reads it at a delay of 0 or more frames, then calls `advance`. So it
/// may write from and read into the same memory. When the delay is at least as long as the block,
/// it may read first: a feedback loop.
struct DelayLine: ~Copyable {
  /// Frames per channel, a power of two.
  package let capacity: Int
  package let channelCount: Int
  private let buffer: SampleBuffer
  /// The index of the block's first frame in every ring.
  private(set) var position = 0

  /// Allocates room for `maximumDelay` frames before a block of `maximumFrameCount`.
  package init(channelCount: Int, maximumDelay: Int, maximumFrameCount: Int) {
    capacity = Self.capacity(maximumDelay + maximumFrameCount)
    self.channelCount = channelCount
    buffer = SampleBuffer(count: capacity * channelCount)
  }

  private static func capacity(_ frameCount: Int) -> Int {
    var capacity = 1
    while capacity < frameCount { capacity *= 2 }
    return capacity
  }

  /// The bytes that a delay line of this size allocates.
  package static func byteCount(
    channelCount: Int, maximumDelay: Int, maximumFrameCount: Int
  ) -> Int {
    SampleBuffer.byteCount(count: capacity(maximumDelay + maximumFrameCount) * channelCount)
  }

  // MARK: - Realtime

  /// The ring of a channel.
  @_noLocks
  func ring(_ channel: Int) -> UnsafePointer<Float> {
    UnsafePointer(buffer.samples + channel &* capacity)
  }

  /// Writes the block's frames of one channel.
  @_noLocks
  package func write(_ input: UnsafePointer<Float>, channel: Int, frameCount: Int) {
    let ring = buffer.samples + channel &* capacity
    let start = position
    let first = min(frameCount, capacity &- start)
    (ring + start).update(copying: input, count: first)
    if first < frameCount { ring.update(copying: input + first, count: frameCount &- first) }
  }

  /// Reads one channel's frames from `delay` frames ago; 0 reads the block's own frames.
  @_noLocks
  package func read(
    into output: UnsafeMutablePointer<Float>, channel: Int, delay: Int, frameCount: Int
  ) {
    let ring = buffer.samples + channel &* capacity
    let start = (position &- delay) & (capacity &- 1)
    let first = min(frameCount, capacity &- start)
    output.update(copying: ring + start, count: first)
    if first < frameCount { (output + first).update(copying: ring, count: frameCount &- first) }
  }

  /// A contiguous run of frames that starts `delay` frames before the block. It is in the ring
  /// itself, or in `copy` when the run wraps around.
  @_noLocks
  func piece(
    channel: Int, delay: Int, frameCount: Int, copy: UnsafeMutablePointer<Float>
  ) -> UnsafePointer<Float> {
    let ring = buffer.samples + channel &* capacity
    let start = (position &- delay) & (capacity &- 1)
    let first = capacity &- start
    if frameCount <= first { return UnsafePointer(ring + start) }
    copy.update(copying: ring + start, count: first)
    (copy + first).update(copying: ring, count: frameCount &- first)
    return UnsafePointer(copy)
  }

  /// The sample `delay` frames before a frame of the block.
  @_noLocks
  package func sample(channel: Int, frame: Int, delay: Int) -> Float {
    buffer.samples[channel &* capacity &+ ((position &+ frame &- delay) & (capacity &- 1))]
  }

  /// Moves on to the next block.
  @_noLocks
  package mutating func advance(_ frameCount: Int) {
    position = (position &+ frameCount) & (capacity &- 1)
  }

  /// True when a channel holds one value throughout.
  @_noLocks
  func isUniform(channel: Int) -> Bool {
    let ring = buffer.samples + channel &* capacity
    for index in 1..<capacity where ring[index].bitPattern != ring[0].bitPattern { return false }
    return true
  }

  /// True when a channel holds zeros of one sign.
  @_noLocks
  package func isSilent(channel: Int) -> Bool {
    fx_is_silent(buffer.samples + channel &* capacity, capacity) != 0
  }

  /// True when every channel holds zeros of one sign.
  package var isSilent: Bool {
    @_noLocks get {
      for channel in 0..<channelCount where !isSilent(channel: channel) { return false }
      return true
    }
  }

  @_noLocks
  package mutating func clear() {
    buffer.clear()
    position = 0
  }
}

extension UnsafeMutablePointer<Float> {
  /// Copies samples that do not overlap.
  @_noLocks @inline(__always)
  package func update(copying source: UnsafePointer<Float>, count: Int) {
    UnsafeMutableRawPointer(self).copyMemory(
      from: source, byteCount: count &* MemoryLayout<Float>.stride)
  }
}
