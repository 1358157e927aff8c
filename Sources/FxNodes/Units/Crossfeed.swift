// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Lets each ear hear something of the other side: for headphones.
public struct Crossfeed: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - frequency: Above it the sides stay apart. (300…2000 Hz; default 700)
  ///   - separation: How much louder the near side is in the bass. (1…15 dB; default 4.5)
  ///   - delay: How much later the far side comes. (0…0.001 s; default 0)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    frequency: Frequency? = nil,
    separation: Level? = nil,
    delay: Time? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("crossfeed", id, fileID, line)
    node.setOption("preset", preset)
    node.set("frequency", frequency)
    node.set("separation", separation)
    node.set("delay", delay)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// Above it the sides stay apart. (300…2000 Hz; default 700)
  public var frequency: ParameterReference<Frequency> { reference("frequency") }

  /// How much louder the near side is in the bass. (1…15 dB; default 4.5)
  public var separation: ParameterReference<Level> { reference("separation") }

  /// How much later the far side comes. (0…0.001 s; default 0)
  public var delay: ParameterReference<Time> { reference("delay") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// B. B. Bauer's network.
    case bauer
    /// Chu Moy's, a little wider.
    case moy
    /// Jan Meier's, the lightest.
    case meier
    /// Siegfried Linkwitz's, with the time around the head.
    case linkwitz
  }
}
