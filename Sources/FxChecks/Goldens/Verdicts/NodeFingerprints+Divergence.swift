import FxAudio
import FxChain

extension NodeFingerprints {
  /// The nodes and connections where these fingerprints begin to differ from `then`, the earliest
  /// first. Empty if nothing differs.
  ///
  /// A difference begins at a node whose input is the same but whose output differs. It also begins
  /// at a node whose input differs although all its sources are the same: its connections changed.
  /// In a loop, every node receives from every other; the node that differs first in time is
  /// reported.
  ///
  /// - Parameter suspects: nodes with known changes; they are preferred if several nodes differ at
  ///   the same time.
  func divergences(
    from then: NodeFingerprints, suspects: Set<String> = []
  ) -> [CaseVerdict.Divergence] {
    let differences = NodeDifferences(then: then, now: self)
    var found = differences.structural
    let explained = Set(found.map(\.node))
    for node in differences.shared where differences.isChanged(node) {
      let beginsHere = differences.origin(node, explained: explained)
      if let beginsHere { found.append(beginsHere) }
    }
    let isChanged = differences.shared.contains(where: differences.isChanged)
    if found.isEmpty, isChanged, let first = differences.earliest(suspects: suspects) {
      found = [first]
    }
    // Sorted by time; nodes at the same time keep the plan's order.
    return found.enumerated().sorted {
      ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
    }.map(\.element)
  }
}

/// The differences between two renders' fingerprints, node by node.
struct NodeDifferences {
  /// The first window that differs in a node's input and in its output.
  package struct Windows: Equatable {
    package var input: Int?
    package var output: Int?
  }

  private let then: [String: NodeFingerprint]
  private let now: [String: NodeFingerprint]
  /// In the order of rendering.
  private let order: [String]
  private let goneOrder: [String]
  private let lowering: (then: Double, now: Double)
  package let windowFrameCount: Int
  /// By node; only nodes that can be compared.
  package let windows: [String: Windows]

  package init(then: NodeFingerprints, now: NodeFingerprints) {
    let window = max(then.windowFrameCount, now.windowFrameCount)
    windowFrameCount = window
    func nodes(_ fingerprints: NodeFingerprints) -> [String: NodeFingerprint] {
      Dictionary(
        fingerprints.nodes.map {
          ($0.id, $0.coarser(from: fingerprints.windowFrameCount, to: window))
        }
      ) { first, _ in first }
    }
    self.then = nodes(then)
    self.now = nodes(now)
    order = now.nodes.map(\.id)
    goneOrder = then.nodes.map(\.id)
    lowering = NodeFingerprints.lowering(then: then, now: now)
    var windows: [String: Windows] = [:]
    for (id, node) in self.now {
      guard let before = self.then[id], before.unit == node.unit, before.repeats else { continue }
      windows[id] = Windows(
        input: Self.firstDifference(before.input, node.input),
        output: Self.firstDifference(before.output, node.output))
    }
    self.windows = windows
  }

  /// Nodes that both renders have, in the order of rendering.
  var shared: [String] { order.filter { windows[$0] != nil } }

  func isChanged(_ node: String) -> Bool {
    windows[node].map { $0.input != nil || $0.output != nil } ?? false
  }

  /// The first window in which a node's input or output differs.
  func firstWindow(_ node: String) -> Int? {
    windows[node].flatMap { [$0.input, $0.output].compactMap { $0 }.min() }
  }

  /// Nodes that only one render has, or whose unit was replaced; at the time when a receiver
  /// differs.
  var structural: [CaseVerdict.Divergence] {
    var found: [CaseVerdict.Divergence] = []
    for id in order {
      guard let node = now[id], then[id]?.unit != node.unit else { continue }
      found.append(
        divergence(.structure, id, node.unit, window: firstHeard(id) ?? 0))
    }
    for id in goneOrder {
      guard let node = then[id], now[id] == nil else { continue }
      found.append(divergence(.structure, id, node.unit, window: firstHeard(id) ?? 0))
    }
    return found
  }

