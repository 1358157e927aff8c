import FxAudio

/// A small fingerprint of one side of a node: a number for each window of frames of all channels,
/// and the level. Equal sounds have equal fingerprints, whatever the block sizes.
///
/// Windows begin short and are joined in pairs when there are too many. So any length ends with
/// between half of `capacity` and all of it.
struct SideFingerprint: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the render thread writes; other threads read when the render has ended.

  /// The most windows kept.
  static var capacity: Int { 128 }
  /// Frames of the first windows.
  static var shortestWindow: Int { 16 }

  /// The most bytes of a channel's fingerprint, without its recording.
  static let channelBytes =
    capacity * MemoryLayout<UInt32>.stride + MemoryLayout<SampleDigest>.stride
    + MemoryLayout<State>.stride

  private struct State: BitwiseCopyable {
    var windowFrameCount: Int
    var windowCount = 0
    /// Frames of the current window so far.
    var filled = 0
    var frameCount = 0
    var peak: Float = 0
    var sumOfSquares = 0.0
  }

  /// The channels' buffers at frame 0 of the block.
  let channels: UnsafePointer<UnsafePointer<Float>>
  let channelCount: Int
  /// By channel: the digest of the current window.
  private let digests: UnsafeMutablePointer<SampleDigest>
  private let windows: UnsafeMutablePointer<UInt32>
  private let state: UnsafeMutablePointer<State>
  /// The first frames, one channel after another.
  private let recording: UnsafeMutablePointer<Float>
  private let recordedFrameCount: Int

  init(_ buffers: [UnsafePointer<Float>], recording frameCount: Int, in arena: inout Arena) {
    channels = UnsafePointer(arena.allocate(buffers))
    channelCount = buffers.count
    digests = arena.allocate(
      [SampleDigest](repeating: SampleDigest(), count: max(buffers.count, 1)))
    windows = arena.allocate(UInt32.self, count: SideFingerprint.capacity, repeating: 0)
    state = arena.allocate([State(windowFrameCount: SideFingerprint.shortestWindow)])
    recordedFrameCount = frameCount
    recording = arena.allocate(
      Float.self, count: frameCount * max(buffers.count, 1), repeating: 0)
  }

  /// The result, after the render has ended.
  var picture: RenderFingerprint.Side {
    let state = state.pointee
    let samples = Double(max(state.frameCount, 1)) * Double(max(channelCount, 1))
    return RenderFingerprint.Side(
      channelCount: channelCount, windowFrameCount: state.windowFrameCount,
      windows: Array(UnsafeBufferPointer(start: windows, count: state.windowCount)),
      frameCount: state.frameCount, peak: state.peak,
      rms: (state.sumOfSquares / samples).squareRoot(), samples: recorded)
  }

  private var recorded: [[Float]] {
    guard recordedFrameCount > 0 else { return [] }
    let count = min(state.pointee.frameCount, recordedFrameCount)
    return (0..<channelCount).map { channel in
      Array(
        UnsafeBufferPointer(start: recording + channel * recordedFrameCount, count: count))
    }
  }

  // MARK: - Realtime

  /// Processes the frames of a slice that begins at `offset` of the block.
  @_noLocks
  func note(offset: Int, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, state.pointee.windowFrameCount - state.pointee.filled)
      for channel in 0..<channelCount { take(channel, from: offset + done, count) }
      done += count
      state.pointee.filled += count
      state.pointee.frameCount += count
      if state.pointee.filled == state.pointee.windowFrameCount { closeWindow() }
    }
  }

  @_noLocks
  private func take(_ channel: Int, from start: Int, _ count: Int) {
    let samples = channels[channel] + start
    digests[channel].append(samples, frameCount: count)
    let first = state.pointee.frameCount
    let kept = min(count, recordedFrameCount - first)
    if kept > 0 {
      let target = recording + channel * recordedFrameCount + first
      for frame in 0..<kept { target[frame] = samples[frame] }
    }
    var peak = state.pointee.peak
    var sum = 0.0
    for frame in 0..<count {
      let sample = samples[frame]
      let magnitude = sample < 0 ? -sample : sample
      if magnitude > peak { peak = magnitude }
      sum += Double(sample) * Double(sample)
    }
    state.pointee.peak = peak
    state.pointee.sumOfSquares += sum
  }

  @_noLocks
  private func closeWindow() {
    var joined: UInt32 = 0
    for channel in 0..<channelCount {
      joined = WindowDigest.joined(joined, WindowDigest.folded(digests[channel].value))
      digests[channel] = SampleDigest()
    }
    windows[state.pointee.windowCount] = joined
    state.pointee.windowCount += 1
    state.pointee.filled = 0
    if state.pointee.windowCount == SideFingerprint.capacity { joinWindows() }
  }

  /// Doubles the window length.
  @_noLocks
  private func joinWindows() {
    let half = SideFingerprint.capacity / 2
    for index in 0..<half {
      windows[index] = WindowDigest.joined(windows[2 * index], windows[2 * index + 1])
    }
    state.pointee.windowCount = half
    state.pointee.windowFrameCount *= 2
    // The current window continues: it holds no frames yet.
  }
}
