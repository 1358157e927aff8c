import FxAudio
@testable import FxEngine
import Testing

/// Layouts of random graphs, compared with a simple implementation of the definition.
@Suite struct RandomLayoutTests {
  private struct Random {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
  }

  /// Four channels everywhere, with three layouts and none.
  private static let layouts: [ChannelLayout] =
    ["quad", "4.0", "quad(side)"].compactMap { ChannelLayout(named: $0) } + [.discrete(4)]

  private func graph(seed: Int) -> Graph {
    var random = Random(state: UInt64(seed))
    var fixture = GraphFixture()
    for index in 0..<(1 + random.below(3)) {
      fixture.source("in\(index)", channels: 4)
      fixture.graph.nodes[index].outputs[0].layout = .exactly(Self.layouts[random.below(4)])
    }
    for index in 0..<(2 + random.below(12)) {
      var output = OutputBusSpec("out")
      var input = InputBusSpec("in")
      switch random.below(8) {
      case 0: output.layout = .exactly(Self.layouts[random.below(3)])
      case 1: output.layout = .usual
      case 2: input.layout = Self.layouts[random.below(3)]
      default: break
      }
      fixture.unit("u\(index)", inputs: [input, .sidechain], outputs: [output])
      let node = fixture.graph.nodes.count - 1
      for _ in 0...random.below(3) {
        fixture.graph.connections.append(
          Connection(
            from: .init(node: random.below(node)),
            to: .init(node: node, bus: random.below(5) == 0 ? 1 : 0),
            channels: random.below(6) == 0 ? [3, 2, 1, 0] : nil))
      }
    }
    let units = fixture.graph.nodes.indices.filter { fixture.graph.nodes[$0].inputs.count == 2 }
    for _ in 0..<random.below(4) {
      let from = units[random.below(units.count)]
      let to = units[random.below(units.count)]
      fixture.graph.connections.insert(
        Connection(from: .init(node: from), to: .init(node: to), feedbackDelay: 0.1),
        at: random.below(fixture.graph.connections.count))
    }
    return fixture.graph
  }

  /// A naive evaluation: an input takes the layout of the node that feeds it, which takes it from
  /// its own inputs.
  private struct Naive {
    let graph: Graph
    let widths: ResolvedGraph
    private var known: [String: ChannelLayout?] = [:]

    init(_ graph: Graph, _ widths: ResolvedGraph) {
      self.graph = graph
      self.widths = widths
    }

    mutating func input(_ node: Int, _ bus: Int, _ look: Int) -> ChannelLayout? {
      let key = "i\(node).\(bus).\(look)"
      if let found = known[key] { return found }
      let found = look < 0 ? nil : ask(node, bus, look)
      known[key] = .some(found)
      return found
    }

    private mutating func ask(_ node: Int, _ bus: Int, _ look: Int) -> ChannelLayout? {
      if let before = input(node, bus, look - 1) { return before }
      let width = widths.inputWidths[node][bus]
      if let layout = graph.nodes[node].inputs[bus].layout, layout.channelCount == width {
        return layout
      }
      for isLoop in [false, true] {
        var found: [ChannelLayout] = []
        for connection in graph.connections
        where connection.to.node == node && connection.to.bus == bus && connection.channels == nil
          && (connection.feedbackDelay != nil) == isLoop
        {
          guard let layout = output(connection.from.node, isLoop ? look - 1 : look),
            layout.channelCount == width
          else { continue }
          found.append(layout)
        }
        if let layout = found.first(where: \.isNamed) ?? found.first { return layout }
      }
      return nil
    }

    mutating func output(_ node: Int, _ look: Int) -> ChannelLayout? {
      let width = widths.outputWidths[node][0]
      switch graph.nodes[node].outputs[0].layout {
      case .exactly(let layout) where layout.channelCount == width: return look < 0 ? nil : layout
      case .usual: return look < 0 ? nil : .usual(width)
      default: break
      }
      var found: [ChannelLayout] = []
      for bus in graph.nodes[node].inputs.indices where widths.inputWidths[node][bus] == width {
        if let layout = input(node, bus, look) { found.append(layout) }
      }
      return found.first(where: \.isNamed) ?? found.first
    }
  }

  @Test func `layouts of random graphs are those of a naive evaluation`() throws {
    var compared = 0
    for seed in 0..<400 {
      let graph = graph(seed: seed)
      // A loop that nothing closes changes nothing here.
      guard let resolved = try? graph.resolved() else { continue }
      var naive = Naive(graph, resolved)
      for (node, layouts) in resolved.layouts.inputs.enumerated() {
        for (bus, layout) in layouts.enumerated() {
          let width = resolved.inputWidths[node][bus]
          let expected = naive.input(node, bus, graph.nodes.count) ?? .usual(width)
          #expect(layout == expected, "seed \(seed), node \(graph.nodes[node].id), bus \(bus)")
          compared += 1
        }
      }
    }
    #expect(compared > 4000)
  }
}
