// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Splits the signal into two to five bands, an output each.
public struct Crossover: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - order: The steepness, 6 dB an octave each: 2, 4, 6 or 8 (Linkwitz-Riley). (2…8; default 4)
  ///   - bands: The bands, in their order.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    order: Int? = nil,
    bands: [Band] = [],
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("crossover", id, fileID, line)
    node.setOption("order", order)
    node.add(bands, to: "bands", isNamed: false)
  }

  /// The bands, by name or by number from 1.
  public var bands: NodeItems<Band> { items("bands") }
}

extension Crossover {
  /// One of the bands.
  public struct Band: NodeItem {
    public var fields: NodeItemFields

    public init(fields: NodeItemFields) { self.fields = fields }

    /// - Parameters:
    ///   - id: The name of the band.
    ///   - upTo: Where the band ends and the next one begins, not below the band before; the last
    ///     one has no end. (10 Hz…0.49 × sample rate; default 1000)
    public init(
      id: String? = nil,
      upTo: Frequency? = nil
    ) {
      fields = NodeItemFields(id: id)
      fields.set("upTo", upTo)
    }

    /// Where the band ends and the next one begins, not below the band before; the last one has no
    /// end. (10 Hz…0.49 × sample rate; default 1000)
    public var upTo: ParameterReference<Frequency> { fields.reference("upTo") }
  }
}
