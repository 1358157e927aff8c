// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Adds harmonics by bending the wave, the more the louder it is.
public struct Saturator: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - drive: How much louder the signal enters the curve, which bends levels near full scale.
  ///     The output keeps the loudness of a signal of -18 LUFS. (0…48 dB; default 6)
  ///   - level: The output level. (-48…24 dB; default 0)
  ///   - curve: The curve: gentle with more distortion in the treble (tape), asymmetric (tube),
  ///     later and harder (transistor), gentle (soft), abrupt (hard), or folded back (fold).
  ///     (default soft)
  ///   - oversampling: The oversampling of the curve; more leaves less aliasing. (default 8x)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    drive: Level? = nil,
    level: Level? = nil,
    curve: Curve? = nil,
    oversampling: Oversampling? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("saturator", id, fileID, line)
    node.setOption("preset", preset)
    node.set("drive", drive)
    node.set("level", level)
    node.setOption("curve", curve)
    node.setOption("oversampling", oversampling)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// How much louder the signal enters the curve, which bends levels near full scale. The output
  /// keeps the loudness of a signal of -18 LUFS. (0…48 dB; default 6)
  public var drive: ParameterReference<Level> { reference("drive") }

  /// The output level. (-48…24 dB; default 0)
  public var level: ParameterReference<Level> { reference("level") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The curve: gentle with more distortion in the treble (tape), asymmetric (tube), later and
  /// harder (transistor), gentle (soft), abrupt (hard), or folded back (fold).
  public enum Curve: String, ParameterChoice {
    case tape
    case tube
    case transistor
    case soft
    case hard
    case fold
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
    /// A little body for a mix or a voice.
    case warmth
    /// A tube that is driven.
    case preamp
    /// A transistor that is overdriven.
    case fuzz
  }
}
