/// What a performance records comes later than what it plays beside it: whoever sings hears the
/// playing end's buffer, and what is sung passes the recording end's.
///
/// Files take the difference out: in front of them, what is played waits for what is recorded. What
/// is heard never waits. A node that leads to what is heard mixes both as they come, and so does
/// whatever it leads to.
package struct RecordingLatency: Sendable {
  /// Frames of the round trip.
  package var frames: Int
  package var isRecorded: @Sendable (SourceEndpoint) -> Bool
  /// The sink that is heard.
  package var heard: SinkEndpoint

  package init(
    frames: Int, heard: SinkEndpoint, isRecorded: @escaping @Sendable (SourceEndpoint) -> Bool
  ) {
    self.frames = frames
    self.heard = heard
    self.isRecorded = isRecorded
  }
}

extension Graph {
  /// Gives every node that carries what is recorded its lateness. Returns the sinks that mix it with
  /// what is played as it is heard, with the round trip in it. Where all is recorded, nothing is late.
  package mutating func setLateness(_ recording: RecordingLatency) -> [Int] {
    let (forward, backward) = neighbours
    let sources = nodes.indices.filter { nodes[$0].sourceEndpoint != nil }
    let recorded = sources.filter { nodes[$0].sourceEndpoint.map(recording.isRecorded) ?? false }
    guard sources.count > recorded.count else { return [] }
    let hasRecorded = reached(from: recorded, by: forward)
    let hasOthers = reached(from: sources.filter { !recorded.contains($0) }, by: forward)
    let isHeard = reached(
      from: nodes.indices.filter { nodes[$0].sinkEndpoint == recording.heard }, by: backward)
    let isMixed = reached(
      from: nodes.indices.filter { hasRecorded[$0] && hasOthers[$0] && isHeard[$0] }, by: forward)
    var asHeard: [Int] = []
    for node in nodes.indices where hasRecorded[node] {
      if let sink = nodes[node].sinkEndpoint, sink == recording.heard || sink.nature == .discarded {
        continue
      }
      if case .sink(_, isAligned: false) = nodes[node].content { continue }
      if !isMixed[node] {
        nodes[node].lateness = recording.frames
      } else if nodes[node].sinkEndpoint != nil {
        asHeard.append(node)
      }
    }
    return asHeard
  }

  /// Frames that a signal waits on the way from one node to another for what is recorded.
  func wait(from: Int, to: Int) -> Int {
    max(0, nodes[to].lateness - nodes[from].lateness)
  }

  private var neighbours: (forward: [[Int]], backward: [[Int]]) {
    var (forward, backward) = (
      [[Int]](repeating: [], count: nodes.count), [[Int]](repeating: [], count: nodes.count)
    )
    for connection in connections {
      forward[connection.from.node].append(connection.to.node)
      backward[connection.to.node].append(connection.from.node)
    }
    return (forward, backward)
  }

  private func reached(from start: [Int], by neighbours: [[Int]]) -> [Bool] {
    var reached = [Bool](repeating: false, count: nodes.count)
    var open = start
    while let node = open.popLast() {
      guard !reached[node] else { continue }
      reached[node] = true
      open += neighbours[node]
    }
    return reached
  }
}

extension Node {
  package var sourceEndpoint: SourceEndpoint? {
    if case .source(let endpoint) = content { endpoint } else { nil }
  }

  package var sinkEndpoint: SinkEndpoint? {
    if case .sink(let endpoint, _) = content { endpoint } else { nil }
  }
}
