// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Gives the signal the sound of a recorded impulse: a room, a cabinet, a filter.
public struct Convolver: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - impulse: The impulse: mono, as many channels as the signal, or for stereo four: left to
  ///     left, left to right, right to left, right to right. (a sound file, relative to the chain's
  ///     folder)
  ///   - gain: The output level. (-60…24 dB; default 0)
  ///   - channels: The channels of the impulse to use, from 1, in this order: of a file with those
  ///     of many loudspeakers, for example. Without it, all. (a list of 1…256)
  ///   - then: A second impulse after the first, such as a microphone after a room; both are
  ///     combined into one. (a sound file, relative to the chain's folder)
  ///   - trim: Whether the silence before the impulse is left out. (default false)
  ///   - reverse: Whether the impulse is reversed. (default false)
  ///   - stretch: The factor of the impulse's length: a larger or a smaller room. (0.1…10; default
  ///     1)
  ///   - normalize: Whether the impulse is scaled so that white noise keeps its level at the
  ///     outputs. (default false)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    impulse: String,
    gain: Level? = nil,
    channels: [Int]? = nil,
    then: String? = nil,
    trim: Bool? = nil,
    reverse: Bool? = nil,
    stretch: Double? = nil,
    normalize: Bool? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("convolver", id, fileID, line)
    node.setOption("preset", preset)
    node.setOption("impulse", impulse)
    node.set("gain", gain)
    node.setOption("channels", channels)
    node.setOption("then", then)
    node.setOption("trim", trim)
    node.setOption("reverse", reverse)
    node.setOption("stretch", stretch)
    node.setOption("normalize", normalize)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The output level. (-60…24 dB; default 0)
  public var gain: ParameterReference<Level> { reference("gain") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// A stereo signal to headphones, by a file with 14 channels: the front loudspeakers.
    case hesuvi
    /// A stereo signal to headphones, by a file with 14 channels: the loudspeakers at the sides.
    case hesuviSide
    /// A stereo signal to headphones, by a file with 14 channels: the loudspeakers at the back.
    case hesuviBack
    /// A stereo signal to headphones, by a file with 14 channels: the centre, which comes in both
    /// channels.
    case hesuviCentre
  }
}
