import FxAudio
@testable import FxEngine

/// The output of a graph, calculated in the simplest way: each signal is an array over the time of
/// its source, calculated from the signals that feed it.
///
/// Latency does not exist here: a late unit outside a loop is the identity. In a loop, where nothing
/// is compensated, it does delay, and the loop is walked frame by frame. A signal that leaves a
/// loop early begins before frame 0, so every array starts `lead` frames earlier.
final class NaiveEvaluator {
  private let random: RandomGraph
  private let graph: ResolvedGraph
  /// Frames of the lead and of the output together.
  private let length: Int
  /// Room after the end for signals that leave a loop late.
  private let padding = 256
  private let lead = 256
  private let sources: [Int: [[Float]]]
  private var known: [Int: [[Float]]] = [:]
  /// By node and frame: the notes that the node outputs.
  private var given: [Int: [[TestNote]]] = [:]

  init(_ random: RandomGraph, sources: [Int: [[Float]]], length: Int) {
    self.random = random
    graph = random.graph
    self.sources = sources
    self.length = length + lead
  }

  /// The signal of a sink, `length` frames of each channel.
  func output(of sink: Int) -> [[Float]] {
    let inputs = (0..<graph.inputCount(sink)).map { channel in sum(into: sink, channel) }
    return inputs.map { Array($0[lead..<length]) }
  }

  /// The output signal of a node in source time.
  private func signal(_ node: Int) -> [[Float]] {
    if let known = known[node] { return known }
    let loop = loop(around: node)
    if loop.count > 1 || feedsItself(node) {
      evaluate(loop: loop)
    } else if let unit = random.units[node] {
      let inputs = (0..<graph.inputCount(node)).map { sum(into: node, $0) }
      var kernel = TestKernel(kind: unit, latency: 0, widths: random.unitInputs(node))
      var outputs = inputs.prefix(graph.outputCount(node)).map { $0 }
      let senders = senders(to: node)
      for sender in senders { _ = signal(sender.node) }
      for frame in 0..<(length + padding) {
        let notes = senders.flatMap { given[$0.node]?[frame] ?? [] }
        step(&kernel, node, frame: frame, notes: notes, inputs: { inputs[$0][frame] }) {
          outputs[$0][frame] = $1
        }
      }
      known[node] = outputs
    } else {
      known[node] = (sources[node] ?? []).map {
        [Float](repeating: 0, count: lead) + $0 + [Float](repeating: 0, count: padding)
      }
    }
    return known[node] ?? []
  }

  private func sum(into node: Int, _ channel: Int) -> [Float] {
    var total: [Float]?
    for edge in graph.edges where edge.to == ChannelID(node: node, channel: channel) {
      let term = signal(edge.from.node)[edge.from.channel]
      total = add(total, term, edge.gain)
    }
    return total ?? [Float](repeating: 0, count: length + padding)
  }

  private func add(_ total: [Float]?, _ term: [Float], _ gain: Float) -> [Float] {
    guard let total else { return term.map { $0 * gain } }
    return zip(total, term).map { $0 + $1 * gain }
  }

  /// The nodes that send a node notes, in the order of their connections.
  private func senders(to node: Int) -> [(node: Int, connection: Int)] {
    graph.graph.connections.enumerated().filter {
      $0.element.carriesEvents && $0.element.to.node == node
    }.map { ($0.element.from.node, $0.offset) }
  }

  /// Records the notes of a node at a frame, and returns what they add to its output.
  private func give(_ node: Int, frame: Int, _ notes: [TestNote], input: Float) -> [TestNote] {
    switch random.units[node] {
    case .strike: given[node, default: empty][frame] = TestNote.struck(by: input).map { [$0] } ?? []
    case .ring: given[node, default: empty][frame] = notes.map(\.higher)
    default: return []
    }
    return random.units[node] == .ring ? notes : []
  }

  private var empty: [[TestNote]] { [[TestNote]](repeating: [], count: length + padding) }

  /// One frame of a unit, its dry signal mixed in.
  private func step(
    _ kernel: inout TestKernel, _ node: Int, frame: Int, notes: [TestNote], inputs: (Int) -> Float,
    dry: ((Int) -> Float)? = nil, set: (Int, Float) -> Void
  ) {
    let wet = parameter(node, { $0.slots.wet }, inputs)
    let factor = random.units[node] == .tune ? parameter(node, { _ in 0 }, inputs) : 0
    let width = graph.inputWidths[node][0]
    let side = random.units[node] == .duck ? graph.inputWidths[node][1] : 0
    let heard = give(node, frame: frame, notes, input: inputs(0))
    let values = (0..<graph.outputCount(node)).map { channel in
      heard.reduce(
        kernel.next(
          inputs(channel), side: side > 0 ? inputs(width + min(channel, side - 1)) : 0,
          factor: factor, channel: channel, frame: frame)
      ) { $0 + $1.step }
    }
    for (channel, value) in values.enumerated() {
      guard keepsDry(node) else {
        set(channel, value)
        continue
      }
      let dry = dry?(channel) ?? inputs(channel)
      set(channel, wet == 1 ? value : wet == 0 ? dry : dry * (1 - wet) + value * wet)
    }
  }

  private func keepsDry(_ node: Int) -> Bool { graph.graph.nodes[node].keepsDry }

