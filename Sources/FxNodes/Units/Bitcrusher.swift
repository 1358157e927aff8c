// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Fewer bits and fewer samples, as early samplers had them.
public struct Bitcrusher: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - bits: Bits per sample; fractions are allowed. (1…24; default 8)
  ///   - rate: Samples a second; each is held until the next. (100…192000 Hz; default 12000)
  ///   - dither: Whether noise of one step is added before (dither), so that the error is noise and
  ///     no distortion. (default false)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    bits: Double? = nil,
    rate: Frequency? = nil,
    dither: Bool? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("bitcrusher", id, fileID, line)
    node.setOption("preset", preset)
    node.set("bits", bits)
    node.set("rate", rate)
    node.setOption("dither", dither)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// Bits per sample; fractions are allowed. (1…24; default 8)
  public var bits: ParameterReference<Double> { reference("bits") }

  /// Samples a second; each is held until the next. (100…192000 Hz; default 12000)
  public var rate: ParameterReference<Frequency> { reference("rate") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Twelve bits at 26 kHz.
    case sampler
    /// Four bits at 8 kHz.
    case game
    /// Eight bits at 8 kHz.
    case telephoneExchange = "telephone exchange"
  }
}
