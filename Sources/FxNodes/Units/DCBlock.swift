// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Removes a constant offset and leaves the rest alone.
public struct DCBlock: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - frequency: The cutoff, 3 dB down; 6 dB an octave below it. (0.5…100 Hz; default 5)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    frequency: Frequency? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("dcBlock", id, fileID, line)
    node.set("frequency", frequency)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The cutoff, 3 dB down; 6 dB an octave below it. (0.5…100 Hz; default 5)
  public var frequency: ParameterReference<Frequency> { reference("frequency") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
