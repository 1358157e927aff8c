// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Removes the sound of a loudspeaker from a microphone, with libspeexdsp.
public struct EchoCancel: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - suppression: How far the remaining echo is turned down while nobody speaks. (0…60 dB;
  ///     default 40)
  ///   - speechSuppression: The same while somebody speaks. (0…60 dB; default 15)
  ///   - tail: The longest way from the loudspeaker to the microphone, the room included. (0.02…1
  ///     s; default 0.2)
  ///   - delay: Delay of the reference. Live, the device's round trip is added to it. (0…2 s;
  ///     default 0)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    suppression: Level? = nil,
    speechSuppression: Level? = nil,
    tail: Time? = nil,
    delay: Time? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("echoCancel", id, fileID, line)
    node.setOption("preset", preset)
    node.set("suppression", suppression)
    node.set("speechSuppression", speechSuppression)
    node.setOption("tail", tail)
    node.setOption("delay", delay)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// How far the remaining echo is turned down while nobody speaks. (0…60 dB; default 40)
  public var suppression: ParameterReference<Level> { reference("suppression") }

  /// The same while somebody speaks. (0…60 dB; default 15)
  public var speechSuppression: ParameterReference<Level> { reference("speechSuppression") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The port reference of the unit.
  public var reference: GraphPort { port("reference") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Nothing of the echo is left, and voices may suffer while both speak.
    case speakerphone
    /// The filter alone, and little more: for music.
    case gentle
  }
}
