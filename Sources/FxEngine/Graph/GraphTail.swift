package import FxAudio

/// How long a graph sounds on after its sources have ended.
package struct GraphTail: Sendable, Equatable {
  /// The longest sum of declared tails on a path from a source to a sink, in frames.
  package var declaredFrames: Int
  /// A unit on a path has an unknown tail, or there is a loop: the tail may be longer than
  /// declared.
  package var isOpenEnded: Bool
  /// The longest delay of a loop, in seconds: the longest silence before it may sound again.
  package var longestLoop: Double

  package init(declaredFrames: Int = 0, isOpenEnded: Bool = false, longestLoop: Double = 0) {
    self.declaredFrames = declaredFrames
    self.isOpenEnded = isOpenEnded
    self.longestLoop = longestLoop
  }
}

extension ResolvedGraph {
  /// The graph's tail, from the tails of its nodes; sources and sinks have none.
  package func tail(of tails: [Tail]) throws(GraphError) -> GraphTail {
    var incoming = [[Int]](repeating: [], count: graph.nodes.count)
    var result = GraphTail()
    for connection in graph.connections {
      if let delay = connection.feedbackDelay {
        result.isOpenEnded = true
        result.longestLoop = max(result.longestLoop, delay)
      } else {
        incoming[connection.to.node].append(connection.from.node)
      }
    }
    var until = [Int](repeating: 0, count: graph.nodes.count)
    var isOpen = [Bool](repeating: false, count: graph.nodes.count)
    for node in try graph.signalOrder() {
      for before in incoming[node] {
        until[node] = max(until[node], until[before])
        isOpen[node] = isOpen[node] || isOpen[before]
      }
      switch tails[node] {
      case .frames(let count): until[node] += count
      case .unknown: isOpen[node] = true
      }
      if case .sink = graph.nodes[node].content {
        result.declaredFrames = max(result.declaredFrames, until[node])
        result.isOpenEnded = result.isOpenEnded || isOpen[node]
      }
    }
    return result
  }
}
