// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Turns down what is not speech, live too, with the preprocessor of libspeexdsp.
public struct SpeechDenoise: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - reduction: The reduction of parts that are noise alone. (0…60 dB; default 20)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    reduction: Level? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("speechDenoise", id, fileID, line)
    node.set("reduction", reduction)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The reduction of parts that are noise alone. (0…60 dB; default 20)
  public var reduction: ParameterReference<Level> { reference("reduction") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
