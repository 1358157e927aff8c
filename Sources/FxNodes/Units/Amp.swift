// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// A guitar amplifier: drive, bass, middle and treble, and a power stage that sags.
public struct Amp: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - drive: How much louder the guitar enters the first tube. (0…60 dB; default 20)
  ///   - bass: The bass control. (0…10; default 5)
  ///   - middle: The middle control. (0…10; default 5)
  ///   - treble: The treble control. (0…10; default 5)
  ///   - power: How hard the power stage is driven. (-24…24 dB; default 0)
  ///   - sag: How far the supply of the power stage sags at high levels. (0…1; default 0.3)
  ///   - level: The output level. (-48…24 dB; default -14.5)
  ///   - voice: The parts of the tone stack: an American amplifier of 1959 or a British one of the
  ///     eighties. (default american)
  ///   - oversampling: The oversampling of the curve; more leaves less aliasing. (default 8x)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    drive: Level? = nil,
    bass: Double? = nil,
    middle: Double? = nil,
    treble: Double? = nil,
    power: Level? = nil,
    sag: Ratio? = nil,
    level: Level? = nil,
    voice: Voice? = nil,
    oversampling: Oversampling? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("amp", id, fileID, line)
    node.setOption("preset", preset)
    node.set("drive", drive)
    node.set("bass", bass)
    node.set("middle", middle)
    node.set("treble", treble)
    node.set("power", power)
    node.set("sag", sag)
    node.set("level", level)
    node.setOption("voice", voice)
    node.setOption("oversampling", oversampling)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// How much louder the guitar enters the first tube. (0…60 dB; default 20)
  public var drive: ParameterReference<Level> { reference("drive") }

  /// The bass control. (0…10; default 5)
  public var bass: ParameterReference<Double> { reference("bass") }

  /// The middle control. (0…10; default 5)
  public var middle: ParameterReference<Double> { reference("middle") }

  /// The treble control. (0…10; default 5)
  public var treble: ParameterReference<Double> { reference("treble") }

  /// How hard the power stage is driven. (-24…24 dB; default 0)
  public var power: ParameterReference<Level> { reference("power") }

  /// How far the supply of the power stage sags at high levels. (0…1; default 0.3)
  public var sag: ParameterReference<Ratio> { reference("sag") }

  /// The output level. (-48…24 dB; default -14.5)
  public var level: ParameterReference<Level> { reference("level") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The parts of the tone stack: an American amplifier of 1959 or a British one of the eighties.
  public enum Voice: String, ParameterChoice {
    case american
    case british
  }

  /// The oversampling of the curve; more leaves less aliasing.
  public enum Oversampling: String, ParameterChoice {
    case off
    case twofold = "2x"
    case fourfold = "4x"
    case eightfold = "8x"
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Clear, with a little warmth.
    case clean
    /// Clean when played softly, rough when played hard.
    case crunch
    /// Long notes that sing.
    case lead
  }
}
