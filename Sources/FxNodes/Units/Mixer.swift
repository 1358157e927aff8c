// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Sums strips, each with a gain, a pan, a mute and a solo.
public struct Mixer: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - gain: The level of the sum. (-inf…48 dB; default 0)
  ///   - channels: The width of the output. (1…32; default 2)
  ///   - strips: The strips, in their order.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    gain: Level? = nil,
    channels: Int? = nil,
    strips: [Strip] = [],
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("mixer", id, fileID, line)
    node.set("gain", gain)
    node.setOption("channels", channels)
    node.add(strips, to: "strips", isNamed: true)
  }

  /// The level of the sum. (-inf…48 dB; default 0)
  public var gain: ParameterReference<Level> { reference("gain") }

  /// The strips, by name or by number from 1.
  public var strips: NodeItems<Strip> { items("strips") }
}

extension Mixer {
  /// One of the strips.
  public struct Strip: NodeItem {
    public var fields: NodeItemFields

    public init(fields: NodeItemFields) { self.fields = fields }

    /// - Parameters:
    ///   - id: The node that feeds the strip.
    ///   - gain: The level of the strip. (-inf…48 dB; default 0)
    ///   - pan: From -1, left, to 1, right; the other side is turned down. (-1…1; default 0)
    ///   - mute: Silences the strip. (default false)
    ///   - solo: Silences every strip that is not soloed. (default false)
    public init(
      _ id: String,
      gain: Level? = nil,
      pan: Double? = nil,
      mute: Bool? = nil,
      solo: Bool? = nil
    ) {
      fields = NodeItemFields(id: id)
      fields.set("gain", gain)
      fields.set("pan", pan)
      fields.set("mute", mute)
      fields.set("solo", solo)
    }

    /// The level of the strip. (-inf…48 dB; default 0)
    public var gain: ParameterReference<Level> { fields.reference("gain") }

    /// From -1, left, to 1, right; the other side is turned down. (-1…1; default 0)
    public var pan: ParameterReference<Double> { fields.reference("pan") }

    /// Silences the strip. (default false)
    public var mute: ParameterReference<Bool> { fields.reference("mute") }

    /// Silences every strip that is not soloed. (default false)
    public var solo: ParameterReference<Bool> { fields.reference("solo") }
  }
}

extension GraphNode where Value == Mixer {
  /// The input of a strip, whose values a connection to it sets.
  ///
  /// - Parameters:
  ///   - id: The node that feeds the strip.
  ///   - gain: The level of the strip. (-inf…48 dB; default 0)
  ///   - pan: From -1, left, to 1, right; the other side is turned down. (-1…1; default 0)
  ///   - mute: Silences the strip. (default false)
  ///   - solo: Silences every strip that is not soloed. (default false)
  public func strip(
    _ id: String,
    gain: Level? = nil,
    pan: Double? = nil,
    mute: Bool? = nil,
    solo: Bool? = nil
  ) -> GraphPort {
    port(
      "strips",
      Mixer.Strip(id, gain: gain, pan: pan, mute: mute, solo: solo)
    )
  }
}
