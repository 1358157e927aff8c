import FxAudio
import FxDiagnostics

extension NodeFingerprints {
  /// Where these begin to differ from what they were: the nodes and connections that make a
  /// difference of what has none, the earliest first. Empty where nothing differs.
  ///
  /// A node whose input is the same and whose output is not is where a difference begins, and so is
  /// one whose input is not although all that it hears is: the connection is another one. In a loop
  /// every node hears every other; the one that differs first in time is meant.
  ///
  /// - Parameter suspects: nodes that are known to be set or built otherwise; they decide where time
  ///   does not.
  package func divergences(
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
    // The earliest in time; in the plan's order where that is the same.
    return found.enumerated().sorted {
      ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
    }.map(\.element)
  }
}

/// Two renders' fingerprints, held against each other node by node.
package struct NodeDifferences {
  /// The first window that differs, on either side of a node.
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
  /// By node; only those that can be held against what they were.
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

  /// Nodes that both have, in the order of rendering.
  var shared: [String] { order.filter { windows[$0] != nil } }

  func isChanged(_ node: String) -> Bool {
    windows[node].map { $0.input != nil || $0.output != nil } ?? false
  }

  /// The first window in which a node differs, on either side.
  func firstWindow(_ node: String) -> Int? {
    windows[node].flatMap { [$0.input, $0.output].compactMap { $0 }.min() }
  }

  /// Nodes that only one of the two has, or that are of another unit now, where they are heard.
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

  /// The first window in which anything that hears a node differs.
  private func firstHeard(_ id: String) -> Int? {
    (Array(now.values) + Array(then.values)).filter { $0.sources.contains(id) }
      .compactMap { windows[$0.id]?.input }.min()
  }

  /// What a changed node makes new, rather than passing on; nil where it is not the origin.
  func origin(_ id: String, explained: Set<String>) -> CaseVerdict.Divergence? {
    guard let node = now[id], let window = windows[id] else { return nil }
    guard let input = window.input else {
      guard let output = window.output else { return nil }
      return divergence(node.input == nil ? .source : .node, id, node.unit, window: output)
    }
    if let output = window.output, output < input {
      // Its input follows: a loop.
      return divergence(.node, id, node.unit, window: output)
    }
    let heard = Set(node.sources + (then[id]?.sources ?? []))
    // What it hears of a node that is new or gone is that node's doing.
    guard heard.isDisjoint(with: explained) else { return nil }
    // What it no longer hears passes nothing on.
    let isPassedOn = node.sources.contains { source in
      guard then[source]?.repeats != false else { return true }
      guard let window = windows[source]?.output else { return false }
      // Through a loop it is heard later, and cannot be the reason of what came before.
      let delay = max(node.delays[source] ?? 0, then[id]?.delays[source] ?? 0)
      return delay == 0
        ? source != id && window <= input
        : window * windowFrameCount + delay < (input + 1) * windowFrameCount
    }
    return isPassedOn ? nil : divergence(.connection, id, node.unit, window: input)
  }

  /// Where no node can be distinguished from those before it: one that does not repeat itself, or of nodes
  /// that hear one another the one that differs first.
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
  /// Decibels, the RMS of what it puts out; of what it hears for a sink.
  package var level: Double? { (output ?? input).map { Math.decibels(amplitude: $0.rms) } }

  fileprivate func coarser(from short: Int, to long: Int) -> NodeFingerprint {
    guard short < long else { return self }
    var fingerprint = self
    fingerprint.input?.windows = Side.coarser(input?.windows ?? [], from: short, to: long)
    fingerprint.output?.windows = Side.coarser(output?.windows ?? [], from: short, to: long)
    return fingerprint
  }
}
