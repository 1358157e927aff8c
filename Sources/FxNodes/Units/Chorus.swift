// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Makes several voices of one, each with a delay time that moves.
public struct Chorus: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - rate: Periods a second. A note or beats, such as `"1/8"`, sets `period`. (0.001…200 Hz;
  ///     default 0.6)
  ///   - period: The length of a period in beats of the musical time, in place of the rate; 0
  ///     leaves it to the rate. A chain without a tempo has 120 beats a minute. (0…1024 beats;
  ///     default 0)
  ///   - depth: How far the delay time moves to either side. (0…0.01 s; default 0.002)
  ///   - time: The delay time in the middle. (0.001…0.05 s; default 0.012)
  ///   - spread: How far every second channel is ahead of the first, as a share of a period. (0…1;
  ///     default 0.25)
  ///   - shape: The waveform; the edges of the square are round. (default sine)
  ///   - voices: The number of voices. (1…8; default 3)
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
    spread: Ratio? = nil,
    shape: Shape? = nil,
    voices: Int? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("chorus", id, fileID, line)
    node.setOption("preset", preset)
    node.set("rate", rate)
    node.set("period", period)
    node.set("depth", depth)
    node.set("time", time)
    node.set("spread", spread)
    node.setOption("shape", shape)
    node.setOption("voices", voices)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// Periods a second. A note or beats, such as `"1/8"`, sets `period`. (0.001…200 Hz; default 0.6)
  public var rate: ParameterReference<Frequency> { reference("rate") }

  /// The length of a period in beats of the musical time, in place of the rate; 0 leaves it to the
  /// rate. A chain without a tempo has 120 beats a minute. (0…1024 beats; default 0)
  public var period: ParameterReference<Beats> { reference("period") }

  /// How far the delay time moves to either side. (0…0.01 s; default 0.002)
  public var depth: ParameterReference<Time> { reference("depth") }

  /// The delay time in the middle. (0.001…0.05 s; default 0.012)
  public var time: ParameterReference<Time> { reference("time") }

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
    /// Many voices.
    case ensemble
    /// One voice that shimmers.
    case cleanGuitar = "clean guitar"
  }
}
