// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Shapes the spectrum with up to four bands that follow their own level.
public struct DynamicEqualizer: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - bands: The bands, in their order.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    bands: [Band] = [],
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("dynamicEqualizer", id, fileID, line)
    node.set("wet", wet)
    node.set("bypass", bypass)
    node.add(bands, to: "bands", isNamed: false)
  }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The port sidechain of the unit.
  public var sidechain: GraphPort { port("sidechain") }

  /// The bands, by name or by number from 1.
  public var bands: NodeItems<Band> { items("bands") }
}

extension DynamicEqualizer {
  /// One of the bands.
  public struct Band: NodeItem {
    public var fields: NodeItemFields

    public init(fields: NodeItemFields) { self.fields = fields }

    /// - Parameters:
    ///   - id: The name of the band.
    ///   - type: What the band does. (default peak)
    ///   - frequency: The band's centre, or the middle of its slope. (10 Hz…0.49 × sample rate;
    ///     default 1000)
    ///   - gain: The level of the band while nothing is loud. (-24…24 dB; default 0)
    ///   - q: How narrow a peak is, how steep a shelf, and which part of the signal its level is
    ///     taken from. (0.1…40; default 1)
    ///   - threshold: The level of the band above which its gain moves. (-80…0 dB; default -30)
    ///   - ratio: The gain moves by 1 - 1/ratio decibels for each one above the threshold; at 100
    ///     by all. (1…100; default 3)
    ///   - range: How far the gain moves at most: down below 0 dB, up above. (-24…24 dB; default
    ///     -6)
    ///   - attack: Time to cover 63 % of a move. (0.0005…1 s; default 0.01)
    ///   - release: Time to cover 63 % of the way back. (0.005…5 s; default 0.12)
    ///   - enabled: Whether the band is heard; it fades. (default true)
    public init(
      id: String? = nil,
      type: Kind? = nil,
      frequency: Frequency? = nil,
      gain: Level? = nil,
      q: Double? = nil,
      threshold: Level? = nil,
      ratio: Double? = nil,
      range: Level? = nil,
      attack: Time? = nil,
      release: Time? = nil,
      enabled: Bool? = nil
    ) {
      fields = NodeItemFields(id: id)
      fields.set("type", type)
      fields.set("frequency", frequency)
      fields.set("gain", gain)
      fields.set("q", q)
      fields.set("threshold", threshold)
      fields.set("ratio", ratio)
      fields.set("range", range)
      fields.set("attack", attack)
      fields.set("release", release)
      fields.set("enabled", enabled)
    }

    /// The band's centre, or the middle of its slope. (10 Hz…0.49 × sample rate; default 1000)
    public var frequency: ParameterReference<Frequency> { fields.reference("frequency") }

    /// The level of the band while nothing is loud. (-24…24 dB; default 0)
    public var gain: ParameterReference<Level> { fields.reference("gain") }

    /// How narrow a peak is, how steep a shelf, and which part of the signal its level is taken
    /// from. (0.1…40; default 1)
    public var q: ParameterReference<Double> { fields.reference("q") }

    /// The level of the band above which its gain moves. (-80…0 dB; default -30)
    public var threshold: ParameterReference<Level> { fields.reference("threshold") }

    /// The gain moves by 1 - 1/ratio decibels for each one above the threshold; at 100 by all.
    /// (1…100; default 3)
    public var ratio: ParameterReference<Double> { fields.reference("ratio") }

    /// How far the gain moves at most: down below 0 dB, up above. (-24…24 dB; default -6)
    public var range: ParameterReference<Level> { fields.reference("range") }

    /// Time to cover 63 % of a move. (0.0005…1 s; default 0.01)
    public var attack: ParameterReference<Time> { fields.reference("attack") }

    /// Time to cover 63 % of the way back. (0.005…5 s; default 0.12)
    public var release: ParameterReference<Time> { fields.reference("release") }

    /// Whether the band is heard; it fades. (default true)
    public var enabled: ParameterReference<Bool> { fields.reference("enabled") }

    /// What the band does.
    public enum Kind: String, ParameterChoice {
      case peak
      case lowShelf
      case highShelf
    }
  }
}
