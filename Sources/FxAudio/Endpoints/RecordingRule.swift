/// When a sink records its input.
public struct RecordingRule: Sendable, Hashable {
  public enum Start: String, Sendable, Hashable, CaseIterable {
    /// By level, and by hand.
    case level
    /// Only by hand.
    case manual
  }

  public var start: Start
  /// Decibels: recording starts with a frame in which a sample reaches this level.
  public var startLevel: Double
  /// Decibels: recording stops when all samples have stayed below this for `stopTime`.
  public var stopLevel: Double
  /// Seconds.
  public var stopTime: Double
  /// Seconds before the start that are also recorded.
  public var preRoll: Double

  public init(
    _ start: Start, startLevel: Double? = nil, stopLevel: Double? = nil, stopTime: Double? = nil,
    preRoll: Double? = nil
  ) {
    self.start = start
    self.startLevel = startLevel ?? Self.usualLevel
    self.stopLevel = stopLevel ?? max(self.startLevel - 10, Self.levels.lowerBound)
    self.stopTime = stopTime ?? 2
    self.preRoll = preRoll ?? 0
  }

  private static let usualLevel = -40.0
  package static let levels = -120.0...0
  static let stopTimes = 0.01...3600.0
  static let preRolls = 0.0...600.0
}

/// The rule as options of a sink.
extension RecordingRule {
  package static let specs = [
    OptionSpec(
      "record",
      "`level` records while the sound is loud, `manual` between start and stop of `fxrun control … record`; default: everything is written.",
      .choice(Start.allCases.map(\.rawValue)), default: nil),
    OptionSpec(
      "startLevel", "With `level`: writing starts when a sample is this loud; default -40 dB.",
      .number(.decibels, levels), default: nil),
    OptionSpec(
      "stopLevel",
      "With `level`: writing stops when the sound has stayed below this; default 10 dB below `startLevel`.",
      .number(.decibels, levels), default: nil),
    OptionSpec(
      "stopTime", "With `level`: how long the sound has to stay below `stopLevel`; default 2 s.",
      .number(.seconds, stopTimes),
      default: nil),
    OptionSpec(
      "preRoll", "With `record`: how much sound from before a start is written as well.",
      .number(.seconds, preRolls), default: nil),
  ]

  /// nil if everything is recorded.
  package init?(_ options: [String: OptionValue]) {
    guard case .text(let word)? = options["record"], let start = Start(rawValue: word) else {
      return nil
    }
    self.init(
      start, startLevel: options.number("startLevel"), stopLevel: options.number("stopLevel"),
      stopTime: options.number("stopTime"), preRoll: options.number("preRoll"))
  }

  package var options: [String: OptionValue] {
    var options: [String: OptionValue] = ["record": .text(start.rawValue)]
    if preRoll > 0 { options["preRoll"] = .number(preRoll) }
    guard start == .level else { return options }
    options["startLevel"] = .number(startLevel)
    options["stopLevel"] = .number(stopLevel)
    options["stopTime"] = .number(stopTime)
    return options
  }

  package static func conflict(_ options: [String: OptionValue]) -> OptionConflict? {
    guard let rule = RecordingRule(options) else {
      for key in ["preRoll", "startLevel", "stopLevel", "stopTime"] where options[key] != nil {
        return OptionConflict(
          key, concernsOthers: true, "'\(key)' goes with 'record'",
          hint: "give \"record\": \"level\" or \"record\": \"manual\" as well")
      }
      return nil
    }
    if rule.start == .manual {
      for key in ["startLevel", "stopLevel", "stopTime"] where options[key] != nil {
        return OptionConflict(
          key, concernsOthers: true, "'\(key)' goes with \"record\": \"level\"",
          hint: "leave it out, or record by level")
      }
    }
    if rule.stopLevel > rule.startLevel {
      return OptionConflict(
        "stopLevel", concernsOthers: true, "'stopLevel' is above 'startLevel'",
        hint: "a recording stops where it is quieter than where it starts")
    }
    return nil
  }
}
