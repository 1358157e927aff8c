import FxDiagnostics
import FxGraph

extension RenderRequest {
  /// When the files that are named here are written.
  public struct Recording: Sendable, Hashable {
    public enum Start: String, Sendable, Hashable, CaseIterable {
      /// While the sound is loud, and by hand.
      case level
      /// While a request of a performance wants it.
      case manual
    }

    public var start: Start
    /// Decibels: writing starts with a frame in which a sample is this loud; nil for -40 dB.
    public var startLevel: Double?
    /// Decibels: writing stops when all has been below this; nil for 10 dB below `startLevel`.
    public var stopLevel: Double?
    /// Seconds that this takes; nil for two.
    public var stopTime: Double?
    /// Seconds before a start that are written as well.
    public var preRoll = 0.0

    public init(_ start: Start) { self.start = start }

    var rule: RecordingRule {
      RecordingRule(
        start == .level ? .level : .manual, startLevel: startLevel, stopLevel: stopLevel,
        stopTime: stopTime, preRoll: preRoll)
    }

    /// Refuses numbers that no recording has.
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
