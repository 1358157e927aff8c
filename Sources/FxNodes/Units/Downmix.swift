// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Folds any number of channels into one or two.
public struct Downmix: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - channels: The width of the output, 1 or 2. (1…2; default 1)
  ///   - lfe: The low-frequency channel: omit leaves it out, include mixes it in like the centre,
  ///     boost with 10 dB more, as cinemas play it. (default omit)
  ///   - normalize: Whether sums are scaled so that they cannot exceed full scale. (default false)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    channels: Int? = nil,
    lfe: LFE? = nil,
    normalize: Bool? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("downmix", id, fileID, line)
    node.setOption("channels", channels)
    node.setOption("lfe", lfe)
    node.setOption("normalize", normalize)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The low-frequency channel: omit leaves it out, include mixes it in like the centre, boost with
  /// 10 dB more, as cinemas play it.
  public enum LFE: String, ParameterChoice {
    case omit
    case include
    case boost
  }
}
