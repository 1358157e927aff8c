// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Compresses two to five bands of the spectrum, each by itself.
public struct Multiband: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - gain: The level of the output. (-48…48 dB; default 0)
  ///   - order: The steepness, 6 dB an octave each: 2, 4, 6 or 8 (Linkwitz-Riley). (2…8; default 4)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - bands: The bands, in their order.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    gain: Level? = nil,
    order: Int? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    bands: [Band] = [],
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("multiband", id, fileID, line)
    node.set("gain", gain)
    node.setOption("order", order)
    node.set("wet", wet)
    node.set("bypass", bypass)
    node.add(bands, to: "bands", isNamed: false)
  }

  /// The level of the output. (-48…48 dB; default 0)
  public var gain: ParameterReference<Level> { reference("gain") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The bands, by name or by number from 1.
  public var bands: NodeItems<Band> { items("bands") }
}

extension Multiband {
  /// One of the bands.
  public struct Band: NodeItem {
    public var fields: NodeItemFields

    public init(fields: NodeItemFields) { self.fields = fields }

    /// - Parameters:
    ///   - id: The name of the band.
    ///   - upTo: Where the band ends and the next one begins, not below the band before; the last
    ///     one has no end. (10 Hz…0.49 × sample rate; default 1000)
    ///   - threshold: The level above which the band is turned down. (-60…0 dB; default -18)
    ///   - ratio: The ratio: so many decibels above the threshold become 1 dB; at 100 the level
    ///     stays at the threshold. (1…100; default 3)
    ///   - knee: How wide the bend around the threshold is. (0…24 dB; default 6)
    ///   - attack: Time to cover 63 % of an increase of the reduction. (0.0001…1 s; default 0.01)
    ///   - release: Time to cover 63 % of a decrease of the reduction. (0.005…5 s; default 0.15)
    ///   - makeup: The level change after compression. (-24…36 dB; default 0)
    ///   - mute: Whether the band is silent; it fades. (default false)
    public init(
      id: String? = nil,
      upTo: Frequency? = nil,
      threshold: Level? = nil,
      ratio: Double? = nil,
      knee: Level? = nil,
      attack: Time? = nil,
      release: Time? = nil,
      makeup: Level? = nil,
      mute: Bool? = nil
    ) {
      fields = NodeItemFields(id: id)
      fields.set("upTo", upTo)
      fields.set("threshold", threshold)
      fields.set("ratio", ratio)
      fields.set("knee", knee)
      fields.set("attack", attack)
      fields.set("release", release)
      fields.set("makeup", makeup)
      fields.set("mute", mute)
    }

    /// Where the band ends and the next one begins, not below the band before; the last one has no
    /// end. (10 Hz…0.49 × sample rate; default 1000)
    public var upTo: ParameterReference<Frequency> { fields.reference("upTo") }

    /// The level above which the band is turned down. (-60…0 dB; default -18)
    public var threshold: ParameterReference<Level> { fields.reference("threshold") }

    /// The ratio: so many decibels above the threshold become 1 dB; at 100 the level stays at the
    /// threshold. (1…100; default 3)
    public var ratio: ParameterReference<Double> { fields.reference("ratio") }

    /// How wide the bend around the threshold is. (0…24 dB; default 6)
    public var knee: ParameterReference<Level> { fields.reference("knee") }

    /// Time to cover 63 % of an increase of the reduction. (0.0001…1 s; default 0.01)
    public var attack: ParameterReference<Time> { fields.reference("attack") }

    /// Time to cover 63 % of a decrease of the reduction. (0.005…5 s; default 0.15)
    public var release: ParameterReference<Time> { fields.reference("release") }

    /// The level change after compression. (-24…36 dB; default 0)
    public var makeup: ParameterReference<Level> { fields.reference("makeup") }

    /// Whether the band is silent; it fades. (default false)
    public var mute: ParameterReference<Bool> { fields.reference("mute") }
  }
}
