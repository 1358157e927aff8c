/// Writes the schedule that runs two graphs at once.
struct CrossfadeScheduler {
  private let old: Crossfade.Side
  private let new: Crossfade.Side
  private let union: GraphUnion
  private let components: Components
  private let feeds: CrossfadeFeeds
  let feedback: CrossfadeFeedback
  let events: CrossfadeEvents
  /// By node.
  let nodeLatencies: [Int]
  /// By delay line: the origin of the old plan's line that it continues.
  private(set) var inherited: [RenderPlan.LineOrigin?] = []
  private var result: Schedule
  /// The values of each node's output channels.
  private var outputs: [[Int]]
  private var delayed: [DelayedValue: Int] = [:]
  private var feedbackValue: [Int: Int] = [:]

  private struct DelayedValue: Hashable {
    let origin: RenderPlan.LineOrigin
    let frames: Int
    let isOutgrown: Bool
  }

  init(
    old: Crossfade.Side, new: Crossfade.Side, _ change: GraphChange, _ union: GraphUnion,
    _ ringing: (old: [Bool], new: [Bool]), sampleRate: Double
  ) throws(GraphError) {
    self.old = old
    self.new = new
    self.union = union
    components = try ResolvedGraph(
      graph: union.graph, inputWidths: [], outputWidths: [], edges: [], layouts: GraphLayouts()
    ).components()
    feedback = try CrossfadeFeedback(old: old, new: new, change)
    feeds = try CrossfadeFeeds(
      old: old, new: new, union, feedback, ringing, sampleRate: sampleRate)
    var latencies = new.plan.nodes.map(\.latency)
    var arrivals = new.plan.nodes.map(\.arrival)
    for (node, oldNode) in union.oldNodes.enumerated() {
      guard let oldNode else { continue }
      let summary = old.plan.nodes[oldNode]
      if node < union.newCount {
        arrivals[node] = summary.arrival
      } else {
        latencies.append(summary.latency)
        arrivals.append(summary.arrival)
      }
    }
    nodeLatencies = latencies
    result = Schedule(
      latencies: Latencies(
        arrival: arrivals, departure: zip(arrivals, latencies).map { $0 + $1 }, feedbackFrames: [:])
    )
    result.feedbackLines = feedback.lines
    events = CrossfadeEvents(old: old, new: new, union, result.latencies)
    result.eventLines = events.lines
    outputs = [[Int]](repeating: [], count: union.graph.nodes.count)
  }

  mutating func schedule() -> Schedule {
    for node in union.graph.nodes.indices where union.graph.nodes[node].isSource {
      outputs[node] = newValues(union.outputWidths[node].reduce(0, +))
      result.sources.append(RenderPlan.Port(node: node, buffers: outputs[node], latency: 0))
    }
    for group in components.groups.indices {
      var start = result.steps.count
      let (first, nodes) = (start, components.groups[group])
      defer { if result.steps.count > first { result.starts.append((first, nodes)) } }
      if components.isLoop[group] {
        for node in nodes { fetchFromOutside(node) }
        result.closeSection(from: start, slice: nil)
        start = result.steps.count
        for node in nodes {
          scheduleNode(node)
          for line in feedback.leaving[node] ?? [] {
            let channel = result.feedbackLines[line].channel
            result.steps.append(.feedbackWrite(line: line, input: outputs[node][channel]))
          }
        }
        result.closeSection(from: start, slice: feedback.slice(of: nodes))
      } else {
        for node in nodes { scheduleNode(node) }
        result.closeSection(from: start, slice: nil)
      }
    }
    let start = result.steps.count
    fillNewLines()
    result.closeSection(from: start, slice: nil)
    for (node, content) in union.graph.nodes.enumerated() where content.isSink {
      result.sinks.append(
        RenderPlan.Port(
          node: node, buffers: outputs[node],
          latency: result.latencies.arrival[node] + union.graph.nodes[node].lateness,
          lateness: union.graph.nodes[node].lateness))
    }
    return result
  }

  /// Signals from outside are delayed before a loop starts, over the whole block.
  private mutating func fetchFromOutside(_ node: Int) {
    for channel in 0..<union.inputWidths[node].reduce(0, +) {
      for term in feeds.terms(into: node, channel: channel) {
        guard case .output(let from, _, _) = term.signal,
          components.groupOfNode[from.node] != components.groupOfNode[node]
        else { continue }
        _ = value(of: term.signal)
      }
    }
  }

