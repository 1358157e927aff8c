import FxAudio
@testable import FxEngine

/// A graph built by name, for tests: `"in -> a -> out"`.
struct GraphFixture {
  var graph = Graph()
  var latencies: [Int] = []

  /// A source of this width.
  mutating func source(_ id: String, channels: Int) {
    add(
      Graph.Node(
        id: id, content: .source(.input(id)), inputs: [],
        outputs: [OutputBusSpec("out", width: .exactly(channels))]))
  }

  mutating func sink(_ id: String, isAligned: Bool = true) {
    add(
      Graph.Node(
        id: id, content: .sink(.output(id), isAligned: isAligned), inputs: [.main], outputs: []))
  }

  mutating func unit(
    _ id: String, latency: Int = 0, inputs: [InputBusSpec] = [.main],
    outputs: [OutputBusSpec] = [.main], options: [String: OptionValue] = [:],
    isReplicable: Bool = false, rendersInPlace: Bool = true, keepsDry: Bool = false
  ) {
    add(
      Graph.Node(
        id: id,
        content: .unit(
          UnitConfiguration(
            kind: .builtIn(name: id, revision: 1), options: options, parameters: [], values: [])),
        inputs: inputs, outputs: outputs, isReplicable: isReplicable,
        rendersInPlace: rendersInPlace, keepsDry: keepsDry))
    latencies[latencies.count - 1] = latency
  }

  private mutating func add(_ node: Graph.Node) {
    graph.nodes.append(node)
    latencies.append(0)
  }

  /// Connects a path: `"in -> comp:1 -> out"`, a number being the bus.
  mutating func connect(
    _ way: String, gain: Float = 1, channels: [Int]? = nil, feedback: Double? = nil
  ) {
    let stops = way.split(separator: " -> ").map { stop -> Connection.Endpoint in
      let parts = stop.split(separator: ":")
      return Connection.Endpoint(
        node: graph.nodes.firstIndex { $0.id == parts[0] } ?? -1,
        bus: parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    }
    for (from, to) in zip(stops, stops.dropFirst()) {
      graph.connections.append(
        Connection(
          from: Connection.Endpoint(node: from.node), to: to, gain: gain, channels: channels,
          feedbackDelay: feedback))
    }
  }

  func plan() throws -> RenderPlan {
    try GraphCompiler(graph.resolved(), latencies: latencies, sampleRate: 48000).compile()
  }
}
