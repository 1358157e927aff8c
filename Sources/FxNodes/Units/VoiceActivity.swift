// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Detects speech: 1 for a voice, 0 for a pause.
public struct VoiceActivity: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - threshold: The probability of speech from which it is 1. (0…1; default 0.5)
  ///   - hold: Time that it stays at 1 behind the last word. (0…5 s; default 0.3)
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    threshold: Ratio? = nil,
    hold: Time? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("voiceActivity", id, fileID, line)
    node.setOption("preset", preset)
    node.set("threshold", threshold)
    node.set("hold", hold)
  }

  /// The probability of speech from which it is 1. (0…1; default 0.5)
  public var threshold: ParameterReference<Ratio> { reference("threshold") }

  /// Time that it stays at 1 behind the last word. (0…5 s; default 0.3)
  public var hold: ParameterReference<Time> { reference("hold") }

  /// The port probability of the unit.
  public var probability: GraphPort { port("probability") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Stays through the pauses of a sentence.
    case ducking
    /// For a noisy room: only what is surely a voice.
    case strict
  }
}
