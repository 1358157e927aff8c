// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Widens a sound: one side hears it a little later.
public struct Haas: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - time: How much later; below about 30 ms nobody hears two sounds. (0…0.05 s; default 0.015)
  ///   - gain: The level of the later side. (-24…12 dB; default 0)
  ///   - later: The side that is later. (default right)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    time: Time? = nil,
    gain: Level? = nil,
    later: Later? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("haas", id, fileID, line)
    node.setOption("preset", preset)
    node.set("time", time)
    node.set("gain", gain)
    node.setOption("later", later)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// How much later; below about 30 ms nobody hears two sounds. (0…0.05 s; default 0.015)
  public var time: ParameterReference<Time> { reference("time") }

  /// The level of the later side. (-24…12 dB; default 0)
  public var gain: ParameterReference<Level> { reference("gain") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The side that is later.
  public enum Later: String, ParameterChoice {
    case left
    case right
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// One guitar as wide as two.
    case guitar
    /// To the left, and as loud on both sides.
    case placed
  }
}