  private mutating func scheduleNode(_ node: Int) {
    let content = union.graph.nodes[node]
    if content.isSource { return }
    let inputs = inputValues(of: node)
    if content.isSink {
      outputs[node] = inputs
      return
    }
    let wet = newValues(union.outputWidths[node].reduce(0, +))
    result.steps.append(.run(node: node, inputs: inputs, outputs: wet))
    outputs[node] = wet
    guard content.keepsDry else { return }
    let width = union.inputWidths[node].first ?? 0
    let main = union.outputWidths[node].first ?? 0
    let sound = Array(wet.prefix(content.soundOutputCount(union.outputWidths[node])))
    let dry = sound.indices.map { channel -> Int in
      let source = width == 1 ? 0 : channel
      guard source < width, channel < main else { return 0 }
      return drySignal(inputs[source], of: ChannelID(node: node, channel: source))
    }
    let mixed = newValues(sound.count)
    result.steps.append(.blend(node: node, dry: dry, wet: sound, outputs: mixed))
    outputs[node] = mixed + wet.dropFirst(sound.count)
  }

  private mutating func inputValues(of node: Int) -> [Int] {
    (0..<union.inputWidths[node].reduce(0, +)).map { channel in
      let terms = feeds.terms(into: node, channel: channel)
      guard let first = terms.first else { return 0 }
      if terms.count == 1, first.gain == 1, first.fade == .none { return value(of: first.signal) }
      let sum = terms.map {
        RenderPlan.Term(
          input: value(of: $0.signal), gain: $0.gain, fade: $0.fade, lead: feeds.leads[node])
      }
      let output = newValue()
      result.steps.append(.sum(sum, output: output))
      return output
    }
  }

  private mutating func value(of signal: CrossfadeFeeds.Signal) -> Int {
    switch signal {
    case .feedback(let line):
      if let known = feedbackValue[line] { return known }
      let output = newValue()
      result.steps.append(.feedbackRead(line: line, output: output))
      feedbackValue[line] = output
      return output
    case .output(let from, let frames, let isOutgrown):
      let value = outputs[from.node][from.channel]
      guard frames > 0 else { return value }
      return delay(value, .output(from), by: frames, isOutgrown: isOutgrown)
    }
  }

  /// A node's input, delayed by the node's latency.
  private mutating func drySignal(_ input: Int, of channel: ChannelID) -> Int {
    let frames = nodeLatencies[channel.node]
    let origin = RenderPlan.LineOrigin.input(channel)
    let isNeeded = channel.node < union.newCount && feeds.newLimits[origin] != nil
    guard frames > 0 || isNeeded else { return input }
    return delay(input, origin, by: frames, isOutgrown: false)
  }

  private mutating func delay(
    _ value: Int, _ origin: RenderPlan.LineOrigin, by frames: Int, isOutgrown: Bool
  ) -> Int {
    guard value != 0 else { return 0 }
    let key = DelayedValue(origin: origin, frames: frames, isOutgrown: isOutgrown)
    if let known = delayed[key] { return known }
    let output = newValue()
    let line = result.delayLines.count
    result.steps.append(.delay(line: line, input: value, output: output))
    result.delayLines.append(frames)
    result.lineOrigins.append(origin)
    let oldOrigin = feeds.oldOrigin(of: origin)
    let goesOn = oldOrigin != nil && (isOutgrown || !feeds.outgrown.contains(origin))
    inherited.append(goesOn ? oldOrigin : nil)
    if !goesOn, let limit = feeds.newLimits[origin], limit > frames || frames == 0 {
      result.movingLines[line] = limit
    } else if frames == 0 {
      result.movingLines[line] = 0
    }
    delayed[key] = output
    return output
  }

  /// The new plan may have lines for latencies that are still 0. They must be full when it starts.
  private mutating func fillNewLines() {
    var covered = Set<RenderPlan.LineOrigin>()
    for key in delayed.keys where !key.isOutgrown { covered.insert(key.origin) }
    for origin in new.plan.lineOrigins where covered.insert(origin).inserted {
      guard case .output(let from) = origin else { continue }
      _ = delay(outputs[from.node][from.channel], origin, by: 0, isOutgrown: false)
    }
  }

  private mutating func newValue() -> Int {
    defer { result.valueCount += 1 }
    return result.valueCount
  }

  private mutating func newValues(_ count: Int) -> [Int] {
    (0..<count).map { _ in newValue() }
  }
}
