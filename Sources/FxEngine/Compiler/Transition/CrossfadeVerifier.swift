/// Checks that a crossfade is the old graph before its fade and the new graph after it.
///
/// It checks the plan for each graph in turn. A sum then has the terms of that graph. Nodes that
/// only the other graph has are strangers: the content of their buffers is unknown. The plan
/// verifier compares the rest with the graph, including delays and order. So it also finds a
/// stranger that overwrites a buffer before another node reads it.
struct CrossfadeVerifier {
  private let old: Crossfade.Side
  private let new: Crossfade.Side
  private let union: GraphUnion
  private let sampleRate: Double

  init(old: Crossfade.Side, new: Crossfade.Side, _ union: GraphUnion, sampleRate: Double) {
    self.old = old
    self.new = new
    self.union = union
    self.sampleRate = sampleRate
  }

  package init(
    old: Crossfade.Side, new: Crossfade.Side, _ change: GraphChange, sampleRate: Double
  ) {
    self.init(
      old: old, new: new, GraphUnion(old: old.graph, new: new.graph, change),
      sampleRate: sampleRate)
  }

  func verify(_ plan: RenderPlan) throws(GraphError) {
    try verify(plan, against: old, isNew: false)
    try verify(plan, against: new, isNew: true)
  }

  private func verify(
    _ plan: RenderPlan, against side: Crossfade.Side, isNew: Bool
  ) throws(GraphError) {
    let name: (Int) -> Int = { [union] node in
      isNew ? (node < union.newCount ? node : -1) : union.oldNodes[node] ?? -1
    }
    try RenderPlanVerifier(
      graph: side.graph, nodeLatencies: side.plan.nodes.map(\.latency), sampleRate: sampleRate
    ).verify(view(of: plan, side, isNew: isNew, name), hasStrangers: true)
  }

  private func view(
    of plan: RenderPlan, _ side: Crossfade.Side, isNew: Bool, _ name: (Int) -> Int
  ) -> RenderPlan {
    var view = plan
    view.nodes = side.plan.nodes
    view.steps = plan.steps.map { step in
      switch step {
      case .sum(let terms, let output):
        return .sum(terms.compactMap { self.term($0, isNew: isNew) }, output: output)
      case .run(let node, let inputs, let outputs):
        return .run(node: name(node), inputs: inputs, outputs: outputs)
      case .blend(let node, let dry, let wet, let outputs):
        return .blend(node: name(node), dry: dry, wet: wet, outputs: outputs)
      case .delay, .feedbackRead, .feedbackWrite: return step
      }
    }
    view.sources = plan.sources.map { port in
      RenderPlan.Port(node: name(port.node), buffers: port.buffers, latency: 0)
    }
    view.sinks = plan.sinks.map { port in
      let node = name(port.node)
      let sink = side.plan.sinks.first { $0.node == node }
      return RenderPlan.Port(
        node: node, buffers: port.buffers, latency: sink?.latency ?? -1,
        lateness: sink?.lateness ?? 0)
    }
    view.eventLines = side.plan.eventLines
    for line in view.feedbackLines.indices { view.feedbackLines[line].connection = -1 }
    let feedback = isNew ? side.plan.feedbackLines.indices.map { $0 } : oldLines(plan, side)
    for (index, line) in feedback.enumerated() where view.feedbackLines.indices.contains(line) {
      view.feedbackLines[line].connection = side.plan.feedbackLines[index].connection
    }
    return view
  }

  /// By line of the old plan: the crossfade's line.
  private func oldLines(_ plan: RenderPlan, _ side: Crossfade.Side) -> [Int] {
    let names = union.names
    var open: [Int: [Int]] = [:]
    for (index, line) in plan.feedbackLines.enumerated().reversed() {
      let from = union.graph.connections[line.connection].from.node
      open[from, default: []].append(index)
    }
    return side.plan.feedbackLines.map { line in
      let from = names[side.graph.graph.connections[line.connection].from.node]
      let found = (open[from] ?? []).lastIndex {
        let other = plan.feedbackLines[$0]
        return other.channel == line.channel && other.frames == line.frames
          && names[side.graph.graph.connections[line.connection].to.node]
            == union.graph.connections[other.connection].to.node
      }
      guard let found, let index = open[from]?.remove(at: found) else { return -1 }
      return index
    }
  }

  private func term(_ term: RenderPlan.Term, isNew: Bool) -> RenderPlan.Term? {
    var (gain, isThere) = (term.gain, true)
    switch term.fade {
    case .none: break
    case .enters, .opens: isThere = isNew
    case .leaves, .ringsOut: isThere = !isNew
    case .moves(let before): gain = isNew ? gain : before
    }
    return isThere ? RenderPlan.Term(input: term.input, gain: gain) : nil
  }
}
