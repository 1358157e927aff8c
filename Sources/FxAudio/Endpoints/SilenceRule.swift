/// What counts as silence in a sound that is split or cut, and how much of it to keep.
public struct SilenceRule: Sendable, Hashable {
  /// Decibels: a frame is silent if no sample of it is above this level.
  public var level: Double
  /// The shortest silence between two sounds, in seconds; a shorter one belongs to the sound.
  public var time: Double
  /// Seconds of silence to keep, half on either side; nil: the caller decides.
  public var keep: Double?

  public init(level: Double = -50, time: Double = 0.5, keep: Double? = nil) {
    self.level = level
    self.time = time
    self.keep = keep
  }

  package static let levels = -120.0...0
  package static let times = 0.01...30.0
  package static let keeps = 0.0...30.0

  package init(_ options: [String: OptionValue]) {
    self.init()
    level = options.number("silenceLevel") ?? level
    time = options.number("silenceTime") ?? time
    keep = options.number("silenceKeep")
  }

  var options: [String: OptionValue] {
    var options: [String: OptionValue] = [:]
    if level != SilenceRule().level { options["silenceLevel"] = .number(level) }
    if time != SilenceRule().time { options["silenceTime"] = .number(time) }
    if let keep { options["silenceKeep"] = .number(keep) }
    return options
  }

  /// - Parameter keep: The default, as a text.
  package static func specs(keep: String) -> [OptionSpec] {
    [
      OptionSpec(
        "silenceLevel", "A sound is silent while no sample is above this level; default -50 dB.",
        .number(.decibels, levels), default: nil),
      OptionSpec(
        "silenceTime",
        "How long a pause between two sounds has to be to count as silence; default 0.5 s.",
        .number(.seconds, times), default: nil),
      OptionSpec(
        "silenceKeep", "How much of a silence is kept, half on either side; default: \(keep).",
        .number(.seconds, keeps), default: nil),
    ]
  }

  /// Rejects silence options that have no effect.
  static func conflict(_ options: [String: OptionValue], needs: String) -> OptionConflict? {
    for key in ["silenceLevel", "silenceTime", "silenceKeep"] where options[key] != nil {
      return OptionConflict(
        key, concernsOthers: true, "'\(key)' goes with \(needs)", hint: "leave it out")
    }
    return nil
  }
}
