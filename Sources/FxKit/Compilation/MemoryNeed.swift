import FxAudio
import FxChain
import FxEngine
import FxMedia
import FxPlaying

/// The memory that a chain will allocate for its sound, in bytes, computed before any allocation.
package struct MemoryNeed: Sendable {
  /// Units, delays and feeds by node of the graph.
  package private(set) var nodes: [Int]
  /// Feedback lines by connection.
  package private(set) var connections: [Int: Int] = [:]
  /// Buffers and steps.
  package private(set) var shared = 0
  /// The memory of a chain that still plays, without the nodes that this chain keeps.
  private var other = 0

  package var total: Int { nodes.reduce(shared + other, +) + connections.values.reduce(0, +) }

  /// The memory of units and feedback lines, which is known before there is a plan.
  ///
  /// - Parameter sounds: the bytes of the sounds that units load, by node.
  init(
    _ traits: [UnitTraits?], _ graph: ResolvedGraph, _ configuration: ProgramConfiguration,
    sounds: [Int: Int]
  ) {
    nodes = traits.enumerated().map { ($1?.memory ?? 0) + (sounds[$0] ?? 0) }
    add(ProgramMemory(feedbackOf: graph, configuration))
  }

  /// Frames to buffer before a stream of the chain plays; 0 for other sources.
  private static func refillFrameCount(
    _ node: Int, _ graph: ResolvedGraph, _ sampleRate: Double
  ) -> Int {
    guard case .source(let endpoint) = graph.graph.nodes[node].content,
      endpoint.nature == .network
    else { return 0 }
    let seconds = endpoint.options.number("buffer") ?? StreamSettings.usualBufferSeconds
    return Int((seconds * sampleRate).rounded())
  }

  /// The memory of the whole chain, its feeds included.
  ///
  /// - Parameters:
  ///   - sounds: the bytes of the sounds that units load, by node.
  ///   - heldFrameCount: frames that every sink holds back, in addition to its latency.
  ///   - preRoll: the pre-roll in seconds of sinks whose file the chain does not name.
  init(
    _ traits: [UnitTraits?], _ plan: RenderPlan, _ graph: ResolvedGraph,
    _ configuration: ProgramConfiguration, sounds: [Int: Int], heldFrameCount: Int, isLive: Bool,
    preRoll: Double = 0
  ) {
    nodes = traits.enumerated().map { ($1?.memory ?? 0) + (sounds[$0] ?? 0) }
    add(ProgramMemory(plan, graph, configuration))
    let block = configuration.maximumFrameCount
    for source in plan.sources {
      nodes[source.node] += FeedMemory.source(
        channelCount: source.buffers.count, blockFrameCount: block, canJump: isLive,
        refillFrameCount: isLive
          ? Self.refillFrameCount(source.node, graph, configuration.sampleRate) : 0,
        capacity: isLive
          ? nil
          : FeedMemory.capacity(
            channelCount: source.buffers.count, sourceCount: plan.sources.count))
    }
    // A sink holds back silence and its latency. The latter counts for the nodes that cause it.
    let latency = max(plan.latency, plan.latencyLimit)
    let latencies = plan.nodes.map { Double(max($0.latency, $0.latencyLimit ?? 0)) }
    let late = max(latencies.reduce(0, +), 1)
    for sink in plan.sinks {
      func memory(holding frames: Int) -> Int {
        FeedMemory.sink(
          channelCount: sink.buffers.count, blockFrameCount: block, heldFrameCount: frames,
          sampleRate: configuration.sampleRate, isLive: isLive)
      }
      let own = memory(holding: heldFrameCount)
      nodes[sink.node] += own + Self.preRoll(sink, graph, configuration.sampleRate, preRoll)
      let more = memory(holding: heldFrameCount + latency) - own
      for (node, frames) in latencies.enumerated() {
        nodes[node] += Int(Double(more) * frames / late)
      }
    }
  }

  /// The bytes of a recording's pre-roll.
  private static func preRoll(
    _ sink: RenderPlan.Port, _ graph: ResolvedGraph, _ sampleRate: Double, _ others: Double
  ) -> Int {
    guard let endpoint = graph.graph.nodes[sink.node].sinkEndpoint else { return 0 }
    let seconds =
      endpoint.nature == .file ? RecordingRule(endpoint.options)?.preRoll ?? 0 : others
    guard seconds > 0 else { return 0 }
    return RecordingSink.memory(
      channelCount: sink.buffers.count, preRollFrameCount: Int(seconds * sampleRate))
  }

  private mutating func add(_ memory: ProgramMemory) {
    for (node, bytes) in memory.nodes.enumerated() { nodes[node] += bytes }
    connections.merge(memory.connections, uniquingKeysWith: +)
    shared += memory.shared
  }

  /// Adds the memory of a chain that still plays, without the nodes that both share.
  ///
  /// - Parameter kept: by node of this chain, its node in the playing chain.
  mutating func add(_ playing: MemoryNeed, keeping kept: (Int) -> Int?) {
    other += playing.total
    for node in nodes.indices {
      if let old = kept(node), playing.nodes.indices.contains(old) { other -= playing.nodes[old] }
    }
  }

  // MARK: - Refusing

  /// An error at the largest node if the chain needs more than the limit; otherwise nil.
  func refusal(limit: Int, of chain: BuiltChain) -> Diagnostic? {
    let limit = min(limit, MemoryBudget.most)
    guard total > limit else { return nil }
    let shares = largest
    let shown = shares.prefix(3).map { "\(name($0.part, chain)) \(MemorySize.text($0.bytes))" }
    let rest = shares.count - shown.count
    let message =
      "the chain needs \(MemorySize.text(total)) of memory and may have "
      + "\(MemorySize.text(limit)): \(shown.joined(separator: ", "))"
      + (rest > 0 ? " and \(rest) more" : "")
    var hint = "take shorter delays, fewer channels or fewer nodes"
    if total <= MemoryBudget.most { hint += "; --memory \(MemorySize.argument(total)) allows it" }
    let hints = [hint]
    switch shares.first?.part {
    case .connection(let index):
      return chain.diagnostic(forConnection: index, .memoryLimit, message, hints: hints)
    case .node(let index):
      return chain.diagnostic(forNode: index, .memoryLimit, message, hints: hints)
    case .shared, nil: return Diagnostic(.memoryLimit, message, at: nil, hints: hints)
    }
  }

  private enum Part {
    case node(Int)
    case connection(Int)
    case shared
  }

  /// The parts that take memory, largest first; equal ones in the order of the graph.
  private var largest: [(part: Part, bytes: Int)] {
    var shares: [(part: Part, bytes: Int)] = nodes.enumerated().map {
      (.node($0.offset), $0.element)
    }
    shares += connections.sorted { $0.key < $1.key }.map { (.connection($0.key), $0.value) }
    shares.append((.shared, shared))
    return shares.enumerated().filter { $0.element.bytes > 0 }
      .sorted { ($1.element.bytes, $0.offset) < ($0.element.bytes, $1.offset) }.map(\.element)
  }

  private func name(_ part: Part, _ chain: BuiltChain) -> String {
    let nodes = chain.graph.nodes
    switch part {
    case .node(let node): return "'\(nodes[node].id)'"
    case .connection(let index):
      let connection = chain.graph.connections[index]
      return "'\(nodes[connection.from.node].id) -> \(nodes[connection.to.node].id)'"
    case .shared: return "buffers"
    }
  }
}
