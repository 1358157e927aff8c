import FxAudio
package import FxEngine
package import FxKit

extension NodeFingerprints {
  /// The fingerprints of a render, with the names of its chain, all at the coarsest resolution.
  package init(_ fingerprints: [RenderFingerprint], _ compiled: CompiledChain) {
    let graph = compiled.resolved.graph
    let sides = fingerprints.flatMap { [$0.input, $0.output].compactMap { $0 } }
    let window = sides.map(\.windowFrameCount).max() ?? 1
    self.init(
      windowFrameCount: window,
      nodes: fingerprints.map { fingerprint in
        let heard = graph.connections.filter { $0.to.node == fingerprint.node }.map(\.from.node)
        var sources: [String] = []
        for node in heard where !sources.contains(graph.nodes[node].id) {
          sources.append(graph.nodes[node].id)
        }
        let node = graph.nodes[fingerprint.node]
        var made = NodeFingerprint(
          id: node.id, unit: Self.kind(of: node), sources: sources,
          input: fingerprint.input.map { NodeFingerprint.Side($0, window: window) },
          output: fingerprint.output.map { NodeFingerprint.Side($0, window: window) })
        made.delays = Self.delays(to: fingerprint.node, compiled)
        return made
      })
    frameCount = sides.map(\.frameCount).max()
  }

  /// The shortest delay in frames from each source that the node receives only through loops.
  private static func delays(to node: Int, _ compiled: CompiledChain) -> [String: Int] {
    let graph = compiled.resolved.graph
    let heard = graph.connections.filter { $0.to.node == node }
    var delays: [String: Int] = [:]
    for connection in heard {
      guard let delay = connection.feedbackDelay,
        !heard.contains(where: { $0.from.node == connection.from.node && $0.feedbackDelay == nil })
      else { continue }
      let frames = max(0, min(delay * compiled.sampleRate, Double(longestDelay)))
      let id = graph.nodes[connection.from.node].id
      delays[id] = min(delays[id] ?? .max, Int(frames))
    }
    return delays
  }

  private static func kind(of node: Graph.Node) -> String {
    switch node.content {
    case .source: "source"
    case .sink: "sink"
    case .unit(let unit):
      switch unit.kind {
      case .builtIn(let name, _): name
      case .lv2(let uri): uri
      }
    }
  }
}

extension NodeFingerprint.Side {
  package init(_ side: RenderFingerprint.Side, window: Int) {
    self.init(
      channelCount: side.channelCount,
      windows: Self.coarser(side.windows, from: side.windowFrameCount, to: window),
      peak: Double(side.peak), rms: side.rms)
  }

  /// The hashes of windows that are a power of two longer; an incomplete last window is dropped.
  static func coarser(_ windows: [UInt32], from short: Int, to long: Int) -> [UInt32] {
    var (windows, length) = (windows, max(short, 1))
    while length < long {
      windows = (0..<windows.count / 2).map {
        WindowDigest.joined(windows[2 * $0], windows[2 * $0 + 1])
      }
      length *= 2
    }
    return windows
  }
}
