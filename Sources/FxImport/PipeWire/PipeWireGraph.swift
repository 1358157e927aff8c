import FxChain
import FxKit

/// The graph of a filter chain: its nodes have ports of one channel each.
///
/// A graph with one input is there once for each channel, which is one node of fxrun for all channels. A graph
/// with several inputs has nodes of one channel.
struct PipeWireGraph {
  private let arguments: SourceValue
  private let source: SourceValue?
  private let importing: Importing
  private let nodes: [PipeWireNode]
  private let links: [(from: PipeWirePort, to: PipeWirePort, source: SourceValue)]
  private let inputs: [PipeWirePort?]
  private let outputs: [PipeWirePort?]

  init(_ arguments: SourceValue, _ importing: Importing) {
    (self.arguments, self.importing) = (arguments, importing)
    source = arguments["filter.graph"]
    nodes = (source?["nodes"]?.elements ?? []).map { PipeWireNode($0, importing) }
    links = (source?["links"]?.elements ?? []).compactMap { link in
      guard let from = link["output"]?.text, let to = link["input"]?.text else { return nil }
      return (PipeWirePort(from), PipeWirePort(to), link)
    }
    inputs = Self.ports(source?["inputs"]) ?? nodes.first.map { $0.inputs } ?? []
    outputs = Self.ports(source?["outputs"]) ?? nodes.last.map { $0.outputs } ?? []
  }

  /// The ports of a list; nil where there is none. `null` is a channel that leads nowhere.
  private static func ports(_ list: SourceValue?) -> [PipeWirePort?]? {
    guard let list, case .list(let elements) = list.content, !elements.isEmpty else { return nil }
    return elements.map { element in
      if case .absent = element.content { nil } else { element.text.map(PipeWirePort.init) }
    }
  }

  func graph() -> ChainGraph {
    readProperties()
    guard !nodes.isEmpty else {
      source?.turn(.notPossible("the graph has no nodes"))
      return ChainGraph {}
    }
    for key in ["capture.volumes", "playback.volumes"] {
      source?[key]?.turn(.notPossible("fxrun has no volume control outside of the chain"))
    }
    if let node = nodes.first(where: { ports(of: $0).count > 1 }) { return divided(node) }
    let repeats = inputs.count == 1 && outputs.count == 1
    let width = repeats ? channelCount : 1
    let made = nodes.map { $0.made(width: width, isRepeated: repeats) }
    if repeats, let series = series() {
      return ChainGraph { series.map { made[$0].node } }
    }
    return connected(made, repeats: repeats)
  }

  // MARK: Nodes with several ports

  /// The inputs of a node that are used; none for a node whose ports fxrun has as well.
  private func ports(of node: PipeWireNode) -> [PipeWirePort] {
    guard !node.hasOwnPorts else { return [] }
    var ports: [PipeWirePort] = []
    for port in inputs.compactMap({ $0 }) + links.map(\.to)
    where port.node == node.name && !ports.contains(port) { ports.append(port) }
    return ports
  }

  /// A graph with a node that has an input for each channel: the node alone is one for all channels.
  private func divided(_ node: PipeWireNode) -> ChainGraph {
    let numbers = Array(1...max(inputs.count, 1))
    guard nodes.count == 1, inputs.map({ $0?.number }) == numbers,
      outputs.map({ $0?.number }) == numbers
    else {
      source?.turn(
        .notPossible(
          "fxrun cannot divide the node '\(node.name)', which has several inputs: the signal passes"
        ))
      return ChainGraph {}
    }
    var graph = ChainGraph { node.made(width: inputs.count, isRepeated: true).node }
    graph.channels = inputs.count
    return graph
  }

  /// The nodes in their order if each leads to the next; nil for another graph.
  private func series() -> [Int]? {
    guard links.count == nodes.count - 1, let first = inputs.first ?? nil,
      let last = outputs.first ?? nil
    else { return nil }
    var order: [Int] = []
    var name = first.node
    while let index = nodes.firstIndex(where: { $0.name == name }), !order.contains(index) {
      guard nodes[index].isPlain else { return nil }
      order.append(index)
      let next = links.filter { $0.from.node == name }
      guard next.count <= 1 else { return nil }
      guard let link = next.first else { break }
      name = link.to.node
    }
    return order.count == nodes.count && name == last.node ? order : nil
  }

  private func connected(_ made: [PipeWireNode.Made], repeats: Bool) -> ChainGraph {
    var graph = ChainGraph()
    var ids: [String: PipeWireNode.Made] = [:]
    let input = graph.add(Input(id: "in"))
    for (node, made) in zip(nodes, made) {
      ids[node.name] = made
      graph.add(made.node)
      for extra in made.before { graph.add(extra.node) }
    }
    for (channel, port) in inputs.enumerated() {
      guard let port, let made = ids[port.node] else { continue }
      graph.connect(
        input, to: made.input(port), channels: repeats ? nil : [channel + 1])
    }
    for made in made {
      for extra in made.before {
        graph.connect(
          GraphPort(extra.node.name), to: GraphPort(made.node.name, port: extra.port))
      }
    }
    for link in links {
      guard let from = ids[link.from.node], let to = ids[link.to.node] else {
        link.source.turn(.notPossible("there is no node of this name"))
        continue
      }
      graph.connect(from.output(link.from), to: to.input(link.to))
    }
    end(&graph, ids, repeats)
    if !repeats { graph.channels = inputs.count }
    return graph
  }

  /// Connects the outputs: each is a channel of the sound.
  private func end(
    _ graph: inout ChainGraph, _ made: [String: PipeWireNode.Made], _ repeats: Bool
  ) {
    let isSame = repeats || outputs.count == inputs.count
    let output = graph.add(Output.main(channels: isSame ? nil : outputs.count))
    if repeats || outputs.count == 1 {
      guard let port = outputs.first ?? nil, let last = made[port.node] else { return }
      graph.connect(last.output(port), to: output)
      return
    }
    let join = graph.add(Mixer(id: importing.id("join"), channels: outputs.count))
    for (channel, port) in outputs.enumerated() {
      guard let port, let last = made[port.node] else { continue }
      let place = graph.add(
        Matrix(
          id: importing.id("channel\(channel + 1)"), channels: outputs.count,
          routes: [Matrix.Route(from: 1, to: channel + 1)]))
      graph.connect(last.output(port), place, join)
    }
    graph.connect(join, to: output)
  }

  // MARK: Properties

  /// Channels of the sound where the file says it.
  private var channelCount: Int {
    for properties in [arguments, arguments["capture.props"], arguments["playback.props"]] {
      if let count = properties?["audio.channels"]?.integer, (1...256).contains(count) {
        return count
      }
    }
    return 2
  }

  private func readProperties() {
    for properties in [arguments, arguments["capture.props"], arguments["playback.props"]] {
      for key in [
        "audio.channels", "audio.position", "node.name", "node.description", "media.name",
      ] {
        properties?[key]?.settle()
      }
      if let rate = properties?["audio.rate"]?.sampleRate { importing.sampleRate = rate }
    }
    for key in ["capture.props", "playback.props"] {
      arguments[key]?.settle(
        .translated(
          "how PipeWire connects the chain; the command line of fxrun names input and output"))
    }
    for (key, value) in arguments.members where key != "filter.graph" && key != "context.modules" {
      value.settle(.translated("a setting of PipeWire that does not change the sound"))
    }
  }
}
