// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Narrows a stereo signal to mono or makes its sides louder.
public struct Width: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - width: The level of the difference of the sides: 0 is mono, 1 leaves it, 2 doubles it.
  ///     (0…2; default 1)
  ///   - monoBelow: Below it both sides are the same; 10 Hz leaves them. (10…500 Hz; default 10)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    width: Ratio? = nil,
    monoBelow: Frequency? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("width", id, fileID, line)
    node.setOption("preset", preset)
    node.set("width", width)
    node.set("monoBelow", monoBelow)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The level of the difference of the sides: 0 is mono, 1 leaves it, 2 doubles it. (0…2; default
  /// 1)
  public var width: ParameterReference<Ratio> { reference("width") }

  /// Below it both sides are the same; 10 Hz leaves them. (10…500 Hz; default 10)
  public var monoBelow: ParameterReference<Frequency> { reference("monoBelow") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// One bass for both sides, as records and clubs want it.
    case monoBass = "mono bass"
  }
}
