// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Adds the sound of a room.
public struct Reverb: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - decay: Time in which the middle falls by 60 dB. (0.1…20 s; default 1.8)
  ///   - preDelay: Time before the room answers. (0…0.25 s; default 0.02)
  ///   - damping: The frequency that decays in `highDecay` of the time; off from 20 kHz on.
  ///     (500…20000 Hz; default 5000)
  ///   - lowCut: Below it little of the signal reaches the room. (10…1000 Hz; default 60)
  ///   - width: From 0, the same on every channel, to 1, as wide as the room. (0…1; default 1)
  ///   - highDecay: The decay of the damping frequency, as a share of `decay`. (0.1…1; default 0.5)
  ///   - lowDecay: The decay of the bass, as a multiple of `decay`. (0.25…2.5; default 1)
  ///   - crossover: Below it is the bass. (50…1000 Hz; default 250)
  ///   - early: The level of the early reflections. (-inf…12 dB; default 0)
  ///   - diffusion: How dense the early reflections are: 0 leaves single echoes. (0…1; default 1)
  ///   - modulation: The modulation of the reflections: 0 is static and rings more. (0…1; default
  ///     1)
  ///   - size: The size of the room: 0.3 is a chamber, 1 a hall. (0.2…2; default 1)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    decay: Time? = nil,
    preDelay: Time? = nil,
    damping: Frequency? = nil,
    lowCut: Frequency? = nil,
    width: Ratio? = nil,
    highDecay: Ratio? = nil,
    lowDecay: Ratio? = nil,
    crossover: Frequency? = nil,
    early: Level? = nil,
    diffusion: Ratio? = nil,
    modulation: Ratio? = nil,
    size: Ratio? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("reverb", id, fileID, line)
    node.setOption("preset", preset)
    node.set("decay", decay)
    node.set("preDelay", preDelay)
    node.set("damping", damping)
    node.set("lowCut", lowCut)
    node.set("width", width)
    node.set("highDecay", highDecay)
    node.set("lowDecay", lowDecay)
    node.set("crossover", crossover)
    node.set("early", early)
    node.set("diffusion", diffusion)
    node.set("modulation", modulation)
    node.setOption("size", size)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// Time in which the middle falls by 60 dB. (0.1…20 s; default 1.8)
  public var decay: ParameterReference<Time> { reference("decay") }

  /// Time before the room answers. (0…0.25 s; default 0.02)
  public var preDelay: ParameterReference<Time> { reference("preDelay") }

  /// The frequency that decays in `highDecay` of the time; off from 20 kHz on. (500…20000 Hz;
  /// default 5000)
  public var damping: ParameterReference<Frequency> { reference("damping") }

  /// Below it little of the signal reaches the room. (10…1000 Hz; default 60)
  public var lowCut: ParameterReference<Frequency> { reference("lowCut") }

  /// From 0, the same on every channel, to 1, as wide as the room. (0…1; default 1)
  public var width: ParameterReference<Ratio> { reference("width") }

  /// The decay of the damping frequency, as a share of `decay`. (0.1…1; default 0.5)
  public var highDecay: ParameterReference<Ratio> { reference("highDecay") }

  /// The decay of the bass, as a multiple of `decay`. (0.25…2.5; default 1)
  public var lowDecay: ParameterReference<Ratio> { reference("lowDecay") }

  /// Below it is the bass. (50…1000 Hz; default 250)
  public var crossover: ParameterReference<Frequency> { reference("crossover") }

  /// The level of the early reflections. (-inf…12 dB; default 0)
  public var early: ParameterReference<Level> { reference("early") }

  /// How dense the early reflections are: 0 leaves single echoes. (0…1; default 1)
  public var diffusion: ParameterReference<Ratio> { reference("diffusion") }

  /// The modulation of the reflections: 0 is static and rings more. (0…1; default 1)
  public var modulation: ParameterReference<Ratio> { reference("modulation") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// A furnished room.
    case room
    /// A chamber with hard walls.
    case chamber
    /// Dense and bright, without the distance of a hall.
    case plate
    /// A concert hall with warm bass.
    case hall
    /// A large hall, heard from far back.
    case largeHall = "large hall"
    /// Stone, far walls and a long, dark tail.
    case cathedral
    /// The first reflections of a small room and little behind them.
    case ambience
  }
}
