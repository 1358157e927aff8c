/// The signals into each input of a crossfade, from both graphs, each with its fade.
struct CrossfadeFeeds {
  enum Signal: Hashable {
    /// A channel of a node with a delay. `isOutgrown`: the old delay line is too short for the new
    /// plan's longest delay, so the new plan starts its own line.
    case output(ChannelID, frames: Int, isOutgrown: Bool)
    case feedback(line: Int)
  }

  struct Term {
    let signal: Signal
    let gain: Float
    var fade = RenderPlan.Term.Fade.none
  }

  /// By origin of a delay line: the longest delay in the new plan.
  let newLimits: [RenderPlan.LineOrigin: Int]
  private(set) var outgrown: Set<RenderPlan.LineOrigin> = []
  /// By node: frames from its input to the end of the chain.
  let leads: [Int]
  private let union: GraphUnion
  /// By node of either graph: whether a removed node sounds on without input, or a new one would
  /// repeat the start of its input.
  private let ringing: (old: [Bool], new: [Bool])
  private let oldLimits: [RenderPlan.LineOrigin: Int]
  private var oldTerms: [[[Feed]]]
  private var newTerms: [[[Feed]]]

  /// A term in one graph, and its source node in that graph.
  private struct Feed {
    let signal: Signal
    let gain: Float
    let from: Int
  }

  init(
    old: Crossfade.Side, new: Crossfade.Side, _ union: GraphUnion, _ feedback: CrossfadeFeedback,
    _ ringing: (old: [Bool], new: [Bool]), sampleRate: Double
  ) throws(GraphError) {
    self.union = union
    self.ringing = ringing
    let (oldEnd, newEnd) = (old.plan.end, new.plan.end)
    leads = union.oldNodes.enumerated().map { node, oldNode in
      guard node >= union.newCount, let oldNode else {
        return max(0, newEnd - new.plan.nodes[node].arrival)
      }
      return max(0, oldEnd - old.plan.nodes[oldNode].arrival)
    }
    newLimits = new.plan.lineLimits
    oldLimits = old.plan.lineLimits
    oldTerms = []
    newTerms = []
    for (origin, limit) in newLimits {
      if let known = oldOrigin(of: origin).flatMap({ oldLimits[$0] }), known < limit {
        outgrown.insert(origin)
      }
    }
    let (oldDelays, newDelays) = (
      try EdgeDelays(old, sampleRate: sampleRate), try EdgeDelays(new, sampleRate: sampleRate)
    )
    newTerms = new.graph.emptyInputs()
    for edge in new.graph.edges {
      let signal: Signal
      if edge.isFeedback {
        signal = .feedback(line: feedback.line(ofNew: edge) ?? 0)
      } else {
        signal = .output(edge.from, frames: newDelays.frames(edge), isOutgrown: false)
      }
      newTerms[edge.to.node][edge.to.channel].append(
        Feed(signal: signal, gain: edge.gain, from: edge.from.node))
    }
    oldTerms = old.graph.emptyInputs()
    for edge in old.graph.edges {
      let signal: Signal
      if edge.isFeedback {
        signal = .feedback(line: feedback.line(ofOld: edge) ?? 0)
      } else {
        let from = ChannelID(node: union.names[edge.from.node], channel: edge.from.channel)
        let frames = oldDelays.frames(edge)
        signal = .output(
          from, frames: frames, isOutgrown: frames > 0 && outgrown.contains(.output(from)))
      }
      oldTerms[edge.to.node][edge.to.channel].append(
        Feed(signal: signal, gain: edge.gain, from: edge.from.node))
    }
  }

  /// The same channel in the old plan, if that plan has a delay line for it.
  func oldOrigin(of origin: RenderPlan.LineOrigin) -> RenderPlan.LineOrigin? {
    let found: RenderPlan.LineOrigin
    switch origin {
    case .output(let channel):
      guard let node = union.oldNodes[channel.node] else { return nil }
      found = .output(ChannelID(node: node, channel: channel.channel))
    case .input(let channel):
      guard let node = union.oldNodes[channel.node] else { return nil }
      found = .input(ChannelID(node: node, channel: channel.channel))
    }
    return oldLimits[found] == nil ? nil : found
  }

