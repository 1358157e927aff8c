// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Adds a copy that is a little late, so that notches move through the sound.
public struct Flanger: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - rate: Periods a second. A note or beats, such as `"1/8"`, sets `period`. (0.001…200 Hz;
  ///     default 0.25)
  ///   - period: The length of a period in beats of the musical time, in place of the rate; 0
  ///     leaves it to the rate. A chain without a tempo has 120 beats a minute. (0…1024 beats;
  ///     default 0)
  ///   - depth: How far the delay time moves to either side. (0…0.005 s; default 0.0015)
  ///   - time: The delay time in the middle; through zero it has no effect. (0.0002…0.01 s; default
  ///     0.002)
  ///   - feedback: How much of the copy is fed back; below 0 inverted. (-0.95…0.95; default 0.4)
  ///   - spread: How far every second channel is ahead of the first, as a share of a period. (0…1;
  ///     default 0.25)
  ///   - shape: The waveform; the edges of the square are round. (default sine)
  ///   - throughZero: Whether the copy moves around the sound itself, as between two tape machines;
  ///     adds 5 ms of latency. (default false)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    rate: Frequency? = nil,
    period: Beats? = nil,
    depth: Time? = nil,
    time: Time? = nil,
    feedback: Ratio? = nil,
    spread: Ratio? = nil,
    shape: Shape? = nil,
    throughZero: Bool? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("flanger", id, fileID, line)
    node.setOption("preset", preset)
    node.set("rate", rate)
    node.set("period", period)
    node.set("depth", depth)
    node.set("time", time)
    node.set("feedback", feedback)
    node.set("spread", spread)
    node.setOption("shape", shape)
    node.setOption("throughZero", throughZero)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// Periods a second. A note or beats, such as `"1/8"`, sets `period`. (0.001…200 Hz; default
  /// 0.25)
  public var rate: ParameterReference<Frequency> { reference("rate") }

  /// The length of a period in beats of the musical time, in place of the rate; 0 leaves it to the
  /// rate. A chain without a tempo has 120 beats a minute. (0…1024 beats; default 0)
  public var period: ParameterReference<Beats> { reference("period") }

  /// How far the delay time moves to either side. (0…0.005 s; default 0.0015)
  public var depth: ParameterReference<Time> { reference("depth") }

  /// The delay time in the middle; through zero it has no effect. (0.0002…0.01 s; default 0.002)
  public var time: ParameterReference<Time> { reference("time") }

  /// How much of the copy is fed back; below 0 inverted. (-0.95…0.95; default 0.4)
  public var feedback: ParameterReference<Ratio> { reference("feedback") }

  /// How far every second channel is ahead of the first, as a share of a period. (0…1; default
  /// 0.25)
  public var spread: ParameterReference<Ratio> { reference("spread") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The waveform; the edges of the square are round.
  public enum Shape: String, ParameterChoice {
    case sine
    case triangle
    case square
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// A slow, deep sweep.
    case jet
    /// Two machines that drift past each other.
    case tape
  }
}
