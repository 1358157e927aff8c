// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Raises or lowers everything above a frequency.
public struct HighShelf: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - frequency: Where half the gain is reached. (10 Hz…0.49 × sample rate; default 8000)
  ///   - gain: The level above. (-48…48 dB; default 0)
  ///   - q: The steepness of the slope; above 0.707 it overshoots. (0.1…40; default 0.7071)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    frequency: Frequency? = nil,
    gain: Level? = nil,
    q: Double? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("highShelf", id, fileID, line)
    node.set("frequency", frequency)
    node.set("gain", gain)
    node.set("q", q)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// Where half the gain is reached. (10 Hz…0.49 × sample rate; default 8000)
  public var frequency: ParameterReference<Frequency> { reference("frequency") }

  /// The level above. (-48…48 dB; default 0)
  public var gain: ParameterReference<Level> { reference("gain") }

  /// The steepness of the slope; above 0.707 it overshoots. (0.1…40; default 0.7071)
  public var q: ParameterReference<Double> { reference("q") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
