// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Plays a trained model of an amplifier or a pedal: a .nam file of Neural Amp Modeler.
public struct NeuralAmp: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - model: The model: a WaveNet, an LSTM, a ConvNet or a Linear, with one input. (a .nam file,
  ///     relative to the chain's folder)
  ///   - input: The level before the model: how hard it is driven. (-48…48 dB; default 0)
  ///   - output: The output level. (-48…24 dB; default 0)
  ///   - normalize: Whether all models are brought to the same loudness, if the file states its
  ///     own. (default true)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    model: String,
    input: Level? = nil,
    output: Level? = nil,
    normalize: Bool? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("neuralAmp", id, fileID, line)
    node.setOption("model", model)
    node.set("input", input)
    node.set("output", output)
    node.setOption("normalize", normalize)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The level before the model: how hard it is driven. (-48…48 dB; default 0)
  public var input: ParameterReference<Level> { reference("input") }

  /// The output level. (-48…24 dB; default 0)
  public var output: ParameterReference<Level> { reference("output") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
