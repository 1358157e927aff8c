/// Silence to cut out of a sound while it is read.
public struct SilenceCut: Sendable, Hashable {
  /// Where silence is cut.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    case start, end
    /// At the start and at the end.
    case ends
    /// Between two sounds.
    case inside
    case all

    package var cutsStart: Bool { self == .start || self == .ends || self == .all }
    package var cutsEnd: Bool { self == .end || self == .ends || self == .all }
    package var cutsInside: Bool { self == .inside || self == .all }
  }

  public var part: Part
  public var rule: SilenceRule
  /// Seconds of the crossfade at a cut.
  public var fade: Double

  public init(
    _ part: Part, _ rule: SilenceRule = SilenceRule(), fade: Double = SilenceCut.usualFade
  ) {
    self.part = part
    self.rule = rule
    self.fade = fade
  }

  /// Default seconds of silence to keep.
  package static let usualKeep = 0.2
  /// The default of `fade` in seconds.
  public static let usualFade = 0.005
  package static let fades = 0.0...1.0
}

/// The cut as options of a source.
extension SilenceCut {
  package static let specs =
    [
      OptionSpec(
        "cutSilence",
        "Removes silence: at the `start`, the `end` or both `ends`, longer than `silenceTime` "
          + "`inside`, or `all` of these. Times count in the sound that is left.",
        .choice(Part.allCases.map(\.rawValue)), default: nil)
    ] + SilenceRule.specs(keep: "0.2 s") + [
      OptionSpec(
        "silenceFade", "The length of the crossfade at each cut; default 5 ms.",
        .number(.seconds, fades), default: nil)
    ]

  package init?(_ options: [String: OptionValue]) {
    guard case .text(let word)? = options["cutSilence"], let part = Part(rawValue: word) else {
      return nil
    }
    self.init(
      part, SilenceRule(options), fade: options.number("silenceFade") ?? SilenceCut.usualFade)
  }

  package var options: [String: OptionValue] {
    var options = rule.options
    options["cutSilence"] = .text(part.rawValue)
    if fade != SilenceCut.usualFade { options["silenceFade"] = .number(fade) }
    return options
  }

  /// Checks the options of a source that can be cut and has a layout.
  package static func conflict(_ options: [String: OptionValue]) -> OptionConflict? {
    if options["cutSilence"] == nil {
      if let conflict = SilenceRule.conflict(options, needs: "'cutSilence'") { return conflict }
      if options["silenceFade"] != nil {
        return OptionConflict(
          "silenceFade", concernsOthers: true, "'silenceFade' goes with 'cutSilence'",
          hint: "leave it out")
      }
    }
    return EndpointSpec.layoutConflict(options)
  }
}
