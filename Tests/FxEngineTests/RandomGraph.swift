import FxAudio
@testable import FxEngine

/// A random graph of test units, loops included, with what is needed to run it.
struct RandomGraph {
  var graph: ResolvedGraph
  var latencies: [Int]
  var units: [TestUnit?]
  var types: [UnitType?]

  /// The same graph for the same seed.
  init(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let sourceCount = 1 + random.below(2)
    let unitCount = 3 + random.below(14)
    var nodes: [Graph.Node] = []
    units = []
    latencies = []
    types = []
    for index in 0..<sourceCount {
      nodes.append(
        Graph.Node(
          id: "in\(index)", content: .source(.input("in\(index)")), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(2))]))
      units.append(nil)
      latencies.append(0)
      types.append(nil)
    }
    var connections: [Connection] = []
    for index in 0..<unitCount {
      let unit = TestUnit.allCases[random.below(8)]
      let latency = TestUnit.latencies[random.below(4)]
      let type = unit.type(latency: latency, rendersInPlace: random.below(3) > 0)
      let keepsDry = random.below(4) == 0 && unit != .follow
      let wet = [0, 0.25, 1][random.below(3)]
      let node = nodes.count
      var inputs = type.spec.inputs
      let slots = NodeParameters.slots(of: type.spec, items: [])
      var configuration = UnitConfiguration(
        kind: .builtIn(name: type.spec.id, revision: 1), parameters: slots,
        values: (unit == .tune ? [0.5] : []) + [keepsDry ? wet : 1, 0])
      var moved: [Int] = unit == .tune ? [0] : []
      // A late unit mixes its current input with its earlier input.
      if keepsDry, unit != .late { moved.append(configuration.slots.wet) }
      let givers = units.enumerated().filter { $0.element == .follow }.map(\.offset)
      for slot in moved where !givers.isEmpty {
        for _ in 0..<random.below(3) {
          connections.append(
            Connection(
              from: .init(node: givers[random.below(givers.count)]),
              to: .init(node: node, bus: inputs.count)))
          Self.modulate(&configuration, slot, &random)
          inputs.append(
            InputBusSpec("depth", width: .exactly(1), isOptional: true, isControl: true))
        }
      }
      nodes.append(
        Graph.Node(
          id: "u\(index)",
          content: .unit(configuration), inputs: inputs, outputs: type.spec.outputs,
          eventInputs: type.spec.eventInputs, eventOutputs: type.spec.eventOutputs,
          rendersInPlace: type.spec.rendersInPlace, keepsDry: keepsDry))
      units.append(unit)
      latencies.append(unit == .late ? latency : 0)
      types.append(type)
      let strikers = units.enumerated().filter {
        ($0.element == .strike || $0.element == .ring) && $0.offset < node
      }.map(\.offset)
      if unit == .ring, !strikers.isEmpty {
        for striker in Set(
          (0...random.below(2)).map { _ in strikers[random.below(strikers.count)] }
        )
        .sorted() {
          connections.append(
            Connection(from: .init(node: striker), to: .init(node: node), carriesEvents: true))
        }
      }
      for feed in 0...random.below(3) {
        let bus = unit == .duck && feed > 0 ? 1 : 0
        connections.append(
          Connection(
            from: .init(node: random.below(node)), to: .init(node: node, bus: bus),
            gain: random.below(2) == 0 ? 1 : 0.5))
      }
    }
    for index in 0..<(1 + random.below(2)) {
      nodes.append(
        Graph.Node(
          id: "out\(index)", content: .sink(.output("out\(index)"), isAligned: random.below(4) > 0),
          inputs: [.main], outputs: []))
      units.append(nil)
      latencies.append(0)
      types.append(nil)
      let from = index == 0 ? sourceCount + unitCount - 1 : sourceCount + random.below(unitCount)
      connections.append(
        Connection(from: .init(node: from), to: .init(node: nodes.count - 1)))
    }
    Self.addLoops(&connections, from: sourceCount, count: unitCount, &random)
    graph = try Graph(nodes: nodes, connections: connections).resolved()
  }

  /// Adds a control signal with a random depth.
  private static func modulate(
    _ unit: inout UnitConfiguration, _ slot: Int, _ random: inout SplitMix
  ) {
    let depth = Double(random.sample())
    unit.modulations.append(
      Modulation(
        slot: slot, depthSlot: unit.parameters.count, scale: .linear,
        curve: random.below(2) == 0 ? .linear : .square, range: -1...1, isBipolar: true))
    unit.parameters.append(
      ParameterSlot(
        path: "depth\(unit.modulations.count)",
        spec: ParameterSpec("depth", "A test depth.", .none, -1...1, default: 0)))
    unit.values.append(depth)
  }

  /// Closes up to two loops along existing paths.
  private static func addLoops(
    _ connections: inout [Connection], from first: Int, count: Int, _ random: inout SplitMix
  ) {
    let forward = connections
    func reachable(from start: Int) -> [Int] {
      var seen: Set<Int> = [start]
      var open = [start]
      while let node = open.popLast() {
        for connection in forward
        where connection.from.node == node && connection.to.node < first + count {
          if seen.insert(connection.to.node).inserted { open.append(connection.to.node) }
        }
      }
      return seen.sorted()
    }
    for _ in 0..<random.below(3) {
      let target = first + random.below(count)
      let candidates = reachable(from: target)
      connections.append(
        Connection(
          from: .init(node: candidates[random.below(candidates.count)]),
          to: .init(node: target), gain: 0.5,
          feedbackDelay: Double(250 + random.below(120)) / 48000))
    }
  }

  /// The widths of a node's inputs without those of its control signals.
  func unitInputs(_ node: Int) -> [Int] {
    guard case .unit(let unit) = graph.graph.nodes[node].content else { return [] }
    return graph.inputWidths[node].dropLast(unit.modulations.count)
  }

  func plan() throws -> RenderPlan {
    try GraphCompiler(graph, latencies: latencies, sampleRate: 48000).compile()
  }
}

/// A small generator with the same numbers everywhere. (Steele, Lea & Flood 2014.)
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Between -1 and 1.
  mutating func sample() -> Float { Float(Int64(bitPattern: next()) >> 40) / Float(1 << 23) }
}
