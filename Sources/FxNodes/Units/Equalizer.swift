// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Shapes the spectrum with any number of bands, one after the other.
public struct Equalizer: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - gain: The level of the output. (-48…48 dB; default 0)
  ///   - response: Whether the bands are the usual digital ones (bilinear), which are squeezed
  ///     towards half the rate, or keep the level of their analog prototypes up to 18 kHz (analog).
  ///     (default bilinear)
  ///   - curve: Levels that the sound is brought to, on lines between frequencies: 20 0; 100 3;
  ///     8000 -2 in hertz and decibels. Several curves, separated by a vertical bar, add up; one
  ///     may begin with its channels: FL: 20 0; 100 3.
  ///   - curveLength: How closely the curve is followed below 100 Hz: by a filter of 0.17 s
  ///     (short), or by one of 0.68 s (long), which the curves of a file have. (default short)
  ///   - file: A file of AutoEq, Equalizer APO, Room EQ Wizard or Peace, whose bands come before
  ///     the chain's own; its preamp is the gain and its graphic equalizer the curve where the
  ///     chain gives none. (a text file, relative to the chain's folder)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - bands: The bands, in their order.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    gain: Level? = nil,
    response: Response? = nil,
    curve: String? = nil,
    curveLength: CurveLength? = nil,
    file: String? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    bands: [Band] = [],
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("equalizer", id, fileID, line)
    node.setOption("preset", preset)
    node.set("gain", gain)
    node.setOption("response", response)
    node.setOption("curve", curve)
    node.setOption("curveLength", curveLength)
    node.setOption("file", file)
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

  /// Whether the bands are the usual digital ones (bilinear), which are squeezed towards half the
  /// rate, or keep the level of their analog prototypes up to 18 kHz (analog).
  public enum Response: String, ParameterChoice {
    case bilinear
    case analog
  }

  /// How closely the curve is followed below 100 Hz: by a filter of 0.17 s (short), or by one of
  /// 0.68 s (long), which the curves of a file have.
  public enum CurveLength: String, ParameterChoice {
    case short
    case long
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// 300 Hz to 3.4 kHz.
    case telephone
    /// A radio of 1950: 100 Hz to 4.5 kHz.
    case mediumWave = "medium wave"
    /// A loudspeaker as small as a coin.
    case pocketRadio = "pocket radio"
  }
}

extension Equalizer {
  /// One of the bands.
  public struct Band: NodeItem {
    public var fields: NodeItemFields

    public init(fields: NodeItemFields) { self.fields = fields }

    /// - Parameters:
    ///   - id: The name of the band.
    ///   - type: What the band does. (default peak)
    ///   - order: The steepness, 6 dB an octave each: 1 to 8 of a lowPass or highPass, 1 or 2 of a
    ///     shelf or an allPass. Other orders than 2 have no Q. (1…8; default 2)
    ///   - channels: The channels that the band processes: all channels, one side of a stereo
    ///     signal, its middle or its sides, or some channels by name or number. A channel with a
    ///     question mark (LFE?) may be missing. (default all)
    ///   - frequency: The band's centre, cutoff or middle of the slope. (10 Hz…0.49 × sample rate;
    ///     default 1000)
    ///   - gain: The level of a peak, a shelf or the treble of a tilt, or of everything (level);
    ///     the other types have none. (-48…48 dB; default 0)
    ///   - q: How narrow a peak is, how resonant a cutoff, how steep a shelf. (0.1…40; default
    ///     0.7071)
    ///   - enabled: Whether the band is heard; it fades. (default true)
    public init(
      id: String? = nil,
      type: Kind? = nil,
      order: Int? = nil,
      channels: String? = nil,
      frequency: Frequency? = nil,
      gain: Level? = nil,
      q: Double? = nil,
      enabled: Bool? = nil
    ) {
      fields = NodeItemFields(id: id)
      fields.set("type", type)
      fields.set("order", order)
      fields.set("channels", channels)
      fields.set("frequency", frequency)
      fields.set("gain", gain)
      fields.set("q", q)
      fields.set("enabled", enabled)
    }

    /// The band's centre, cutoff or middle of the slope. (10 Hz…0.49 × sample rate; default 1000)
    public var frequency: ParameterReference<Frequency> { fields.reference("frequency") }

    /// The level of a peak, a shelf or the treble of a tilt, or of everything (level); the other
    /// types have none. (-48…48 dB; default 0)
    public var gain: ParameterReference<Level> { fields.reference("gain") }

    /// How narrow a peak is, how resonant a cutoff, how steep a shelf. (0.1…40; default 0.7071)
    public var q: ParameterReference<Double> { fields.reference("q") }

    /// Whether the band is heard; it fades. (default true)
    public var enabled: ParameterReference<Bool> { fields.reference("enabled") }

    /// What the band does.
    public enum Kind: String, ParameterChoice {
      case peak
      case lowShelf
      case highShelf
      case lowPass
      case highPass
      case bandPass
      case notch
      case allPass
      case tilt
      case level
    }
  }
}
