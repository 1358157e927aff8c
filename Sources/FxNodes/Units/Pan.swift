// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Places a mono signal between left and right, or shifts a stereo signal's balance.
public struct Pan: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - pan: From -1, left, to 1, right. (-1…1; default 0)
  ///   - law: The levels on the way: balance leaves the centre alone, constantPower has -3 dB
  ///     there, linear -6 dB. (default balance)
  ///   - stereo: How the far side of a stereo signal is treated: balance turns it down, pan moves
  ///     it over to the near side, and leaves the centre alone. (default balance)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    pan: Double? = nil,
    law: Law? = nil,
    stereo: Stereo? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("pan", id, fileID, line)
    node.set("pan", pan)
    node.setOption("law", law)
    node.setOption("stereo", stereo)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// From -1, left, to 1, right. (-1…1; default 0)
  public var pan: ParameterReference<Double> { reference("pan") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The levels on the way: balance leaves the centre alone, constantPower has -3 dB there, linear
  /// -6 dB.
  public enum Law: String, ParameterChoice {
    case balance
    case constantPower
    case linear
  }

  /// How the far side of a stereo signal is treated: balance turns it down, pan moves it over to
  /// the near side, and leaves the centre alone.
  public enum Stereo: String, ParameterChoice {
    case balance
    case pan
  }
}
