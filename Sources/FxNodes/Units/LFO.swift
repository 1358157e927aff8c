// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// A wave that repeats, from -1 to 1.
public struct LFO: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - rate: Periods a second. A note or beats, such as `"1/8"`, sets `period`. (0.001…200 Hz;
  ///     default 1)
  ///   - period: The length of a period in beats of the musical time, in place of the rate; 0
  ///     leaves it to the rate. A chain without a tempo has 120 beats a minute. (0…1024 beats;
  ///     default 0)
  ///   - phase: How far it is ahead, as a share of the period. (0…1; default 0)
  ///   - width: The share of a period that a sine or a triangle rises, that a square is up, or that
  ///     a saw takes to 0. (0…1; default 0.5)
  ///   - shape: The waveform; the random ones take a new value every period. (default sine)
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    rate: Frequency? = nil,
    period: Beats? = nil,
    phase: Ratio? = nil,
    width: Ratio? = nil,
    shape: Shape? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("lfo", id, fileID, line)
    node.set("rate", rate)
    node.set("period", period)
    node.set("phase", phase)
    node.set("width", width)
    node.setOption("shape", shape)
  }

  /// Periods a second. A note or beats, such as `"1/8"`, sets `period`. (0.001…200 Hz; default 1)
  public var rate: ParameterReference<Frequency> { reference("rate") }

  /// The length of a period in beats of the musical time, in place of the rate; 0 leaves it to the
  /// rate. A chain without a tempo has 120 beats a minute. (0…1024 beats; default 0)
  public var period: ParameterReference<Beats> { reference("period") }

  /// How far it is ahead, as a share of the period. (0…1; default 0)
  public var phase: ParameterReference<Ratio> { reference("phase") }

  /// The share of a period that a sine or a triangle rises, that a square is up, or that a saw
  /// takes to 0. (0…1; default 0.5)
  public var width: ParameterReference<Ratio> { reference("width") }

  /// The waveform; the random ones take a new value every period.
  public enum Shape: String, ParameterChoice {
    case sine
    case triangle
    case saw
    case square
    case sampleAndHold
    case smoothRandom
  }
}
