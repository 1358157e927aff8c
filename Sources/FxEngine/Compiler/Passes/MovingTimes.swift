/// The times of signals when latencies may change while a plan runs: which delays never change, and
/// how long the others can become.
///
/// A moment is a number of frames after an unknown time; unknown 0 is the source's first frame. The
/// output of a unit with a changing latency has its own unknown. So has the meeting of several
/// signals if it is uncertain which of them is the latest. Two moments after the same unknown always
/// have the same distance.
struct MovingTimes {
  struct Moment: Hashable {
    var unknown = 0
    var frames = 0
  }

  /// The largest latency of each node whose latency may change.
  let limits: [Int: Int]
  private(set) var arrival: [Moment]
  private(set) var departure: [Moment]
  /// By component: where signals from outside meet at a loop.
  private(set) var entry: [Moment]
  /// Latencies with every changing latency at its largest, and at 0.
  let latest: Latencies
  let earliest: Latencies
  /// A lower bound of each unknown; unknown 0 is its own.
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

  /// True when the distance of two moments may change.
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

  /// When a node's output would leave without the delay that lets it meet recorded sound.
  private func departed(from: Int, to: Int, _ graph: ResolvedGraph) -> Moment {
    var moment = departure[from]
    moment.frames -= graph.graph.wait(from: from, to: to)
    return moment
  }

  /// The latest of several moments; an unknown of their own if it is uncertain which one that is.
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
  /// The nodes that feed each node, without feedback.
  fileprivate var forwardSources: [[Int]] {
    var sources = [[Int]](repeating: [], count: graph.nodes.count)
    for connection in graph.connections where connection.feedbackDelay == nil {
      sources[connection.to.node].append(connection.from.node)
    }
    return sources
  }
}
