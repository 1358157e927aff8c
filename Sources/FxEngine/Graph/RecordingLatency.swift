package import FxAudio

/// In a performance, recorded sound is later than sound played at the same time: the singer hears
/// it after the playback buffer, and the voice then passes the recording buffer.
///
/// Files remove the difference: before a file, played sound is delayed to meet recorded sound. The
/// sound that performers hear is never delayed. A node that feeds it mixes played and recorded
/// sound without a delay, and so do all nodes after that node.
package struct RecordingLatency: Sendable {
  /// Frames of the round trip.
  package var frames: Int
  package var isRecorded: @Sendable (SourceEndpoint) -> Bool
  /// The sink that performers hear.
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
  /// Sets the lateness of every node that carries recorded sound. Returns the sinks whose mix still
  /// contains the round trip, because it is mixed for the heard output. If all sources are
  /// recorded, no node has a lateness.
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

  /// Frames of delay between two nodes so that played sound meets recorded sound.
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

extension Graph.Node {
  var sourceEndpoint: SourceEndpoint? {
    if case .source(let endpoint) = content { endpoint } else { nil }
  }

  package var sinkEndpoint: SinkEndpoint? {
    if case .sink(let endpoint, _) = content { endpoint } else { nil }
  }
}
