import FxAudio

/// A parameter change from the chain's automation: at `frame` the value starts to move to `target`.
struct ParameterEvent: BitwiseCopyable {
  let frame: Int
  let frameCount: Int
  let target: Float
  let path: ParameterMotion.Path
}

extension ParameterSpec {
  /// The value as the unit receives it.
  package func delivered(_ value: Double) -> Float {
    switch delivery {
    case .asIs: Float(value)
    case .amplitude: Float(Math.amplitude(decibels: value))
    }
  }

  /// Frames that a change takes.
  func smoothingFrames(sampleRate: Double) -> Int {
    switch smoothing {
    case .none: 0
    case .ramp(let seconds), .glide(let seconds): Int((seconds * sampleRate).rounded())
    }
  }

  /// The path of a change: an S-curve, so that neither end is audible.
  var smoothingPath: ParameterMotion.Path {
    if case .glide = smoothing { .smoothGeometric } else { .smooth }
  }

  /// A chain's automation as events in frame order.
  ///
  /// A step starts at its point and takes the parameter's smoothing. A line starts at the point
  /// before it and arrives at its own. Where a line follows a step, the step's smoothing ends on
  /// the line, which is already moving. A line of a level is straight in decibels, so it is
  /// geometric in amplitude.
  func events(for automation: Automation, sampleRate: Double) -> [ParameterEvent] {
    var events: [ParameterEvent] = []
    var previous = (frame: 0, value: Float?.none)
    for point in automation.points {
      let frame = Int((point.seconds * sampleRate).rounded())
      let target = delivered(point.value)
      switch point.curve {
      case .step:
        // At the chain's start there is no earlier value to smooth from.
        events.append(
          ParameterEvent(
            frame: frame, frameCount: frame == 0 ? 0 : smoothingFrames(sampleRate: sampleRate),
            target: target, path: smoothingPath))
      case .linear, .exponential:
        // A value of 0 has no ratio.
        let isGeometric =
          (point.curve == .exponential || delivery == .amplitude) && target > 0
          && previous.value ?? 0 > 0
        let path: ParameterMotion.Path = isGeometric ? .geometric : .line
        var start = previous.frame
        if let step = events.last, let from = previous.value, step.frame == start,
          step.frameCount > 0, start + step.frameCount < frame
        {
          let line = ParameterMotion(
            from: from, to: target, startFrame: start, frameCount: frame - start, path: path)
          start += step.frameCount
          events[events.count - 1] = ParameterEvent(
            frame: step.frame, frameCount: step.frameCount, target: line.value(at: start),
            path: step.path.straight)
        }
        events.append(
          ParameterEvent(
            frame: start, frameCount: max(0, frame - start), target: target, path: path))
      }
      previous = (frame, target)
    }
    return events
  }
}
