import FxAudio

/// A graph without cycles, with the width of every bus and the channels of every connection.
package struct ResolvedGraph: Sendable, Equatable {
  package private(set) var graph: Graph
  /// Channels by node and bus; 0 for an unconnected optional input.
  package let inputWidths: [[Int]]
  package let outputWidths: [[Int]]
  /// Connections split into single channels, in the file's order.
  package let edges: [Edge]
  package let layouts: GraphLayouts

  /// One channel of one connection. Channel numbers count across a node's buses.
  package struct Edge: Sendable, Equatable {
    package let connection: Int
    package let from: ChannelID
    package let to: ChannelID
    package let gain: Float
    package let isFeedback: Bool
  }

  /// The same graph with different start values of parameters, by node and slot.
  package func starting(with values: [[Double]]) -> ResolvedGraph {
    var changed = self
    for (node, values) in values.enumerated() where graph.nodes.indices.contains(node) {
      guard case .unit(var unit) = graph.nodes[node].content, unit.values.count == values.count
      else { continue }
      unit.values = values
      changed.graph.nodes[node].content = .unit(unit)
    }
    return changed
  }

  package func inputCount(_ node: Int) -> Int { inputWidths[node].reduce(0, +) }
  package func outputCount(_ node: Int) -> Int { outputWidths[node].reduce(0, +) }

  /// Output channels that carry sound; those of control signals follow.
  func soundOutputCount(_ node: Int) -> Int {
    graph.nodes[node].soundOutputCount(outputWidths[node])
  }

  /// The same graph with new parameter values, by node and slot: the values set while it played.
  func replacingValues(_ values: [Int: [Int: Double]]) -> ResolvedGraph {
    var graph = graph
    for (node, slots) in values where graph.nodes.indices.contains(node) {
      guard case .unit(var unit) = graph.nodes[node].content else { continue }
      for (slot, value) in slots where unit.values.indices.contains(slot) {
        unit.values[slot] = value
      }
      graph.nodes[node].content = .unit(unit)
    }
    return ResolvedGraph(
      graph: graph, inputWidths: inputWidths, outputWidths: outputWidths, edges: edges,
      layouts: layouts)
  }
}

/// A channel of a node's inputs or outputs, counted across its buses.
package struct ChannelID: Sendable, Hashable {
  package let node: Int
  package let channel: Int
}

extension Graph {
  /// Finds the width and the layout of every bus in signal order, and splits connections into
  /// channels.
  ///
  /// Equal widths connect channel by channel, mono is copied to any width, and a mono unit becomes
  /// as wide as its signal. Anything else is an error.
  package func resolved() throws(GraphError) -> ResolvedGraph {
    let order = try signalOrder()
    var widths = WidthResolver(self)
    widths.resolve(in: order)
    if connections.contains(where: { $0.feedbackDelay != nil }) {
      // Widths that depend only on a loop are known after the loop's own widths.
      widths.resolve(in: order)
    }
    var graph = self
    for node in nodes.indices {
      for width in widths.inputs[node] + widths.outputs[node] where width > maximumBusWidth {
        throw .tooManyChannels(node: node, width: width)
      }
      let input = widths.inputs[node].first ?? 0
      let output = widths.outputs[node].first ?? 0
      let fits = input == output || input == 1
      guard fits || !nodes[node].keepsDry else {
        throw .dryDoesNotFit(node: node, input: input, output: output)
      }
      if nodes[node].offersDry, fits { graph.nodes[node].keepsDry = true }
    }
    var edges: [ResolvedGraph.Edge] = []
    edges.reserveCapacity(connections.count * 2)
    widths.placeBuses()
    for index in connections.indices {
      try widths.appendEdges(of: index, to: &edges)
    }
    return ResolvedGraph(
      graph: graph, inputWidths: widths.inputs, outputWidths: widths.outputs, edges: edges,
      layouts: GraphLayouts(
        of: graph, inputWidths: widths.inputs, outputWidths: widths.outputs, order: order))
  }
}

/// The widths found so far.
private struct WidthResolver {
  let graph: Graph
  var inputs: [[Int]]
  var outputs: [[Int]]
  /// The first channel of every bus, once the widths are known.
  private var inputStarts: [[Int]] = []
  private var outputStarts: [[Int]] = []
  private let incoming: [[Int]]

  init(_ graph: Graph) {
    self.graph = graph
    inputs = graph.nodes.map { $0.inputs.map { _ in 0 } }
    outputs = graph.nodes.map { $0.outputs.map { _ in 0 } }
    var incoming = [[Int]](repeating: [], count: graph.nodes.count)
    for (index, connection) in graph.connections.enumerated() where !connection.carriesEvents {
      incoming[connection.to.node].append(index)
    }
    self.incoming = incoming
  }

