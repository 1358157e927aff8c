/// The steps in order, over values: one step writes a value, which then never changes. Buffers are
/// assigned later.
///
/// A schedule is a plan whose buffer numbers are values. Value 0 is silence.
struct Schedule {
  var steps: [RenderPlan.Step] = []
  var sections: [RenderPlan.Section] = []
  var valueCount = 1
  var delayLines: [Int] = []
  var lineOrigins: [RenderPlan.LineOrigin] = []
  var feedbackLines: [RenderPlan.FeedbackLine] = []
  var eventLines: [RenderPlan.EventLine] = []
  var sources: [RenderPlan.Port] = []
  var sinks: [RenderPlan.Port] = []
  var movingLines: [Int: Int] = [:]
  var latencyLimit = 0
  var latencies: Latencies
  /// In render order: the first step of each node or loop with steps, and its nodes.
  var starts: [(step: Int, nodes: [Int])] = []
  /// By task: its sections, cut at its start; none for one thread.
  var tasks: [RenderPlan.Task] = []

  /// Steps from `start` on run together; steps over whole blocks join the section before them.
  mutating func closeSection(from start: Int, slice: Int?) {
    let steps = start..<self.steps.count
    guard !steps.isEmpty else { return }
    if slice == nil, let last = sections.last, last.slice == nil {
      sections[sections.count - 1].steps = last.steps.lowerBound..<steps.upperBound
    } else {
      sections.append(RenderPlan.Section(steps: steps, slice: slice))
    }
  }
}

/// Writes the schedule, node by node in render order.
struct Scheduler {
  let graph: ResolvedGraph
  let components: Components
  let latencies: Latencies
  let nodeLatencies: [Int]
  /// nil where no latency can change.
  let times: MovingTimes?
  private var result: Schedule
  /// The values of each node's output channels.
  private var outputs: [[Int]]
  /// Incoming edges by node, in the file's order.
  private let incoming: [[Int]]
  private var delayed: [DelayedValue: Int] = [:]
  private var feedbackLine: [FeedbackChannel: Int] = [:]
  /// The value of a feedback line's first reader; later readers share it.
  private var feedbackValue: [Int: Int] = [:]
  /// Feedback edges by their source node.
  private let leaving: [[Int]]

  /// A dry signal has its own line, even if its node's only input is an output that other nodes
  /// read with the same delay. After a change of the chain the two may differ.
  private struct DelayedValue: Hashable {
    let value: Int
    let origin: RenderPlan.LineOrigin
    let frames: Int
    /// The unknown that the frames count from, for a line that may change.
    var unknown: Int?
  }

  private struct FeedbackChannel: Hashable {
    let connection: Int
    let channel: Int
  }

  init(
    graph: ResolvedGraph, components: Components, latencies: Latencies, nodeLatencies: [Int],
    times: MovingTimes?
  ) {
    self.graph = graph
    self.components = components
    self.latencies = latencies
    self.nodeLatencies = nodeLatencies
    self.times = times
    result = Schedule(latencies: latencies)
    outputs = [[Int]](repeating: [], count: graph.graph.nodes.count)
    var incoming = [[Int]](repeating: [], count: graph.graph.nodes.count)
    var leaving = incoming
    for (index, edge) in graph.edges.enumerated() {
      incoming[edge.to.node].append(index)
      if edge.isFeedback { leaving[edge.from.node].append(index) }
    }
    self.incoming = incoming
    self.leaving = leaving
  }

