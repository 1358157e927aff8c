// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Turns the phase around a frequency and leaves every level.
public struct AllPass: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - frequency: Where the phase is turned by half a cycle. (10 Hz…0.49 × sample rate; default
  ///     1000)
  ///   - q: How narrow the turn is. (0.1…40; default 0.7071)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    frequency: Frequency? = nil,
    q: Double? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("allPass", id, fileID, line)
    node.set("frequency", frequency)
    node.set("q", q)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// Where the phase is turned by half a cycle. (10 Hz…0.49 × sample rate; default 1000)
  public var frequency: ParameterReference<Frequency> { reference("frequency") }

  /// How narrow the turn is. (0.1…40; default 0.7071)
  public var q: ParameterReference<Double> { reference("q") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