  /// The number of channels of a connection.
  func carried(_ connection: Connection) -> Int {
    if let channels = connection.channels { return channels.count }
    if connection.from.channel != nil { return 1 }
    return outputs[connection.from.node][connection.from.bus]
  }

  mutating func resolve(in order: [Int]) {
    for node in order {
      let declared = graph.nodes[node]
      var fed = [Int](repeating: 0, count: declared.inputs.count)
      var named = fed
      for index in incoming[node] {
        let connection = graph.connections[index]
        let bus = connection.to.bus
        if let channel = connection.to.channel {
          named[bus] = max(named[bus], channel + 1)
        } else {
          fed[bus] = max(fed[bus], carried(connection))
        }
      }
      for (bus, spec) in declared.inputs.enumerated() {
        let found = max(fed[bus], named[bus])
        inputs[node][bus] =
          switch spec.width {
          case .exactly(let width):
            if found == 0 && spec.isOptional {
              0
            } else {
              declared.isReplicable ? max(found, width) : width
            }
          case .any, .upToOutput:
            found == 0 && !spec.isOptional && spec.width == .any ? 1 : found
          }
      }
      for (bus, spec) in declared.outputs.enumerated() {
        let input = inputs[node].first ?? 0
        outputs[node][bus] =
          switch spec.width {
          case .sameAsInput: input
          case .exactly(let width):
            declared.isReplicable && !spec.isControl ? max(input, width) : width
          case .option(let key): declared.optionWidth(key)
          }
      }
    }
  }

  /// Finds the first channel of every bus.
  mutating func placeBuses() {
    func starts(_ widths: [Int]) -> [Int] {
      var next = 0
      return widths.map { width in
        defer { next += width }
        return next
      }
    }
    inputStarts = inputs.map(starts)
    outputStarts = outputs.map(starts)
  }

  func appendEdges(of index: Int, to edges: inout [ResolvedGraph.Edge]) throws(GraphError) {
    let connection = graph.connections[index]
    if connection.carriesEvents { return }
    let (from, to) = (connection.from, connection.to)
    let sourceWidth = outputs[from.node][from.bus]
    let sourceFirst = outputStarts[from.node][from.bus]
    var sourceChannels = Array(0..<sourceWidth)
    if let channel = from.channel { sourceChannels = [channel] }
    if let channels = connection.channels { sourceChannels = channels }
    for channel in sourceChannels where channel < 0 || channel >= sourceWidth {
      throw .noSuchChannel(connection: index, channel: channel + 1, width: sourceWidth)
    }
    let width = inputs[to.node][to.bus]
    let first = inputStarts[to.node][to.bus]
    var targets = Array(0..<width)
    if let channel = to.channel {
      guard channel < width else {
        throw .noSuchChannel(connection: index, channel: channel + 1, width: width)
      }
      targets = [channel]
    }
    if case .upToOutput = graph.nodes[to.node].inputs[to.bus].width,
      let limit = outputs[to.node].first, width > limit
    {
      throw .channelsDoNotFit(connection: index, from: width, into: limit)
    }
    guard sourceChannels.count == targets.count || sourceChannels.count == 1 else {
      throw .channelsDoNotFit(connection: index, from: sourceChannels.count, into: targets.count)
    }
    for (position, target) in targets.enumerated() {
      let source = sourceChannels.count == 1 ? sourceChannels[0] : sourceChannels[position]
      edges.append(
        ResolvedGraph.Edge(
          connection: index, from: ChannelID(node: from.node, channel: sourceFirst + source),
          to: ChannelID(node: to.node, channel: first + target), gain: connection.gain,
          isFeedback: connection.feedbackDelay != nil))
    }
  }
}

extension Graph.Node {
  /// With outputs of these widths, the number of channels before the first control signal.
  func soundOutputCount(_ widths: [Int]) -> Int {
    zip(outputs, widths).prefix { !$0.0.isControl }.reduce(0) { $0 + $1.1 }
  }

  /// The layout named by a build option of this node.
  func optionLayout(_ key: String) -> ChannelLayout? {
    guard case .unit(let unit) = content, case .text(let name)? = unit.options[key] else {
      return nil
    }
    return ChannelLayout(named: name)
  }

  /// The width given by a build option of this node, limited to what the engine supports.
  fileprivate func optionWidth(_ key: String) -> Int {
    if let layout = optionLayout(key) { return layout.channelCount }
    guard case .unit(let unit) = content, case .number(let width)? = unit.options[key],
      width >= 1, width <= Double(maximumBusWidth)
    else { return 1 }
    return Int(width)
  }
}
