// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Gives a new random value from -1 to 1 in every period.
public struct Random: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - rate: Values a second. A note or beats, such as `"1/8"`, sets `period`. (0.001…200 Hz;
  ///     default 2)
  ///   - period: The length of a value in beats of the musical time, in place of the rate; 0 leaves
  ///     it to the rate. A chain without a tempo has 120 beats a minute. (0…1024 beats; default 0)
  ///   - smoothing: The share of a period that the change to the next value takes. (0…1; default
  ///     0.25)
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    rate: Frequency? = nil,
    period: Beats? = nil,
    smoothing: Ratio? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("random", id, fileID, line)
    node.set("rate", rate)
    node.set("period", period)
    node.set("smoothing", smoothing)
  }

  /// Values a second. A note or beats, such as `"1/8"`, sets `period`. (0.001…200 Hz; default 2)
  public var rate: ParameterReference<Frequency> { reference("rate") }

  /// The length of a value in beats of the musical time, in place of the rate; 0 leaves it to the
  /// rate. A chain without a tempo has 120 beats a minute. (0…1024 beats; default 0)
  public var period: ParameterReference<Beats> { reference("period") }

  /// The share of a period that the change to the next value takes. (0…1; default 0.25)
  public var smoothing: ParameterReference<Ratio> { reference("smoothing") }
}
