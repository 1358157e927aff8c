import FxAudio
import FxGraph

/// A change of one parameter that the chain has written down: at `frame` it sets out for `target`.
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

  /// Frames that a change takes to arrive.
  func smoothingFrames(sampleRate: Double) -> Int {
    switch smoothing {
    case .none: 0
    case .ramp(let seconds), .glide(let seconds): Int((seconds * sampleRate).rounded())
    }
  }

  /// The path that a change takes.
  var smoothingPath: ParameterMotion.Path {
    if case .glide = smoothing { .geometric } else { .line }
  }

  /// A chain's automation as events in frame order.
  ///
  /// A step sets out at its point; a line sets out at the point before it and arrives at its own. A
  /// level's line is straight in decibels, which is geometric in amplitude.
  func events(for automation: Automation, sampleRate: Double) -> [ParameterEvent] {
    var events: [ParameterEvent] = []
    var previousFrame = 0
    for point in automation.points {
      let frame = Int((point.seconds * sampleRate).rounded())
      switch point.curve {
      case .step:
        events.append(
          ParameterEvent(
            // Where the chain begins there is nothing to come from.
            frame: frame, frameCount: frame == 0 ? 0 : smoothingFrames(sampleRate: sampleRate),
            target: delivered(point.value), path: smoothingPath))
      case .linear, .exponential:
        let isGeometric = point.curve == .exponential || delivery == .amplitude
        events.append(
          ParameterEvent(
            frame: previousFrame, frameCount: max(0, frame - previousFrame),
            target: delivered(point.value), path: isGeometric ? .geometric : .line))
      }
      previousFrame = frame
    }
    return events
  }
}
