// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// A filter that opens the louder the sound is.
public struct AutoWah: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - frequency: Where the filter is in silence. (50…5000 Hz; default 300)
  ///   - range: How far a loud sound moves it; below 0 downwards. (-4…4 oct; default 2.5)
  ///   - threshold: The peak level that moves it all the way. (-60…0 dB; default -12)
  ///   - q: How narrow it is. (0.5…20; default 4)
  ///   - attack: How fast it opens. (0.0005…0.5 s; default 0.008)
  ///   - release: How fast it closes. (0.005…2 s; default 0.15)
  ///   - filter: What passes: a band, or everything below it. (default band)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    frequency: Frequency? = nil,
    range: Octaves? = nil,
    threshold: Level? = nil,
    q: Double? = nil,
    attack: Time? = nil,
    release: Time? = nil,
    filter: Filter? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("autoWah", id, fileID, line)
    node.setOption("preset", preset)
    node.set("frequency", frequency)
    node.set("range", range)
    node.set("threshold", threshold)
    node.set("q", q)
    node.set("attack", attack)
    node.set("release", release)
    node.setOption("filter", filter)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// Where the filter is in silence. (50…5000 Hz; default 300)
  public var frequency: ParameterReference<Frequency> { reference("frequency") }

  /// How far a loud sound moves it; below 0 downwards. (-4…4 oct; default 2.5)
  public var range: ParameterReference<Octaves> { reference("range") }

  /// The peak level that moves it all the way. (-60…0 dB; default -12)
  public var threshold: ParameterReference<Level> { reference("threshold") }

  /// How narrow it is. (0.5…20; default 4)
  public var q: ParameterReference<Double> { reference("q") }

  /// How fast it opens. (0.0005…0.5 s; default 0.008)
  public var attack: ParameterReference<Time> { reference("attack") }

  /// How fast it closes. (0.005…2 s; default 0.15)
  public var release: ParameterReference<Time> { reference("release") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// What passes: a band, or everything below it.
  public enum Filter: String, ParameterChoice {
    case band
    case low
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// For a bass: nothing of its fundamentals goes.
    case bass
    /// Short and narrow.
    case quack
  }
}
