// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Clicks on the beats of the musical time, the first of a bar higher and louder.
public struct Metronome: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - level: The level of a click. (-inf…0 dB; default -18)
  ///   - accent: How much louder the first of a bar is. (0…18 dB; default 6)
  ///   - frequency: The pitch of a click; the first of a bar lies half an octave higher. (200…6000
  ///     Hz; default 1000)
  ///   - perBeat: Clicks a beat; those between two beats are softer by 9 dB. (1…8; default 1)
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    level: Level? = nil,
    accent: Level? = nil,
    frequency: Frequency? = nil,
    perBeat: Int? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("metronome", id, fileID, line)
    node.setOption("preset", preset)
    node.set("level", level)
    node.set("accent", accent)
    node.set("frequency", frequency)
    node.setOption("perBeat", perBeat)
  }

  /// The level of a click. (-inf…0 dB; default -18)
  public var level: ParameterReference<Level> { reference("level") }

  /// How much louder the first of a bar is. (0…18 dB; default 6)
  public var accent: ParameterReference<Level> { reference("accent") }

  /// The pitch of a click; the first of a bar lies half an octave higher. (200…6000 Hz; default
  /// 1000)
  public var frequency: ParameterReference<Frequency> { reference("frequency") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Loud, and high enough to be heard beside drums.
    case drummer
    /// For a recording with an open microphone.
    case quiet
  }
}
