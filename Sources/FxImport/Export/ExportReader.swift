import FxAudio
import FxChain
import FxEngine
import FxKit

/// A chain in a line as steps that other programs have too.
struct ExportReader {
  /// A node with what it does.
  struct Part {
    /// The id of the node, and its outcome.
    let source: SourceValue
    /// Each step for some channels, from 0; nil for all of them.
    let steps: [(step: ExportStep, channels: [Int]?)]

    var id: String { source.path }
  }

  private(set) var parts: [Part] = []
  let sampleRate: Double
  /// Channels of the signal at the beginning.
  let width: Int
  let path: String

  /// - Throws: `ChainFailure` for a chain that is not in a line: with several inputs or outputs, or with paths that
  ///   divide.
  init(_ chain: Chain) throws(ChainFailure) {
    let compiled = try chain.planned()
    (sampleRate, path) = (compiled.sampleRate, chain.path)
    let graph = compiled.built.graph
    let order = try Self.order(graph, chain.path)
    width = compiled.built.channels ?? 2
    var width = width
    for index in order {
      guard case .unit(let unit) = graph.nodes[index].content else { continue }
      let place = compiled.built.diagnostic(forNode: index, .unreadableFile, "").place
      let line = place.map { $0.source.position(of: $0.range.lowerBound).line } ?? index + 1
      let source = SourceValue(
        .scalar(graph.nodes[index].id), line: line, path: graph.nodes[index].id)
      let spec = compiled.built.specs[index]
      let steps = UnitExport(unit, spec, source, width: width, sampleRate: sampleRate).steps()
      if case .routes(let outputs)? = steps.first?.step { width = outputs.count }
      parts.append(Part(source: source, steps: steps))
    }
  }

  /// The nodes from the source to the sink.
  private static func order(_ graph: Graph, _ path: String) throws(ChainFailure) -> [Int] {
    func refused(_ reason: String) -> ChainFailure {
      ChainFailure(
        .request, code: .notExportable,
        "\(path): fxrun exports a chain in a line; \(reason)", path: path)
    }
    let sources = graph.nodes.indices.filter { index in
      if case .source = graph.nodes[index].content { true } else { false }
    }
    guard sources.count == 1, var current = sources.first else {
      throw refused("this one has \(sources.count) sources")
    }
    for node in graph.nodes {
      let isPlain =
        switch node.content {
        case .source(let endpoint): endpoint.inputName != nil && !endpoint.isEdited
        case .sink(let endpoint, _): endpoint.nature == .bound
        case .unit: true
        }
      guard isPlain else {
        throw refused("'\(node.id)' is not just an input or output of the command line")
      }
    }
    var order = [current]
    while true {
      let next = graph.connections.filter { $0.from.node == current && !$0.carriesEvents }
      if case .sink = graph.nodes[current].content { break }
      guard next.count == 1, let connection = next.first, connection.gain == 1,
        connection.channels == nil, connection.from.channel == nil, connection.to.channel == nil,
        connection.feedbackDelay == nil, !order.contains(connection.to.node)
      else { throw refused("its paths divide behind '\(graph.nodes[current].id)'") }
      current = connection.to.node
      guard graph.connections.count(where: { $0.to.node == current && !$0.carriesEvents }) == 1
      else { throw refused("several paths meet at '\(graph.nodes[current].id)'") }
      order.append(current)
    }
    guard order.count == graph.nodes.count else {
      let other = graph.nodes.indices.first { !order.contains($0) } ?? 0
      throw refused("'\(graph.nodes[other].id)' does not stand in it")
    }
    return order
  }
}
