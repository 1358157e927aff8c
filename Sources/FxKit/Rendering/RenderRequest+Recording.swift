import FxAudio
import FxChain
import FxEngine

extension RenderRequest {
  /// When the outputs named in the request are written.
  public struct Recording: Sendable, Hashable {
    public enum Start: String, Sendable, Hashable, CaseIterable {
      /// While the sound is loud, or after a `record` request.
      case level
      /// Only after a `record` request of a performance.
      case manual
    }

    public var start: Start
    /// Writing starts at a frame with a sample of at least this level in decibels; nil for -40 dB.
    public var startLevel: Double?
    /// Writing stops after `stopTime` below this level in decibels; nil for 10 dB below
    /// `startLevel`.
    public var stopLevel: Double?
    /// Seconds below `stopLevel` before writing stops; nil for two.
    public var stopTime: Double?
    /// Seconds before a start that are also written.
    public var preRoll = 0.0

    public init(_ start: Start) { self.start = start }

    var rule: RecordingRule {
      RecordingRule(
        start == .level ? .level : .manual, startLevel: startLevel, stopLevel: stopLevel,
        stopTime: stopTime, preRoll: preRoll)
    }

    /// Refuses values that are out of range.
    func check() throws(ChainFailure) {
      for level in [startLevel, stopLevel].compactMap(\.self)
      where !RecordingRule.levels.contains(level) {
        throw .outOfRange("a recording starts and stops at -120 to 0 dB, not \(shortNumber(level))")
      }
      if rule.stopLevel > rule.startLevel {
        throw .outOfRange("a recording stops where it is quieter than where it starts")
      }
      if let stopTime, !RecordingRule.stopTimes.contains(stopTime) {
        throw .outOfRange("a recording stops after 0.01 to 3600 s, not \(shortNumber(stopTime))")
      }
      if !RecordingRule.preRolls.contains(preRoll) {
        throw .outOfRange("a pre-roll is 0 to 600 s, not \(shortNumber(preRoll))")
      }
    }
  }
}
