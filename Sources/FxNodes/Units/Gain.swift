// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Makes the signal louder or quieter.
public struct Gain: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - gain: The level change. (-inf…48 dB; default 0)
  ///   - invert: Inverts the polarity. (default false)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    gain: Level? = nil,
    invert: Bool? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("gain", id, fileID, line)
    node.set("gain", gain)
    node.set("invert", invert)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The level change. (-inf…48 dB; default 0)
  public var gain: ParameterReference<Level> { reference("gain") }

  /// Inverts the polarity. (default false)
  public var invert: ParameterReference<Bool> { reference("invert") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
