import FxAudio

/// One parameter while a program runs: where it is going, and the written events still to come.
/// On the render thread.
struct ParameterTrack: BitwiseCopyable {
  var motion: ParameterMotion
  /// The next of the program's events, up to `eventEnd`.
  var nextEvent: Int32
  let eventEnd: Int32
  /// Frames and path of a change that a command makes.
  let smoothingFrames: Int32
  let smoothingPath: ParameterMotion.Path

  // MARK: - Realtime

  /// Sets out for a value at a frame, from wherever the parameter is then.
  @_noLocks
  mutating func move(
    to target: Float, at frame: Int, over frameCount: Int, path: ParameterMotion.Path
  ) {
    motion = ParameterMotion(
      from: motion.value(at: frame), to: target, startFrame: frame, frameCount: frameCount,
      path: path, slope: motion.slope(at: frame))
  }

  /// The frame of the next written event, or one that never comes.
  @_noLocks
  func nextEventFrame(_ events: UnsafePointer<ParameterEvent>) -> Int {
    nextEvent < eventEnd ? events[Int(nextEvent)].frame : FrameLimits.forever
  }

  /// Starts every event up to and including a frame.
  @_noLocks
  mutating func startEvents(through frame: Int, _ events: UnsafePointer<ParameterEvent>) {
    while nextEvent < eventEnd, events[Int(nextEvent)].frame <= frame {
      let event = events[Int(nextEvent)]
      move(to: event.target, at: event.frame, over: event.frameCount, path: event.path)
      nextEvent += 1
    }
  }

  /// True when the value rests from `frame` on for at least `frameCount` frames.
  @_noLocks
  func rests(
    from frame: Int, frameCount: Int, _ events: UnsafePointer<ParameterEvent>
  ) -> Bool {
    motion.endFrame <= frame && nextEventFrame(events) >= frame + frameCount
  }

  /// Writes the value of every frame of a block.
  @_noLocks
  mutating func write(
    into samples: UnsafeMutablePointer<Float>, from frame: Int, frameCount: Int,
    _ events: UnsafePointer<ParameterEvent>
  ) {
    var index = 0
    while index < frameCount {
      startEvents(through: frame + index, events)
      let end = min(frameCount, nextEventFrame(events) - frame)
      let motion = self.motion
      while index < end, frame + index < motion.endFrame {
        samples[index] = motion.value(at: frame + index)
        index += 1
      }
      while index < end {
        samples[index] = motion.target
        index += 1
      }
    }
  }
}
