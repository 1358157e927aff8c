package import FxAudio

extension ResolvedGraph {
  /// How long the graph goes on sounding after its sources have ended: the longest way of tails
  /// from a source to a sink. A loop cannot tell, nor can a way through a unit that cannot.
  ///
  /// `tails` by node; sources and sinks have none.
  package func tail(of tails: [Tail]) throws(GraphError) -> Tail {
    guard !edges.contains(where: \.isFeedback) else { return .unknown }
    var incoming = [[Int]](repeating: [], count: graph.nodes.count)
    for connection in graph.connections {
      incoming[connection.to.node].append(connection.from.node)
    }
    var until = [Tail](repeating: .none, count: graph.nodes.count)
    var longest = Tail.none
    for node in try graph.signalOrder() {
      let before = incoming[node].reduce(Tail.none) { $0.longer(until[$1]) }
      until[node] = before.followed(by: tails[node])
      if case .sink = graph.nodes[node].content { longest = longest.longer(until[node]) }
    }
    return longest
  }
}

extension Tail {
  fileprivate func longer(_ other: Tail) -> Tail {
    guard case .frames(let mine) = self, case .frames(let theirs) = other else { return .unknown }
    return .frames(max(mine, theirs))
  }

  fileprivate func followed(by other: Tail) -> Tail {
    guard case .frames(let mine) = self, case .frames(let theirs) = other else { return .unknown }
    return .frames(mine + theirs)
  }
}
