/// When signals come and go where latencies may change while a plan runs: which delays stay as they
/// are whatever happens, and how long the others can become.
///
/// A moment is so many frames behind an unknown; unknown 0 is the source's first frame. A unit whose
/// latency moves leaves at an unknown of its own, and so do signals meet of which neither is sure to
/// be the later one. Two moments behind the same unknown are always equally far apart.
struct MovingTimes {
  struct Moment: Hashable {
    var unknown = 0
    var frames = 0
  }

  /// The largest latency of each node that moves.
  let limits: [Int: Int]
  private(set) var arrival: [Moment]
  private(set) var departure: [Moment]
  /// Where signals from outside meet at a loop, by component.
  private(set) var entry: [Moment]
  /// Every latency that moves at its largest and at 0.
  let latest: Latencies
  let earliest: Latencies
  /// A moment that each unknown is never before; that of unknown 0 is itself.
  private var floors = [Moment()]
  private var meetings: [Set<Moment>: Moment] = [:]

  init(
    _ graph: ResolvedGraph, _ nodeLatencies: [Int], limits: [Int: Int], in components: Components
  ) {
    self.limits = limits
    var (longest, shortest) = (nodeLatencies, nodeLatencies)
    for (node, limit) in limits { (longest[node], shortest[node]) = (limit, 0) }
    latest = graph.times(of: longest, in: components)
    earliest = graph.times(of: shortest, in: components)
    arrival = [Moment](repeating: Moment(), count: graph.graph.nodes.count)
    departure = arrival
    entry = [Moment](repeating: Moment(), count: components.groups.count)
    resolve(graph, nodeLatencies, components)
  }

  /// True when the way from one moment to the other may change.
  func moves(from start: Moment, to end: Moment) -> Bool { start.unknown != end.unknown }

  private mutating func resolve(
    _ graph: ResolvedGraph, _ nodeLatencies: [Int], _ components: Components
  ) {
    let incoming = graph.forwardSources
    for (group, nodes) in components.groups.enumerated() {
      entry[group] = later(
        nodes.flatMap { node in
          incoming[node].filter { components.groupOfNode[$0] != group }
            .map { departed(from: $0, to: node, graph) }
        })
      for node in nodes {
        let inside = incoming[node].filter { components.groupOfNode[$0] == group }
        arrival[node] = later(
          inside.map { departed(from: $0, to: node, graph) } + [entry[group]])
        departure[node] = arrival[node]
        if limits[node] == nil {
          departure[node].frames += nodeLatencies[node]
        } else {
          departure[node] = unknown(notBefore: arrival[node])
        }
      }
    }
    let aligned = graph.alignedSinks
    let end = later(aligned.map { arrival[$0] })
    for node in aligned { (arrival[node], departure[node]) = (end, end) }
  }

  /// When a node's output would have left if it had not to wait for what is recorded.
  private func departed(from: Int, to: Int, _ graph: ResolvedGraph) -> Moment {
    var moment = departure[from]
    moment.frames -= graph.graph.wait(from: from, to: to)
    return moment
  }

  /// The later of several moments; one of them where it is sure which.
  private mutating func later(_ moments: [Moment]) -> Moment {
    var open: [Moment] = []
    for moment in moments where !open.contains(where: { isNever(moment, after: $0) }) {
      open.removeAll { isNever($0, after: moment) }
      open.append(moment)
    }
    guard let first = open.first else { return Moment() }
    guard open.count > 1 else { return first }
    if let known = meetings[Set(open)] { return known }
    let meeting = unknown(notBefore: first)
    meetings[Set(open)] = meeting
    return meeting
  }

  private func isNever(_ moment: Moment, after other: Moment) -> Bool {
    var floor = other
    while floor.unknown > moment.unknown {
      let below = floors[floor.unknown]
      floor = Moment(unknown: below.unknown, frames: below.frames + floor.frames)
    }
    return floor.unknown == moment.unknown && moment.frames <= floor.frames
  }

  private mutating func unknown(notBefore floor: Moment) -> Moment {
    floors.append(floor)
    return Moment(unknown: floors.count - 1)
  }
}

extension ResolvedGraph {
  /// The nodes that feed each node, feedback left out.
  fileprivate var forwardSources: [[Int]] {
    var sources = [[Int]](repeating: [], count: graph.nodes.count)
    for connection in graph.connections where connection.feedbackDelay == nil {
      sources[connection.to.node].append(connection.from.node)
    }
    return sources
  }
}