  mutating func schedule() -> Schedule {
    // Sources come first: their buffers are filled before any step runs.
    for node in graph.graph.nodes.indices {
      guard case .source = graph.graph.nodes[node].content else { continue }
      outputs[node] = newValues(graph.outputCount(node))
      let layout = graph.layouts.output(node, channelCount: outputs[node].count)
      result.sources.append(
        RenderPlan.Port(node: node, buffers: outputs[node], layout: layout, latency: 0))
    }
    for group in components.groups.indices {
      let first = result.steps.count
      defer {
        if result.steps.count > first {
          result.starts.append((first, components.groups[group]))
        }
      }
      if components.isLoop[group] {
        scheduleLoop(group)
      } else if let node = components.groups[group].first {
        let start = result.steps.count
        scheduleNode(node)
        result.closeSection(from: start, slice: nil)
      }
    }
    for node in graph.graph.nodes.indices {
      guard case .sink = graph.graph.nodes[node].content else { continue }
      result.sinks.append(
        RenderPlan.Port(
          node: node, buffers: outputs[node],
          layout: graph.layouts.input(node, channelCount: outputs[node].count),
          latency: latencies.arrival[node] + graph.graph.nodes[node].lateness,
          lateness: graph.graph.nodes[node].lateness))
      result.latencyLimit = max(result.latencyLimit, times?.latest.arrival[node] ?? 0)
    }
    result.eventLines = graph.eventConnections.map {
      RenderPlan.EventLine(connection: $0, frames: graph.eventDelay($0, latencies, components))
    }
    return result
  }

  /// Signals from outside are delayed over the whole block, before the loop starts. The loop's own
  /// steps run slice by slice.
  private mutating func scheduleLoop(_ group: Int) {
    var start = result.steps.count
    let nodes = components.groups[group]
    for node in nodes {
      for index in incoming[node] where isFromOutside(graph.edges[index]) {
        _ = value(of: graph.edges[index])
      }
    }
    result.closeSection(from: start, slice: nil)
    start = result.steps.count
    var slice = Int.max
    for node in nodes {
      for index in incoming[node] where graph.edges[index].isFeedback {
        let edge = graph.edges[index]
        let frames = latencies.feedbackFrames[edge.connection] ?? 1
        slice = min(slice, frames)
        let key = FeedbackChannel(connection: edge.connection, channel: edge.from.channel)
        guard feedbackLine[key] == nil else { continue }
        feedbackLine[key] = result.feedbackLines.count
        result.feedbackLines.append(
          RenderPlan.FeedbackLine(
            connection: edge.connection, channel: edge.from.channel, frames: frames))
      }
    }
    for (index, frames) in latencies.feedbackFrames
    where graph.graph.connections[index].carriesEvents
      && components.groupOfNode[graph.graph.connections[index].to.node] == group
    {
      slice = min(slice, frames)
    }
    for node in nodes {
      scheduleNode(node)
      scheduleFeedback(from: node)
    }
    result.closeSection(from: start, slice: slice)
  }

  private mutating func scheduleFeedback(from node: Int) {
    var written = Set<Int>()
    for index in leaving[node] {
      let edge = graph.edges[index]
      let key = FeedbackChannel(connection: edge.connection, channel: edge.from.channel)
      guard let line = feedbackLine[key], written.insert(line).inserted else { continue }
      result.steps.append(.feedbackWrite(line: line, input: outputs[node][edge.from.channel]))
    }
  }

  private mutating func scheduleNode(_ node: Int) {
    switch graph.graph.nodes[node].content {
    case .source:
      return
    case .sink:
      outputs[node] = inputValues(of: node)
    case .unit:
      let inputs = inputValues(of: node)
      let wet = newValues(graph.outputCount(node))
      result.steps.append(.run(node: node, inputs: inputs, outputs: wet))
      outputs[node] = wet
      guard graph.graph.nodes[node].keepsDry else { return }
      let width = graph.inputWidths[node].first ?? 0
      let main = graph.outputWidths[node].first ?? 0
      let sound = Array(wet.prefix(graph.soundOutputCount(node)))
      let dry = sound.indices.map { channel -> Int in
        // Mono is the dry signal of every channel. Only the first buses have a dry signal.
        let source = width == 1 ? 0 : channel
        return source < width && channel < main
          ? drySignal(inputs[source], of: ChannelID(node: node, channel: source)) : 0
      }
      let mixed = newValues(sound.count)
      result.steps.append(.blend(node: node, dry: dry, wet: sound, outputs: mixed))
      outputs[node] = mixed + wet.dropFirst(sound.count)
    }
  }

