import FxAudio
@testable import FxEngine

/// A chain written down by names, that can be changed and built again.
struct MortalChain {
  struct Unit {
    var id: String
    var kind: MortalUnit
    var latency = 0
    var wet: Double?
    /// Stands for any other option: units with different marks are not the same.
    var mark = 0.0
  }

  struct Way: Equatable {
    var from: String
    var to: String
    var bus = 0
    var gain: Float = 1
    var feedback: Double?
  }

  static let sampleRate = 8000.0

  var sources = ["in"]
  var units: [Unit] = []
  var sinks = ["out"]
  var unalignedSinks: Set<String> = []
  var ways: [Way] = []
  /// Late units may become as late as 200 frames, so that the plan has lines for it.
  var moves = false
  /// The kinds of random units.
  var kinds = MortalUnit.tame

  /// `"in -> echo -> out"`; units are named by their kind, `late.7` with a latency, `scale-b` for
  /// a second one of a kind, `duck:1` for the second bus.
  init(_ text: String...) {
    for line in text { connect(line) }
  }

  mutating func connect(_ line: String, gain: Float = 1, feedback: Double? = nil) {
    let stops = line.split(separator: " -> ").map(String.init)
    for stop in stops { declare(name(stop)) }
    for (from, to) in zip(stops, stops.dropFirst()) {
      ways.append(
        Way(
          from: name(from), to: name(to), bus: to.hasSuffix(":1") ? 1 : 0, gain: gain,
          feedback: feedback))
    }
  }

  private func name(_ stop: String) -> String {
    String(stop.prefix { $0 != ":" })
  }

  private mutating func declare(_ name: String) {
    if sources.contains(name) || sinks.contains(name) || units.contains(where: { $0.id == name }) {
      return
    }
    if name.hasPrefix("in") { return sources.append(name) }
    if name.hasPrefix("out") { return sinks.append(name) }
    let kind = String(name.prefix { $0.isLetter })
    let latency = name.split(separator: ".").last.flatMap { Int($0) } ?? 0
    let unit = MortalUnit.allCases.first { "\($0)" == kind } ?? .scale
    units.append(Unit(id: name, kind: unit, latency: latency))
  }

  subscript(_ id: String) -> Unit {
    get { units.first { $0.id == id } ?? Unit(id: id, kind: .scale) }
    set {
      guard let index = units.firstIndex(where: { $0.id == id }) else { return }
      units[index] = newValue
    }
  }

  // MARK: Building

  struct Built {
    let graph: ResolvedGraph
    let types: [UnitType?]
    let moves: Bool

    func instance(_ node: Int) throws -> UnitInstance? {
      try types[node]?.make(
        Preparation(
          sampleRate: MortalChain.sampleRate, maximumFrameCount: 64,
          inputWidths: graph.inputWidths[node], outputWidths: graph.outputWidths[node]))
    }

    /// Every unit takes long enough for threads to share them.
    func partition(threads: Int) -> Partition? {
      guard threads > 1 else { return nil }
      let costs = types.map { $0 == nil ? 0 : 1e6 }
      return Partition(costs: costs, threads: threads, isRequested: true)
    }

    func plan(_ instances: [UnitInstance?], threads: Int = 1) throws -> RenderPlan {
      var limits: [Int: Int] = [:]
      for (node, instance) in instances.enumerated() where moves && instance?.latency ?? 0 > 0 {
        limits[node] = 200
      }
      return try GraphCompiler(
        graph, latencies: instances.map { $0?.latency ?? 0 }, limits: limits,
        sampleRate: MortalChain.sampleRate, partition: partition(threads: threads)
      ).compile()
    }
  }

  func build(live: MortalUnit.Counter? = nil) throws -> Built {
    var graph = Graph()
    var types: [UnitType?] = []
    for id in sources {
      graph.nodes.append(
        Graph.Node(
          id: id, content: .source(.input(id)), inputs: [],
          outputs: [OutputBusSpec("out", width: .exactly(2))]))
      types.append(nil)
    }
    for unit in units {
      let type = unit.kind.type(latency: unit.latency, live: live)
      graph.nodes.append(
        Graph.Node(
          id: unit.id,
          content: .unit(
            UnitConfiguration(
              kind: .builtIn(name: type.spec.id, revision: 1),
              options: ["mark": .number(unit.mark + Double(unit.latency))],
              parameters: NodeParameters.slots(of: type.spec, items: []),
              values: [unit.wet ?? 1, 0])),
          inputs: type.spec.inputs, outputs: type.spec.outputs, keepsDry: unit.wet != nil))
      types.append(type)
    }
    for id in sinks {
      graph.nodes.append(
        Graph.Node(
          id: id, content: .sink(.output(id), isAligned: !unalignedSinks.contains(id)),
          inputs: [InputBusSpec("in", width: .exactly(2))], outputs: []))
      types.append(nil)
    }
    let index = Dictionary(uniqueKeysWithValues: graph.nodes.enumerated().map { ($1.id, $0) })
    for way in ways {
      guard let from = index[way.from], let to = index[way.to] else { continue }
      graph.connections.append(
        Connection(
          from: .init(node: from), to: .init(node: to, bus: way.bus), gain: way.gain,
          feedbackDelay: way.feedback))
    }
    return Built(graph: try graph.resolved(), types: types, moves: moves)
  }

