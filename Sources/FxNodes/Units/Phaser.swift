// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Moves notches through the sound.
public struct Phaser: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - rate: Periods a second. A note or beats, such as `"1/8"`, sets `period`. (0.001…200 Hz;
  ///     default 0.4)
  ///   - period: The length of a period in beats of the musical time, in place of the rate; 0
  ///     leaves it to the rate. A chain without a tempo has 120 beats a minute. (0…1024 beats;
  ///     default 0)
  ///   - frequency: The middle of the movement. (50…10000 Hz; default 700)
  ///   - depth: How many octaves it moves to either side. (0…4; default 1.5)
  ///   - feedback: How much of the output is fed back; below 0 inverted. (-0.95…0.95; default 0.3)
  ///   - spread: How far every second channel is ahead of the first, as a share of a period. (0…1;
  ///     default 0.25)
  ///   - shape: The waveform; the edges of the square are round. (default sine)
  ///   - stages: All-passes in a row: two make a notch. (2…12; default 4)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    rate: Frequency? = nil,
    period: Beats? = nil,
    frequency: Frequency? = nil,
    depth: Double? = nil,
    feedback: Ratio? = nil,
    spread: Ratio? = nil,
    shape: Shape? = nil,
    stages: Int? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("phaser", id, fileID, line)
    node.setOption("preset", preset)
    node.set("rate", rate)
    node.set("period", period)
    node.set("frequency", frequency)
    node.set("depth", depth)
    node.set("feedback", feedback)
    node.set("spread", spread)
    node.setOption("shape", shape)
    node.setOption("stages", stages)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// Periods a second. A note or beats, such as `"1/8"`, sets `period`. (0.001…200 Hz; default 0.4)
  public var rate: ParameterReference<Frequency> { reference("rate") }

  /// The length of a period in beats of the musical time, in place of the rate; 0 leaves it to the
  /// rate. A chain without a tempo has 120 beats a minute. (0…1024 beats; default 0)
  public var period: ParameterReference<Beats> { reference("period") }

  /// The middle of the movement. (50…10000 Hz; default 700)
  public var frequency: ParameterReference<Frequency> { reference("frequency") }

  /// How many octaves it moves to either side. (0…4; default 1.5)
  public var depth: ParameterReference<Double> { reference("depth") }

  /// How much of the output is fed back; below 0 inverted. (-0.95…0.95; default 0.3)
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
    /// A slow turn.
    case slow
    /// A gentle swirl.
    case electricPiano = "electric piano"
    /// Many notches.
    case deep
  }
}
