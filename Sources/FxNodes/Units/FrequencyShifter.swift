// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Shifts every frequency by the same number of hertz.
public struct FrequencyShifter: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - shift: By how much; below 0 downwards. (-5000…5000 Hz; default 5)
  ///   - apart: Whether every second channel is shifted the other way. (default false)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    shift: Frequency? = nil,
    apart: Bool? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("frequencyShifter", id, fileID, line)
    node.setOption("preset", preset)
    node.set("shift", shift)
    node.setOption("apart", apart)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// By how much; below 0 downwards. (-5000…5000 Hz; default 5)
  public var shift: ParameterReference<Frequency> { reference("shift") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Left a little up, right a little down.
    case wide
    /// For a voice over loudspeakers.
    case againstFeedback = "against feedback"
    /// Tones of no key.
    case metal
  }
}
