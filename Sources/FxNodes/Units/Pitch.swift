// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Shifts the pitch, and the formants on their own; the duration stays.
public struct Pitch: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - shift: How far the pitch is shifted. (-24…24 st; default 0)
  ///   - cents: An additional shift, in hundredths of a semitone (cents). (-100…100; default 0)
  ///   - formantShift: How far the formants are shifted, with `formants` kept. (-12…12 st; default
  ///     0)
  ///   - formants: The formants, which give a voice its size and colour: `move` shifts them with
  ///     the pitch, `keep` does not. (default move)
  ///   - quality: `file` keeps chords purest; `live` has less latency; `automatic` is `live` on a
  ///     sound card and `file` elsewhere. (default automatic)
  ///   - window: The analysis windows: `short` halves and `long` doubles them all. Short ones have
  ///     less latency and keep attacks sharp; long ones keep deep and dense sounds pure. (default
  ///     medium)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    shift: Semitones? = nil,
    cents: Double? = nil,
    formantShift: Semitones? = nil,
    formants: Formants? = nil,
    quality: Quality? = nil,
    window: Window? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("pitch", id, fileID, line)
    node.setOption("preset", preset)
    node.set("shift", shift)
    node.set("cents", cents)
    node.set("formantShift", formantShift)
    node.setOption("formants", formants)
    node.setOption("quality", quality)
    node.setOption("window", window)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// How far the pitch is shifted. (-24…24 st; default 0)
  public var shift: ParameterReference<Semitones> { reference("shift") }

  /// An additional shift, in hundredths of a semitone (cents). (-100…100; default 0)
  public var cents: ParameterReference<Double> { reference("cents") }

  /// How far the formants are shifted, with `formants` kept. (-12…12 st; default 0)
  public var formantShift: ParameterReference<Semitones> { reference("formantShift") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The formants, which give a voice its size and colour: `move` shifts them with the pitch,
  /// `keep` does not.
  public enum Formants: String, ParameterChoice {
    case move
    case keep
  }

  /// `file` keeps chords purest; `live` has less latency; `automatic` is `live` on a sound card and
  /// `file` elsewhere.
  public enum Quality: String, ParameterChoice {
    case automatic
    case file
    case live
  }

  /// The analysis windows: `short` halves and `long` doubles them all. Short ones have less latency
  /// and keep attacks sharp; long ones keep deep and dense sounds pure.
  public enum Window: String, ParameterChoice {
    case short
    case medium
    case long
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// A bass of a guitar.
    case octaveDown = "octave down"
    /// Twelve strings, with half of the sound itself.
    case octaveUp = "octave up"
    /// A larger person.
    case lowerVoice = "lower voice"
    /// A smaller person.
    case higherVoice = "higher voice"
    /// Two frets up, the guitar's body as it is.
    case capo
  }
}
