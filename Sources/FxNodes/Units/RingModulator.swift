// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Multiplies a sound by a sine, which makes sums and differences of frequencies.
public struct RingModulator: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - frequency: The frequency of the sine. (1…20000 Hz; default 440)
  ///   - spread: How far every second channel is ahead of the first, as a share of a period. (0…1;
  ///     default 0)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    frequency: Frequency? = nil,
    spread: Ratio? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("ringModulator", id, fileID, line)
    node.setOption("preset", preset)
    node.set("frequency", frequency)
    node.set("spread", spread)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The frequency of the sine. (1…20000 Hz; default 440)
  public var frequency: ParameterReference<Frequency> { reference("frequency") }

  /// How far every second channel is ahead of the first, as a share of a period. (0…1; default 0)
  public var spread: ParameterReference<Ratio> { reference("spread") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// A voice of tin.
    case robot
    /// Tones of no key.
    case bells
  }
}
