import FxAudio
public import FxChain

extension ChainGraph {
  /// A connection between two nodes.
  public struct Connection: Sendable, Equatable {
    /// The output that it begins at: `voice`, `split:low`.
    public var source: String
    /// The input that it ends at: `mix`, `comp:sidechain`, or a parameter for a control signal.
    public var destination: String
    /// What else it says, by key: `gain`, `channels`, `feedback`, `delay`, `id`, `depth` …
    public var keys: [ChainValue.Member]
    /// The Swift code that made it; nil if it was read from JSON.
    public internal(set) var site: CallSite?
    /// An element of a chain file that names no two nodes.
    let other: ChainValue?

    init(
      _ source: String, _ destination: String, keys: [ChainValue.Member] = [], site: CallSite?,
      other: ChainValue? = nil
    ) {
      self.source = source
      self.destination = destination
      self.keys = keys
      self.site = site
      self.other = other
    }

    /// Equal connections are written alike, wherever they were made.
    public static func == (left: Connection, right: Connection) -> Bool {
      left.written == right.written
    }

    /// As a chain file has it: `"a -> b"`, or an object.
    var written: ChainValue {
      if let other { return other }
      guard !keys.isEmpty else { return .string("\(source) -> \(destination)") }
      let ends: [ChainValue.Member] = [
        .init("from", .string(source)), .init("to", .string(destination)),
      ]
      return .object(ends + keys)
    }
  }

  /// Connects an output to an input.
  ///
  /// - Parameters:
  ///   - source: the node or port that gives the signal.
  ///   - destination: the node or port that receives it.
  ///   - gain: a change of level on the way.
  ///   - channels: the source's channels, from 1, in the order in which they arrive.
  ///   - delay: the delay of a loop, with `feedback`.
  ///   - feedback: true for the connection that closes a loop.
  ///   - id: a name, which makes the gain a parameter: `id.gain`.
  ///   - fileID: the file of the call, for messages.
  ///   - line: the line of the call, for messages.
  public mutating func connect(
    _ source: some GraphEnd, to destination: some GraphEnd, gain: Level? = nil,
    channels: [Int]? = nil, delay: Time? = nil, feedback: Bool = false, id: String? = nil,
    fileID: String = #fileID, line: Int = #line
  ) {
    var keys: [ChainValue.Member] = []
    keys.set("id", id?.chainValue)
    keys.set("gain", gain?.chainValue)
    keys.set("channels", channels?.chainValue)
    if feedback { keys.set("feedback", true) }
    keys.set("delay", delay?.chainValue)
    connect(source.end, destination.end, keys, CallSite(file: fileID, line: line))
  }

  /// Connects each output to the input after it: `connect(voice, comp, mix)`.
  public mutating func connect(
    _ first: any GraphEnd, _ second: any GraphEnd, _ others: any GraphEnd...,
    fileID: String = #fileID, line: Int = #line
  ) {
    let ends = ([first, second] + others).map(\.end)
    for (index, (source, destination)) in zip(ends, ends.dropFirst()).enumerated() {
      // In the middle of a path the port belongs to the input.
      var first = source
      if index > 0 {
        first = GraphPort(source.node)
        first.graph = source.graph
      }
      connect(first, destination, [], CallSite(file: fileID, line: line))
    }
  }

  private mutating func connect(
    _ source: GraphPort, _ destination: GraphPort, _ keys: [ChainValue.Member], _ site: CallSite
  ) {
    guard isOwn(source, site), isOwn(destination, site) else { return }
    connections.append(Connection(source.text, destination.text, keys: keys, site: site))
    guard let item = destination.item else { return }
    for member in item.fields.keys {
      let path = "\(item.list).\(item.fields.id ?? "").\(member.key)"
      self[destination.node]?[parameter: path] = member.value
    }
  }

  /// False for a node of another graph, which is reported.
  mutating func isOwn(_ end: GraphPort, _ site: CallSite) -> Bool {
    guard !knows(end) else { return true }
    mistakes.append(
      Diagnostic(
        .unknownNode, "'\(end.node)' is a node of another graph",
        hints: ["connect the node that 'add' of this graph returned"], site: site))
    return false
  }

  /// False for a node that was added to another graph.
  func knows(_ end: GraphPort) -> Bool { isRead || end.graph == nil || end.graph === identity }

  /// Removes every connection between two nodes.
  ///
  /// An end with a port removes only connections that name this port.
  public mutating func disconnect(_ source: some GraphEnd, from destination: some GraphEnd) {
    let (source, destination) = (source.end, destination.end)
    connections.removeAll { source.matches($0.source) && destination.matches($0.destination) }
  }
}

extension GraphPort {
  /// True if the spelling of an end names this port, or any port of this node where it names none.
  func matches(_ text: String) -> Bool {
    port == nil ? text.end.node == node : text == self.text
  }
}
