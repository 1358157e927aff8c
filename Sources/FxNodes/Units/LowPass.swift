// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Takes away what lies above a frequency.
public struct LowPass: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - frequency: The cutoff, where the signal is 3 dB down. (10 Hz…0.49 × sample rate; default
  ///     8000)
  ///   - q: The resonance at the cutoff, of order 2 alone; 0.707 is flat. (0.1…40; default 0.7071)
  ///   - order: The steepness, 6 dB an octave each; other orders than 2 are Butterworth. (1…8;
  ///     default 2)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    frequency: Frequency? = nil,
    q: Double? = nil,
    order: Int? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("lowPass", id, fileID, line)
    node.set("frequency", frequency)
    node.set("q", q)
    node.setOption("order", order)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The cutoff, where the signal is 3 dB down. (10 Hz…0.49 × sample rate; default 8000)
  public var frequency: ParameterReference<Frequency> { reference("frequency") }

  /// The resonance at the cutoff, of order 2 alone; 0.707 is flat. (0.1…40; default 0.7071)
  public var q: ParameterReference<Double> { reference("q") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