  /// One value for each input channel: the sum of its connections.
  private mutating func inputValues(of node: Int) -> [Int] {
    var terms = [[RenderPlan.Term]](repeating: [], count: graph.inputCount(node))
    for index in incoming[node] {
      let edge = graph.edges[index]
      terms[edge.to.channel].append(RenderPlan.Term(input: value(of: edge), gain: edge.gain))
    }
    return terms.map { terms in
      guard let first = terms.first else { return 0 }
      if terms.count == 1 && first.gain == 1 { return first.input }
      let output = newValue()
      result.steps.append(.sum(terms, output: output))
      return output
    }
  }

  /// The value of an edge, delayed to match the other signals that meet there.
  private mutating func value(of edge: ResolvedGraph.Edge) -> Int {
    if edge.isFeedback {
      let key = FeedbackChannel(connection: edge.connection, channel: edge.from.channel)
      let line = feedbackLine[key] ?? 0
      if let known = feedbackValue[line] { return known }
      let output = newValue()
      result.steps.append(.feedbackRead(line: line, output: output))
      feedbackValue[line] = output
      return output
    }
    let source = outputs[edge.from.node][edge.from.channel]
    let inLoop = components.isLoop[components.groupOfNode[edge.to.node]]
    if inLoop && !isFromOutside(edge) { return source }
    let wait = graph.graph.wait(from: edge.from.node, to: edge.to.node)
    let frames = meeting(of: edge, latencies) - latencies.departure[edge.from.node] + wait
    if let times {
      let end =
        inLoop
        ? times.entry[components.groupOfNode[edge.to.node]] : times.arrival[edge.to.node]
      if times.moves(from: times.departure[edge.from.node], to: end) {
        let most =
          meeting(of: edge, times.latest) - times.earliest.departure[edge.from.node] + wait
        return delay(source, .output(edge.from), by: frames, atMost: most, until: end)
      }
    }
    return delay(source, .output(edge.from), by: frames)
  }

  /// When the signal of an edge meets the others; in a loop, those from outside.
  private func meeting(of edge: ResolvedGraph.Edge, _ latencies: Latencies) -> Int {
    let group = components.groupOfNode[edge.to.node]
    guard components.isLoop[group] else { return latencies.arrival[edge.to.node] }
    return components.groups[group].map { latencies.arrival[$0] }.min() ?? 0
  }

  /// A node's input, delayed by the node's latency.
  private mutating func drySignal(_ input: Int, of channel: ChannelID) -> Int {
    let frames = nodeLatencies[channel.node]
    guard let times, let limit = times.limits[channel.node] else {
      return delay(input, .input(channel), by: frames)
    }
    let end = times.departure[channel.node]
    return delay(input, .input(channel), by: frames, atMost: limit, until: end)
  }

  private func isFromOutside(_ edge: ResolvedGraph.Edge) -> Bool {
    components.groupOfNode[edge.from.node] != components.groupOfNode[edge.to.node]
  }

  /// The delayed value. One line serves equal delays of the same value.
  private mutating func delay(
    _ value: Int, _ origin: RenderPlan.LineOrigin, by frames: Int
  ) -> Int {
    guard frames > 0, value != 0 else { return value }
    let key = DelayedValue(value: value, origin: origin, frames: frames)
    if let known = delayed[key] { return known }
    let output = newValue()
    result.steps.append(.delay(line: result.delayLines.count, input: value, output: output))
    result.delayLines.append(frames)
    result.lineOrigins.append(origin)
    delayed[key] = output
    return output
  }

  /// The value with a delay that may change; the line exists even while the delay is 0.
  private mutating func delay(
    _ value: Int, _ origin: RenderPlan.LineOrigin, by frames: Int, atMost most: Int,
    until end: MovingTimes.Moment
  ) -> Int {
    guard value != 0 else { return value }
    let key = DelayedValue(
      value: value, origin: origin, frames: end.frames, unknown: end.unknown)
    if let known = delayed[key] { return known }
    let output = newValue()
    result.steps.append(.delay(line: result.delayLines.count, input: value, output: output))
    result.movingLines[result.delayLines.count] = max(most, frames)
    result.delayLines.append(frames)
    result.lineOrigins.append(origin)
    delayed[key] = output
    return output
  }

  private mutating func newValue() -> Int {
    defer { result.valueCount += 1 }
    return result.valueCount
  }

  private mutating func newValues(_ count: Int) -> [Int] {
    (0..<count).map { _ in newValue() }
  }
}
