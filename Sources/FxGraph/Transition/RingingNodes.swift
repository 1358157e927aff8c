import FxAudio

/// Which of the nodes that go sound on without their input, and which of those that come would go on
/// to repeat how their input began.
///
/// A node does that has a tail or is in a loop, and so does whatever else it feeds on its way. What
/// feeds no tail just fades; so does a node that hears nothing: it would never end.
struct RingingNodes {
  /// By node of the graph.
  private(set) var rings: [Bool]
  private let graph: ResolvedGraph
  private let tails: [Tail]
  private let isInLoop: [Bool]
  private let order: [Int]
  private let incoming: [[Int]]
  /// Frames enough for any tail, and few enough to be added.
  private static let longestTail = 1 << 40

  init(_ graph: ResolvedGraph, _ nodes: Set<Int>, _ tails: [Tail]) {
    self.graph = graph
    self.tails = tails
    let count = graph.graph.nodes.count
    let loops = (try? graph.nodesInLoops()) ?? []
    isInLoop = (0..<count).map(loops.contains)
    order = (try? graph.graph.signalOrder()) ?? []
    var incoming = [[Int]](repeating: [], count: count)
    for connection in graph.graph.connections {
      incoming[connection.to.node].append(connection.from.node)
    }
    self.incoming = incoming
    rings = [Bool](repeating: false, count: count)
    guard !nodes.isEmpty else { return }
    for node in order where nodes.contains(node) && !incoming[node].isEmpty {
      rings[node] =
        isInLoop[node] || tails[node] != .none || incoming[node].contains { rings[$0] }
    }
  }

  func ringing(_ side: Crossfade.Side, sampleRate: Double) -> Crossfade.Ringing? {
    guard rings.contains(true) else { return nil }
    var (declared, isOpen, gap) = (0, false, 0)
    var until = [Int](repeating: 0, count: rings.count)
    for node in order where rings[node] {
      for before in incoming[node] { until[node] = max(until[node], until[before]) }
      until[node] += side.plan.nodes[node].latency
      switch tails[node] {
      case .frames(let count):
        until[node] += min(count, Self.longestTail)
        gap = max(gap, min(count, Self.longestTail))
      case .unknown: isOpen = true
      }
      isOpen = isOpen || isInLoop[node]
      declared = max(declared, until[node])
    }
    if isOpen { gap = max(gap, Int((2 * sampleRate).rounded())) }
    for connection in graph.graph.connections where rings[connection.from.node] {
      gap += Int(((connection.feedbackDelay ?? 0) * sampleRate).rounded())
    }
    // What waits in compensating delays comes on top.
    return Crossfade.Ringing(
      declaredFrames: isOpen ? nil : declared + side.plan.latency, longestGap: gap)
  }
}