  // MARK: Chance

  /// Some units in an order, each fed by one or two before it; sometimes a loop.
  static func random(
    _ random: inout SplitMix, of kinds: [MortalUnit] = MortalUnit.tame
  ) -> MortalChain {
    var chain = MortalChain()
    chain.kinds = kinds
    if random.below(3) == 0 { chain.sources.append("in2") }
    if random.below(2) == 0 { chain.sinks.append("out2") }
    for _ in 0..<(2 + random.below(7)) { chain.addUnit(&random) }
    for sink in chain.sinks { chain.feed(sink, before: chain.units.count, &random) }
    return chain
  }

  private mutating func addUnit(_ random: inout SplitMix) {
    var number = units.count
    while units.contains(where: { $0.id == "u\(number)" }) { number += 1 }
    let place = random.below(units.count + 1)
    units.insert(unit("u\(number)", &random), at: place)
    feed("u\(number)", before: place, &random)
    // Its output is connected.
    let later = units[(place + 1)...].map(\.id) + sinks
    let to = later[random.below(later.count)]
    ways.append(Way(from: "u\(number)", to: to, gain: 0.4))
  }

  private func unit(_ id: String, _ random: inout SplitMix) -> Unit {
    let kind = kinds[random.below(kinds.count)]
    return Unit(
      id: id, kind: kind, latency: kind == .late ? [1, 7, 30, 100][random.below(4)] : 0,
      wet: random.below(3) == 0 ? [0.25, 0.5, 1][random.below(3)] : nil,
      mark: Double(random.below(3)) / 8)
  }

  /// Connects one or two earlier nodes to a node.
  private mutating func feed(_ id: String, before place: Int, _ random: inout SplitMix) {
    let earlier = sources + units[..<place].map(\.id)
    let isDuck = units.contains { $0.id == id && $0.kind == .duck }
    for feed in 0...random.below(2) {
      ways.append(
        Way(
          from: earlier[random.below(earlier.count)], to: id,
          bus: isDuck && feed > 0 ? 1 : 0, gain: [0.3, 0.45][random.below(2)]))
    }
  }

  /// Changes something; the order of `units` stays one in which all can run.
  mutating func mutate(_ random: inout SplitMix) {
    switch random.below(8) {
    case 0: addUnit(&random)
    case 1 where units.count > 1:
      let gone = units.remove(at: random.below(units.count))
      ways.removeAll { $0.from == gone.id || $0.to == gone.id }
    case 2 where !units.isEmpty:
      let place = random.below(units.count)
      units[place] = unit(units[place].id, &random)
      for index in ways.indices where ways[index].to == units[place].id { ways[index].bus = 0 }
    case 3 where !ways.isEmpty:
      let place = random.below(ways.count)
      if ways[place].feedback == nil { ways.remove(at: place) }
    case 4 where !units.isEmpty:
      let place = random.below(units.count)
      feed(units[place].id, before: place, &random)
    case 5 where units.count > 1:
      // Two neighbours change places.
      let place = random.below(units.count - 1)
      units.swapAt(place, place + 1)
      let (first, second) = (units[place].id, units[place + 1].id)
      ways.removeAll { $0.feedback == nil && $0.from == second && $0.to == first }
      ways.append(Way(from: first, to: second, gain: 0.4))
    case 6 where !units.isEmpty && !ways.contains { $0.feedback != nil }:
      let id = units[random.below(units.count)].id
      ways.append(Way(from: id, to: id, gain: 0.4, feedback: 0.03 + Double(random.below(9)) / 500))
    case 6: ways.removeAll { $0.feedback != nil }
    default:
      let sink = sinks[random.below(sinks.count)]
      ways.removeAll { $0.to == sink }
      feed(sink, before: units.count, &random)
    }
  }
}