  /// The first window in which the input of any receiver of a node differs.
  private func firstHeard(_ id: String) -> Int? {
    (Array(now.values) + Array(then.values)).filter { $0.sources.contains(id) }
      .compactMap { windows[$0.id]?.input }.min()
  }

  /// The difference that a changed node itself makes; nil if it only passes a difference on.
  func origin(_ id: String, explained: Set<String>) -> CaseVerdict.Divergence? {
    guard let node = now[id], let window = windows[id] else { return nil }
    guard let input = window.input else {
      guard let output = window.output else { return nil }
      return divergence(node.input == nil ? .source : .node, id, node.unit, window: output)
    }
    if let output = window.output, output < input {
      // The output differs before the input: the difference returns through a loop.
      return divergence(.node, id, node.unit, window: output)
    }
    let heard = Set(node.sources + (then[id]?.sources ?? []))
    // A difference from a node that was added or removed is reported at that node.
    guard heard.isDisjoint(with: explained) else { return nil }
    // Only the current sources of the node can pass a difference on.
    let isPassedOn = node.sources.contains { source in
      guard then[source]?.repeats != false else { return true }
      guard let window = windows[source]?.output else { return false }
      // A loop delays its signal, so it cannot cause an earlier difference.
      let delay = max(node.delays[source] ?? 0, then[id]?.delays[source] ?? 0)
      return delay == 0
        ? source != id && window <= input
        : window * windowFrameCount + delay < (input + 1) * windowFrameCount
    }
    return isPassedOn ? nil : divergence(.connection, id, node.unit, window: input)
  }

  /// The node to report if no origin was found: one that is not repeatable, or the node of a loop
  /// that differs first.
  func earliest(suspects: Set<String>) -> CaseVerdict.Divergence? {
    func first(_ id: String) -> Int {
      min(windows[id]?.input ?? .max, windows[id]?.output ?? .max)
    }
    if let unsteady = order.first(where: { then[$0]?.repeats == false }), let node = now[unsteady] {
      return divergence(.unsteady, unsteady, node.unit, window: 0)
    }
    let changed = shared.filter(isChanged)
    guard let window = changed.map(first).min() else { return nil }
    let candidates = changed.filter { first($0) == window }
    guard let id = candidates.first(where: suspects.contains) ?? candidates.first,
      let node = now[id]
    else { return nil }
    let hearsOthers =
      windows[id]?.input == window && Set(node.sources) != Set(then[id]?.sources ?? [])
    return divergence(hearsOthers ? .connection : .node, id, node.unit, window: window)
  }

  private func divergence(
    _ place: CaseVerdict.Divergence.Place, _ id: String, _ unit: String, window: Int
  ) -> CaseVerdict.Divergence {
    CaseVerdict.Divergence(
      place, node: id, unit: unit, frame: window * windowFrameCount,
      levelThen: then[id]?.level.map { $0 + lowering.then },
      levelNow: now[id]?.level.map { $0 + lowering.now })
  }

  private static func firstDifference(_ then: NodeFingerprint.Side?, _ now: NodeFingerprint.Side?)
    -> Int?
  {
    guard let then, let now else { return then == nil && now == nil ? nil : 0 }
    guard then.channelCount == now.channelCount else { return 0 }
    return zip(then.windows, now.windows).enumerated().first { $1.0 != $1.1 }?.offset
  }
}

extension NodeFingerprint {
  /// The RMS level of the output in decibels; of the input for a sink.
  package var level: Double? { (output ?? input).map { Math.decibels(amplitude: $0.rms) } }

  fileprivate func coarser(from short: Int, to long: Int) -> NodeFingerprint {
    guard short < long else { return self }
    var fingerprint = self
    fingerprint.input?.windows = Side.coarser(input?.windows ?? [], from: short, to: long)
    fingerprint.output?.windows = Side.coarser(output?.windows ?? [], from: short, to: long)
    return fingerprint
  }
}
