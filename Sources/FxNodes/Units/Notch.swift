// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Takes out a frequency and little else.
public struct Notch: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - frequency: The frequency that is silenced. (10 Hz…0.49 × sample rate; default 50)
  ///   - q: The frequency over the width between the points 3 dB down. (0.1…40; default 10)
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
    node = Node("notch", id, fileID, line)
    node.set("frequency", frequency)
    node.set("q", q)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The frequency that is silenced. (10 Hz…0.49 × sample rate; default 50)
  public var frequency: ParameterReference<Frequency> { reference("frequency") }

  /// The frequency over the width between the points 3 dB down. (0.1…40; default 10)
  public var q: ParameterReference<Double> { reference("q") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
