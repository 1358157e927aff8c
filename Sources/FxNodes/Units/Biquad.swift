// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Filters by coefficients: sections of second order, one after the other.
public struct Biquad: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - rate: The sample rate that the coefficients are made for; a chain with another one is
  ///     refused. 0: any. (0…1000000 Hz; default 0)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - sections: The sections, in their order.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    rate: Frequency? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    sections: [Section] = [],
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("biquad", id, fileID, line)
    node.setOption("rate", rate)
    node.set("wet", wet)
    node.set("bypass", bypass)
    node.add(sections, to: "sections", isNamed: false)
  }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The sections, by name or by number from 1.
  public var sections: NodeItems<Section> { items("sections") }
}

extension Biquad {
  /// One of the sections.
  public struct Section: NodeItem {
    public var fields: NodeItemFields

    public init(fields: NodeItemFields) { self.fields = fields }

    /// - Parameters:
    ///   - id: The name of the section.
    ///   - b: The coefficients above the line: b0 b1 b2, or b0 b1, or b0. (default 1)
    ///   - a: The coefficients below the line: a0 a1 a2, or a0 a1, or a0. (default 1)
    public init(
      id: String? = nil,
      b: String? = nil,
      a: String? = nil
    ) {
      fields = NodeItemFields(id: id)
      fields.set("b", b)
      fields.set("a", a)
    }
  }
}
