// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Raises or lowers the attack and the decay of sounds, at any level.
public struct Transient: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - attack: How much the beginning of a sound is raised. (-24…24 dB; default 0)
  ///   - sustain: How much the end of a sound is raised. (-24…24 dB; default 0)
  ///   - attackTime: How long a beginning lasts. (0.001…0.2 s; default 0.02)
  ///   - sustainTime: How long an end lasts. (0.02…3 s; default 0.3)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    attack: Level? = nil,
    sustain: Level? = nil,
    attackTime: Time? = nil,
    sustainTime: Time? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("transient", id, fileID, line)
    node.setOption("preset", preset)
    node.set("attack", attack)
    node.set("sustain", sustain)
    node.set("attackTime", attackTime)
    node.set("sustainTime", sustainTime)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// How much the beginning of a sound is raised. (-24…24 dB; default 0)
  public var attack: ParameterReference<Level> { reference("attack") }

  /// How much the end of a sound is raised. (-24…24 dB; default 0)
  public var sustain: ParameterReference<Level> { reference("sustain") }

  /// How long a beginning lasts. (0.001…0.2 s; default 0.02)
  public var attackTime: ParameterReference<Time> { reference("attackTime") }

  /// How long an end lasts. (0.02…3 s; default 0.3)
  public var sustainTime: ParameterReference<Time> { reference("sustainTime") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Drums that stand out of a mix.
    case punch
    /// Drums without their room.
    case tight
    /// A drum that rings on, a plucked string that lasts.
    case ring
    /// Strokes that step back.
    case soft
  }
}
