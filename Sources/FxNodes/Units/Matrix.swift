// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Routes input channels to output channels, each at its own level.
public struct Matrix: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - channels: The width of the output. (1…32; default 2)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - routes: The routes, in their order.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    channels: Int? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    routes: [Route] = [],
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("matrix", id, fileID, line)
    node.setOption("channels", channels)
    node.set("wet", wet)
    node.set("bypass", bypass)
    node.add(routes, to: "routes", isNamed: false)
  }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The routes, by name or by number from 1.
  public var routes: NodeItems<Route> { items("routes") }
}

extension Matrix {
  /// One of the routes.
  public struct Route: NodeItem {
    public var fields: NodeItemFields

    public init(fields: NodeItemFields) { self.fields = fields }

    /// - Parameters:
    ///   - id: The name of the route.
    ///   - from: The number of the input channel. (1…256)
    ///   - to: The number of the output channel. (1…32)
    ///   - gain: The level of the route. (-inf…48 dB; default 0)
    ///   - invert: Inverts the polarity. (default false)
    public init(
      id: String? = nil,
      from: Int,
      to: Int,
      gain: Level? = nil,
      invert: Bool? = nil
    ) {
      fields = NodeItemFields(id: id)
      fields.set("from", from)
      fields.set("to", to)
      fields.set("gain", gain)
      fields.set("invert", invert)
    }

    /// The level of the route. (-inf…48 dB; default 0)
    public var gain: ParameterReference<Level> { fields.reference("gain") }

    /// Inverts the polarity. (default false)
    public var invert: ParameterReference<Bool> { fields.reference("invert") }
  }
}
