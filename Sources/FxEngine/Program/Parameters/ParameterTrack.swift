import FxAudio

/// One parameter while a program runs: its motion and its next automation events. On the render
/// thread.
struct ParameterTrack: BitwiseCopyable {
  var motion: ParameterMotion
  /// The next of the program's events, up to `eventEnd`.
  var nextEvent: Int32
  let eventEnd: Int32
  /// Frames and path of a change by a command.
  let smoothingFrames: Int32
  let smoothingPath: ParameterMotion.Path

  // MARK: - Realtime

  /// Starts a motion at a frame, from the parameter's value there.
  @_noLocks
  mutating func move(
    to target: Float, at frame: Int, over frameCount: Int, path: ParameterMotion.Path
  ) {
    motion = ParameterMotion(
      from: motion.value(at: frame), to: target, startFrame: frame, frameCount: frameCount,
      path: path, slope: motion.slope(at: frame))
  }

  /// The frame of the next automation event; `FrameLimits.forever` if there is none.
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

  /// True when the value is constant for at least `frameCount` frames from `frame` on.
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
