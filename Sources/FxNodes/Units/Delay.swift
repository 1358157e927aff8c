// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Repeats the signal after a time.
public struct Delay: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - time: Time from one echo to the next. (0.001…5 s; default 0.35)
  ///   - feedback: How much of each echo is repeated. (0…0.98; default 0.35)
  ///   - highCut: Where the echoes lose their treble; 20 kHz keeps it. (200…20000 Hz; default
  ///     20000)
  ///   - lowCut: Where the echoes lose their bass; 10 Hz keeps it. (10…2000 Hz; default 10)
  ///   - rightTime: The time of every second channel, as a multiple of `time`; at most 5 s.
  ///     (0.25…4; default 1)
  ///   - modulationRate: How often the delay time moves. (0.05…10 Hz; default 0.5)
  ///   - modulationDepth: How far the delay time moves to either side. (0…0.01 s; default 0)
  ///   - pingPong: Whether echoes start on the first channel and move on with each repetition.
  ///     (default false)
  ///   - change: How the delay time changes: glide bends the pitch as tape does, crossfade keeps
  ///     it. (default glide)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    time: Time? = nil,
    feedback: Ratio? = nil,
    highCut: Frequency? = nil,
    lowCut: Frequency? = nil,
    rightTime: Ratio? = nil,
    modulationRate: Frequency? = nil,
    modulationDepth: Time? = nil,
    pingPong: Bool? = nil,
    change: Change? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("delay", id, fileID, line)
    node.setOption("preset", preset)
    node.set("time", time)
    node.set("feedback", feedback)
    node.set("highCut", highCut)
    node.set("lowCut", lowCut)
    node.set("rightTime", rightTime)
    node.set("modulationRate", modulationRate)
    node.set("modulationDepth", modulationDepth)
    node.setOption("pingPong", pingPong)
    node.setOption("change", change)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// Time from one echo to the next. (0.001…5 s; default 0.35)
  public var time: ParameterReference<Time> { reference("time") }

  /// How much of each echo is repeated. (0…0.98; default 0.35)
  public var feedback: ParameterReference<Ratio> { reference("feedback") }

  /// Where the echoes lose their treble; 20 kHz keeps it. (200…20000 Hz; default 20000)
  public var highCut: ParameterReference<Frequency> { reference("highCut") }

  /// Where the echoes lose their bass; 10 Hz keeps it. (10…2000 Hz; default 10)
  public var lowCut: ParameterReference<Frequency> { reference("lowCut") }

  /// The time of every second channel, as a multiple of `time`; at most 5 s. (0.25…4; default 1)
  public var rightTime: ParameterReference<Ratio> { reference("rightTime") }

  /// How often the delay time moves. (0.05…10 Hz; default 0.5)
  public var modulationRate: ParameterReference<Frequency> { reference("modulationRate") }

  /// How far the delay time moves to either side. (0…0.01 s; default 0)
  public var modulationDepth: ParameterReference<Time> { reference("modulationDepth") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// How the delay time changes: glide bends the pitch as tape does, crossfade keeps it.
  public enum Change: String, ParameterChoice {
    case glide
    case crossfade
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// One short repetition.
    case slapback
    /// Echoes that waver and grow dull and thin.
    case tape
    /// Echoes that change sides.
    case pingPong = "ping-pong"
    /// A time of its own on each side.
    case wide
    /// A second voice beside the first.
    case doubler
  }
}
