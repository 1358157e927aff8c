// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Plays a list of values in a loop.
public struct Steps: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - rate: Steps a second. A note or beats, such as `"1/8"`, sets `period`. (0.001…200 Hz;
  ///     default 4)
  ///   - period: The length of a step in beats of the musical time, in place of the rate; 0 leaves
  ///     it to the rate. A chain without a tempo has 120 beats a minute. (0…1024 beats; default 0)
  ///   - glide: The share of a step that it takes to come from the value before. (0…1; default 0)
  ///   - steps: The steps, in their order.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    rate: Frequency? = nil,
    period: Beats? = nil,
    glide: Ratio? = nil,
    steps: [Step] = [],
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("steps", id, fileID, line)
    node.set("rate", rate)
    node.set("period", period)
    node.set("glide", glide)
    node.add(steps, to: "steps", isNamed: false)
  }

  /// Steps a second. A note or beats, such as `"1/8"`, sets `period`. (0.001…200 Hz; default 4)
  public var rate: ParameterReference<Frequency> { reference("rate") }

  /// The length of a step in beats of the musical time, in place of the rate; 0 leaves it to the
  /// rate. A chain without a tempo has 120 beats a minute. (0…1024 beats; default 0)
  public var period: ParameterReference<Beats> { reference("period") }

  /// The share of a step that it takes to come from the value before. (0…1; default 0)
  public var glide: ParameterReference<Ratio> { reference("glide") }

  /// The steps, by name or by number from 1.
  public var steps: NodeItems<Step> { items("steps") }
}

extension Steps {
  /// One of the steps.
  public struct Step: NodeItem {
    public var fields: NodeItemFields

    public init(fields: NodeItemFields) { self.fields = fields }

    /// - Parameters:
    ///   - id: The name of the step.
    ///   - value: The value of the step. (-1…1; default 0)
    public init(
      id: String? = nil,
      value: Double? = nil
    ) {
      fields = NodeItemFields(id: id)
      fields.set("value", value)
    }

    /// The value of the step. (-1…1; default 0)
    public var value: ParameterReference<Double> { fields.reference("value") }
  }
}
