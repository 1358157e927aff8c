// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// A sound played from tape: warm, wavering, with hiss.
public struct Tape: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - drive: How much louder the signal goes onto the tape, which bends levels near full scale.
  ///     (0…36 dB; default 6)
  ///   - wow: How far the speed wavers slowly, to either side. (0…0.02; default 0.001)
  ///   - flutter: How far it wavers fast, at most. (0…0.01; default 0.001)
  ///   - hiss: The RMS level of its hiss, before treble is lost. (-inf…-20 dB; default -66)
  ///   - treble: Where the treble ends. (1000…20000 Hz; default 14000)
  ///   - level: The output level. (-48…24 dB; default -4)
  ///   - oversampling: The oversampling of the curve; more leaves less aliasing. (default 8x)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    drive: Level? = nil,
    wow: Ratio? = nil,
    flutter: Ratio? = nil,
    hiss: Level? = nil,
    treble: Frequency? = nil,
    level: Level? = nil,
    oversampling: Oversampling? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("tape", id, fileID, line)
    node.setOption("preset", preset)
    node.set("drive", drive)
    node.set("wow", wow)
    node.set("flutter", flutter)
    node.set("hiss", hiss)
    node.set("treble", treble)
    node.set("level", level)
    node.setOption("oversampling", oversampling)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// How much louder the signal goes onto the tape, which bends levels near full scale. (0…36 dB;
  /// default 6)
  public var drive: ParameterReference<Level> { reference("drive") }

  /// How far the speed wavers slowly, to either side. (0…0.02; default 0.001)
  public var wow: ParameterReference<Ratio> { reference("wow") }

  /// How far it wavers fast, at most. (0…0.01; default 0.001)
  public var flutter: ParameterReference<Ratio> { reference("flutter") }

  /// The RMS level of its hiss, before treble is lost. (-inf…-20 dB; default -66)
  public var hiss: ParameterReference<Level> { reference("hiss") }

  /// Where the treble ends. (1000…20000 Hz; default 14000)
  public var treble: ParameterReference<Frequency> { reference("treble") }

  /// The output level. (-48…24 dB; default -4)
  public var level: ParameterReference<Level> { reference("level") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The oversampling of the curve; more leaves less aliasing.
  public enum Oversampling: String, ParameterChoice {
    case off
    case twofold = "2x"
    case fourfold = "4x"
    case eightfold = "8x"
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// A good machine.
    case studio
    /// A pocket recorder.
    case cassette
    /// A tape that was played too often.
    case worn
  }
}
