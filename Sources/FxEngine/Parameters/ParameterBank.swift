import FxAudio

/// Memory for the frames of moving parameters, which all nodes of a program share: `stride` floats a
/// parameter.
struct ParameterScratch: BitwiseCopyable {
  let samples: UnsafeMutablePointer<Float>
  let stride: Int
}

/// The parameters of one node on the render thread: its tracks and the signals made of them.
struct ParameterBank: BitwiseCopyable {
  let tracks: UnsafeMutablePointer<ParameterTrack>
  let signals: UnsafeMutablePointer<ParameterSignal>
  let events: UnsafePointer<ParameterEvent>
  let count: Int
  /// The first of the parameters that move frame by frame; those before it are read once a block.
  let firstPerFrame: Int
  // What every block reads comes last, where `NodeMemory` starts a cache line.
  /// Frame before which all signals stand as they are.
  private var restsUntil: Int
  private var hasMoved: Bool

  /// Bytes before that.
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

  /// False when all signals stand as they did in the block before, so that there is nothing to prepare.
  /// Frames are absolute, on the node's own time line.
  @_noLocks @inline(__always)
  func isDue(from frame: Int, frameCount: Int) -> Bool {
    hasMoved || restsUntil < frame + frameCount
  }

  /// Brings the signals to a block.
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

  /// Sends one parameter towards a value from a frame on, in so many frames; below zero by its own
  /// smoothing, which is also the least.
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