  /// A parameter at one frame: its value and what control signals add, within its range.
  private func parameter(
    _ node: Int, _ slot: (UnitConfiguration) -> Int, _ inputs: (Int) -> Float
  ) -> Float {
    guard case .unit(let unit) = graph.graph.nodes[node].content else { return 1 }
    let slot = slot(unit)
    let first = graph.inputCount(node) - unit.modulations.count
    var sum: Float = 0
    for (index, modulation) in unit.modulations.enumerated() where modulation.slot == slot {
      let share = min(max(inputs(first + index), -1), 1)
      let curved = modulation.curve == .square ? share * abs(share) : share
      sum += curved * Float(unit.values[modulation.depthSlot])
    }
    let range = unit.parameters[slot].spec.range
    return min(
      max(Float(unit.values[slot]) + sum, Float(range.lowerBound)), Float(range.upperBound))
  }

  /// Walks a loop frame by frame in the time at which outside signals reach it.
  private func evaluate(loop: [Int]) {
    let total = length + padding
    let connections = graph.graph.connections
    let members = Set(loop)
    var kernels: [Int: TestKernel] = [:]
    var values: [Int: [[Float]]] = [:]
    var inputs: [Int: [[Float]]] = [:]
    for node in loop {
      kernels[node] = random.units[node].map {
        TestKernel(kind: $0, latency: random.latencies[node], widths: random.unitInputs(node))
      }
      values[node] = graph.outputWidths[node].flatMap { width in
        (0..<width).map { _ in [Float](repeating: 0, count: total) }
      }
      inputs[node] = (0..<graph.inputCount(node)).map { _ in [Float](repeating: 0, count: total) }
    }
    let outside = Dictionary(
      uniqueKeysWithValues: graph.edges.filter { members.contains($0.to.node) }.map(\.from.node)
        .filter { !members.contains($0) }.map { ($0, signal($0)) }.reduce(into: [:]) {
          $0[$1.0] = $1.1
        }.map { ($0.key, $0.value) })
    for sender in loop.flatMap({ senders(to: $0) }) where !members.contains(sender.node) {
      _ = signal(sender.node)
    }
    let order = forwardOrder(loop)
    let lines = Dictionary(
      uniqueKeysWithValues: connections.indices.compactMap { index -> (Int, Int)? in
        guard let seconds = connections[index].feedbackDelay,
          members.contains(connections[index].from.node)
        else { return nil }
        let delay = Int((seconds * 48000).rounded())
        return (
          index,
          delay
            - (longest(from: connections[index].to.node, order)[connections[index].from.node] ?? 0)
        )
      })
    for frame in 0..<total {
      for node in order {
        for channel in 0..<graph.inputCount(node) {
          var sum: Float?
          for edge in graph.edges where edge.to == ChannelID(node: node, channel: channel) {
            let source = edge.from
            let term: Float
            if edge.isFeedback {
              let past = frame - (lines[edge.connection] ?? 0)
              term = past < 0 ? 0 : values[source.node]?[source.channel][past] ?? 0
            } else if members.contains(source.node) {
              term = values[source.node]?[source.channel][frame] ?? 0
            } else {
              term = outside[source.node]?[source.channel][frame] ?? 0
            }
            sum = sum.map { $0 + term * edge.gain } ?? term * edge.gain
          }
          inputs[node]?[channel][frame] = sum ?? 0
        }
        guard var kernel = kernels[node] else { continue }
        let latency = random.latencies[node]
        let notes = senders(to: node).flatMap { sender -> [TestNote] in
          let past = frame - (lines[sender.connection] ?? 0)
          return past < 0 ? [] : given[sender.node]?[past] ?? []
        }
        step(
          &kernel, node, frame: frame, notes: notes, inputs: { inputs[node]?[$0][frame] ?? 0 },
          dry: { frame < latency ? 0 : inputs[node]?[$0][frame - latency] ?? 0 }
        ) { values[node]?[$0][frame] = $1 }
        kernels[node] = kernel
      }
    }
    // Back to source time: a signal leaves a loop as late as the longest way to it.
    for node in loop {
      let late = lateness(of: node, order)
      known[node] = (values[node] ?? []).map {
        Array($0.dropFirst(late)) + [Float](repeating: 0, count: late)
      }
      if let notes = given[node] {
        given[node] = Array(notes.dropFirst(late)) + Array(empty.prefix(late))
      }
    }
  }

  private func lateness(of node: Int, _ order: [Int]) -> Int {
    order.compactMap { longest(from: $0, order)[node] }.max() ?? 0
  }

  /// The longest way in frames from a node's input to each node's output, within the loop.
  private func longest(from start: Int, _ order: [Int]) -> [Int: Int] {
    var reached = [start: random.latencies[start]]
    for node in order where node != start {
      let before = graph.graph.connections.filter {
        $0.to.node == node && $0.feedbackDelay == nil
      }.compactMap { reached[$0.from.node] }.max()
      if let before { reached[node] = before + random.latencies[node] }
    }
    return reached
  }

  private func forwardOrder(_ loop: [Int]) -> [Int] { loop.sorted() }

  private func feedsItself(_ node: Int) -> Bool {
    graph.graph.connections.contains { $0.from.node == node && $0.to.node == node }
  }

  /// The nodes that are both before and after this one.
  private func loop(around node: Int) -> [Int] {
    reach(from: node, { $0.from.node }, { $0.to.node })
      .intersection(reach(from: node, { $0.to.node }, { $0.from.node })).sorted()
  }

  private func reach(
    from node: Int, _ near: (Connection) -> Int, _ far: (Connection) -> Int
  ) -> Set<Int> {
    var seen: Set<Int> = [node]
    var open = [node]
    while let next = open.popLast() {
      for connection in graph.graph.connections where near(connection) == next {
        if seen.insert(far(connection)).inserted { open.append(far(connection)) }
      }
    }
    return seen
  }
}
