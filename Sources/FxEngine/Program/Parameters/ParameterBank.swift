import FxAudio

/// Memory for the frames of moving parameters: `stride` floats for each parameter. All nodes of a
/// program share it.
struct ParameterScratch: BitwiseCopyable {
  let samples: UnsafeMutablePointer<Float>
  let stride: Int
}

/// The parameters of one node on the render thread: tracks and the signals computed from them.
struct ParameterBank: BitwiseCopyable {
  let tracks: UnsafeMutablePointer<ParameterTrack>
  let signals: UnsafeMutablePointer<ParameterSignal>
  let events: UnsafePointer<ParameterEvent>
  let count: Int
  /// The first of the parameters that move frame by frame; those before it are read once per block.
  let firstPerFrame: Int
  // Fields that every block reads come last; `NodeMemory` starts a cache line there.
  /// The signals stay unchanged until this frame.
  private var restsUntil: Int
  private var hasMoved: Bool

  /// Bytes before those fields.
  static let rarelyReadBytes = MemoryLayout<Self>.offset(of: \.restsUntil) ?? 0

  init(
    tracks: UnsafeMutablePointer<ParameterTrack>, signals: UnsafeMutablePointer<ParameterSignal>,
    events: UnsafePointer<ParameterEvent>, count: Int, firstPerFrame: Int
  ) {
    self.tracks = tracks
    self.signals = signals
    self.events = events
    self.count = count
    self.firstPerFrame = firstPerFrame
    restsUntil = -FrameLimits.forever
    hasMoved = true
  }

  // MARK: - Realtime

  /// False when no signal has changed since the block before, so that there is nothing to prepare.
  /// Frames are absolute, on the node's own timeline.
  @_noLocks @inline(__always)
  func isDue(from frame: Int, frameCount: Int) -> Bool {
    hasMoved || restsUntil < frame + frameCount
  }

  /// Updates the signals for a block.
  @_noLocks
  mutating func prepare(from frame: Int, frameCount: Int, in scratch: ParameterScratch) {
    hasMoved = false
    restsUntil = FrameLimits.forever
    for index in 0..<count {
      let track = tracks + index
      track.pointee.startEvents(through: frame, events)
      if index < firstPerFrame {
        signals[index] = ParameterSignal(constant: track.pointee.motion.value(at: frame))
        if track.pointee.motion.endFrame > frame { hasMoved = true }
      } else if track.pointee.rests(from: frame, frameCount: frameCount, events) {
        signals[index] = ParameterSignal(constant: track.pointee.motion.target)
      } else {
        let samples = scratch.samples + index * scratch.stride
        track.pointee.write(into: samples, from: frame, frameCount: frameCount, events)
        signals[index] = ParameterSignal(samples: UnsafePointer(samples))
        hasMoved = true
      }
      restsUntil = min(restsUntil, track.pointee.nextEventFrame(events))
    }
  }

  /// Moves one parameter to a value in `frameCount` frames, starting at a frame. The parameter's
  /// own smoothing is the minimum; a negative `frameCount` stands for it.
  @_noLocks
  mutating func set(_ index: Int, to value: Float, at frame: Int, over frameCount: Int) {
    let track = tracks + index
    track.pointee.startEvents(through: frame, events)
    let smoothing = Int(track.pointee.smoothingFrames)
    track.pointee.move(
      to: value, at: frame, over: frameCount > smoothing ? frameCount : smoothing,
      path: track.pointee.smoothingPath)
    hasMoved = true
  }
}
