// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Follows how loud a sound is, from 0 to 1.
public struct Envelope: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - attack: Time to rise by 63 %. (0…1 s; default 0.005)
  ///   - hold: Time that a peak is held before it falls. (0…5 s; default 0)
  ///   - release: Time to fall by 63 %. (0…10 s; default 0.1)
  ///   - gain: The sensitivity: a level change of its input. (-60…60 dB; default 0)
  ///   - detector: What it follows: samples, or the RMS of the `window`. (default peak)
  ///   - window: The time constant of the RMS. (0.0001…2 s; default 0.01)
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    attack: Time? = nil,
    hold: Time? = nil,
    release: Time? = nil,
    gain: Level? = nil,
    detector: Detector? = nil,
    window: Time? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("envelope", id, fileID, line)
    node.set("attack", attack)
    node.set("hold", hold)
    node.set("release", release)
    node.set("gain", gain)
    node.setOption("detector", detector)
    node.setOption("window", window)
  }

  /// Time to rise by 63 %. (0…1 s; default 0.005)
  public var attack: ParameterReference<Time> { reference("attack") }

  /// Time that a peak is held before it falls. (0…5 s; default 0)
  public var hold: ParameterReference<Time> { reference("hold") }

  /// Time to fall by 63 %. (0…10 s; default 0.1)
  public var release: ParameterReference<Time> { reference("release") }

  /// The sensitivity: a level change of its input. (-60…60 dB; default 0)
  public var gain: ParameterReference<Level> { reference("gain") }

  /// The port level of the unit.
  public var level: GraphPort { port("level") }

  /// What it follows: samples, or the RMS of the `window`.
  public enum Detector: String, ParameterChoice {
    case peak
    case rms
  }
}
