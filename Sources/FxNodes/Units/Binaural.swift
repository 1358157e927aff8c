// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Lets headphones sound like the loudspeakers of stereo, 5.1 or 7.1.
public struct Binaural: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - gain: The output level. (-48…24 dB; default 0)
  ///   - lfe: The level of the low-frequency channel, which both ears hear alike. (-inf…12 dB;
  ///     default 0)
  ///   - hrtf: A SOFA file with the responses of real ears, in place of the model of a head;
  ///     libmysofa comes with one. (a SOFA file, relative to the chain's folder)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    gain: Level? = nil,
    lfe: Level? = nil,
    hrtf: String? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("binaural", id, fileID, line)
    node.set("gain", gain)
    node.set("lfe", lfe)
    node.setOption("hrtf", hrtf)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The output level. (-48…24 dB; default 0)
  public var gain: ParameterReference<Level> { reference("gain") }

  /// The level of the low-frequency channel, which both ears hear alike. (-inf…12 dB; default 0)
  public var lfe: ParameterReference<Level> { reference("lfe") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