  /// The terms of a node's input channel, in the new graph's order and, as far as possible, in the
  /// old graph's.
  func terms(into node: Int, channel: Int) -> [Term] {
    guard node < union.newCount else {
      guard let oldNode = union.oldNodes[node] else { return [] }
      return oldTerms[oldNode][channel].map { leaving($0, into: oldNode) }
    }
    let after = newTerms[node][channel]
    guard let oldNode = union.oldNodes[node] else {
      return after.map { coming($0, into: node) }
    }
    let before = oldTerms[oldNode][channel]
    var terms: [Term] = []
    var next = 0
    for feed in after {
      if let same = before[next...].firstIndex(where: { $0.signal == feed.signal }) {
        for index in next..<same { terms.append(leaving(before[index], into: nil)) }
        next = same + 1
        let gain = before[same].gain
        terms.append(
          Term(
            signal: feed.signal, gain: feed.gain,
            fade: gain == feed.gain ? .none : .moves(from: gain)))
      } else {
        terms.append(coming(feed, into: nil))
      }
    }
    for index in next..<before.count { terms.append(leaving(before[index], into: nil)) }
    return terms
  }

  /// A new signal, into a new node or, for nil, into a kept one.
  private func coming(_ feed: Feed, into node: Int?) -> Term {
    let fade: RenderPlan.Term.Fade
    if let node {
      fade = ringing.new[node] && !ringing.new[feed.from] ? .enters : .none
    } else {
      fade = ringing.new[feed.from] ? .opens : .enters
    }
    return Term(signal: feed.signal, gain: feed.gain, fade: fade)
  }

  /// A removed signal, into a removed node or, for nil, into a kept one.
  private func leaving(_ feed: Feed, into node: Int?) -> Term {
    let fade: RenderPlan.Term.Fade
    if let node {
      fade = ringing.old[node] && !ringing.old[feed.from] ? .leaves : .none
    } else {
      fade = ringing.old[feed.from] ? .ringsOut : .leaves
    }
    return Term(signal: feed.signal, gain: feed.gain, fade: fade)
  }
}

/// The frames by which a plan delays the signal of an edge.
struct EdgeDelays {
  private let graph: Graph
  private let components: Components
  private let latencies: Latencies
  private let entries: [Int]

  init(_ side: Crossfade.Side, sampleRate: Double) throws(GraphError) {
    graph = side.graph.graph
    components = try side.graph.components()
    let latencies = try side.graph.latencies(
      of: side.plan.nodes.map(\.latency), in: components, sampleRate: sampleRate)
    self.latencies = latencies
    entries = components.groups.map { $0.map { latencies.arrival[$0] }.min() ?? 0 }
  }

  func frames(_ edge: ResolvedGraph.Edge) -> Int {
    let group = components.groupOfNode[edge.to.node]
    let wait = graph.wait(from: edge.from.node, to: edge.to.node)
    let left = latencies.departure[edge.from.node] - wait
    guard components.isLoop[group] else { return latencies.arrival[edge.to.node] - left }
    return components.groupOfNode[edge.from.node] == group ? 0 : entries[group] - left
  }
}

extension RenderPlan {
  /// Frames until every signal has passed the whole chain.
  var end: Int { nodes.map { $0.arrival + $0.latency }.max() ?? 0 }

  /// By origin: the longest delay.
  var lineLimits: [LineOrigin: Int] {
    var limits: [LineOrigin: Int] = [:]
    for (line, origin) in lineOrigins.enumerated() {
      limits[origin] = max(limits[origin] ?? 0, movingLines[line] ?? delayLines[line])
    }
    return limits
  }
}

extension ResolvedGraph {
  fileprivate func emptyInputs<Value>() -> [[[Value]]] {
    graph.nodes.indices.map { [[Value]](repeating: [], count: inputCount($0)) }
  }
}
