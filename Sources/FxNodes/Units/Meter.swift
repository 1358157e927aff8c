// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Measures levels, loudness and correlation, and passes the signal through.
public struct Meter: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - loudness: Whether loudness and true peaks are measured, which is most of the work.
  ///     (default true)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    loudness: Bool? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("meter", id, fileID, line)
    node.setOption("loudness", loudness)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
