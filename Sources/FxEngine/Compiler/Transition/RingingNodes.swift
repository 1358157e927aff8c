import FxAudio

/// The removed nodes that sound on without input, and the new nodes that would repeat the start of
/// their input.
///
/// These are the nodes with a tail or in a loop, and the nodes that they feed. All others only
/// fade. So does a node without input: it would never end.
struct RingingNodes {
  /// By node of the graph.
  private(set) var rings: [Bool]
  private let graph: ResolvedGraph
  private let tails: [Tail]
  private let isInLoop: [Bool]
  private let order: [Int]
  private let incoming: [[Int]]
  /// Longer than any tail, and small enough to be added.
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
    // The content of compensating delays is added.
    return Crossfade.Ringing(
      declaredFrames: isOpen ? nil : declared + side.plan.latency, longestGap: gap)
  }
}
