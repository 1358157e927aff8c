import FxAudio

/// Watches the units of a program while it renders: reports their faults, restarts units that
/// produced NaN or infinite samples, and follows changing latencies.
///
/// On one thread at a time: offline on the thread that renders, between two blocks; live on the
/// control thread.
package final class Supervisor {
  /// A node that is taken out more often than this within `period` seconds stays taken out.
  package static let restartLimit = 3
  package static let period = 10.0

  private let program: RenderProgram
  /// Nodes with a monitor.
  private let watched: [(node: Int, monitor: UnitMonitor, limit: Int?)]
  /// The last known state of each monitor, in plain memory: it is compared after every block.
  private let known: UnsafeMutableBufferPointer<Known>
  private var faultCount = 0
  /// The times of each node's recent restarts, in seconds.
  private var restarts: [Int: [Double]] = [:]
  private var silenced: Set<Int> = []
  private var raised: Set<Int> = []
  private var toldOfLimit: Set<Int> = []
  /// By node: latencies for which no plan can be compiled.
  private var refused: [Int: Int] = [:]

  private struct Known {
    let monitor: UnitMonitor
    var isFaulty = false
    /// Frames; below zero for a latency that cannot change.
    var latency = -1
  }

  /// `earlier` supervised the program before this one. Events that it reported for units in both
  /// programs are not reported again.
  package init(_ program: RenderProgram, after earlier: Supervisor? = nil) {
    self.program = program
    let watched: [(node: Int, monitor: UnitMonitor, limit: Int?)] = program.instances.enumerated()
      .compactMap { node, instance in
        instance?.monitor.map { (node, $0, program.plan.nodes[node].latencyLimit) }
      }
    self.watched = watched
    known = .allocate(capacity: watched.count)
    _ = known.initialize(from: watched.map { Known(monitor: $0.monitor) })
    if let earlier { takeOver(from: earlier) }
    remember()
  }

  deinit { known.deallocate() }

  private func takeOver(from earlier: Supervisor) {
    var nodes: [ObjectIdentifier: Int] = [:]
    for (node, instance) in earlier.program.instances.enumerated() {
      if let instance { nodes[ObjectIdentifier(instance)] = node }
    }
    for (node, instance) in program.instances.enumerated() {
      guard let instance, let old = nodes[ObjectIdentifier(instance)] else { continue }
      restarts[node] = earlier.restarts[old]
      if earlier.silenced.contains(old) { silenced.insert(node) }
      if earlier.raised.contains(old) { raised.insert(node) }
      if earlier.toldOfLimit.contains(old) { toldOfLimit.insert(node) }
    }
    // A unit taken out since the last check is found through the new program.
    if program.instances.indices.contains(where: { program.finding($0) != nil }) {
      faultCount = -1
    }
  }

  private func remember() {
    for (index, watch) in watched.enumerated() {
      known[index].isFaulty = raised.contains(watch.node)
      if watch.limit != nil { known[index].latency = program.plan.nodes[watch.node].latency }
    }
  }

  /// True when something has happened since the last check. Costs almost nothing.
  package var hasNews: Bool {
    if program.faultCount != faultCount { return true }
    for index in 0..<known.count {
      if known[index].monitor.isFaulty != known[index].isFaulty { return true }
      if known[index].latency >= 0, known[index].monitor.latency != known[index].latency {
        return true
      }
    }
    return false
  }

  // MARK: Offline

  /// The faults before a frame of the program, earliest first. Restarts nothing. Faults in blocks
  /// that were rendered ahead are left out.
  package func faults(before end: Int = .max) -> [RenderingEvent] {
    guard hasNews else { return [] }
    var events: [RenderingEvent] = []
    for node in program.instances.indices {
      guard let finding = program.finding(node), program.frame(finding.frame, ofNode: node) < end
      else { continue }
      events.append(event(node, finding, .stopped))
    }
    for (node, monitor, _) in watched {
      guard let fault = monitor.fault, program.frame(fault.frame, ofNode: node) < end else {
        continue
      }
      events.append(event(node, fault, .stopped))
    }
    return events.sorted { $0.frame < $1.frame }
  }

  /// Applies latencies that changed in the last block. Called on the render thread, before that
  /// block is passed on.
  package func followAtOnce() -> [RenderingEvent] {
    guard hasNews else { return [] }
    defer { remember() }
    return follow { program.adopt($0, sinkWaits: $1) }
  }

  // MARK: Live

  /// Reports all events, restarts units and follows latencies. `now` is the time in seconds.
  package func attend(now: Double) -> [RenderingEvent] {
    guard hasNews else { return [] }
    defer { remember() }
    return attendToFaults(now: now) + follow { program.send($0, sinkWaits: $1) }
  }

  private func attendToFaults(now: Double) -> [RenderingEvent] {
    var events: [RenderingEvent] = []
    let count = program.faultCount
    if count != faultCount {
      faultCount = count
      for node in program.instances.indices where !silenced.contains(node) {
        guard let finding = program.finding(node) else { continue }
        let recent = (restarts[node] ?? []).filter { now - $0 < Self.period }
        if recent.count < Self.restartLimit {
          program.restart(node)
          restarts[node] = recent + [now]
          events.append(event(node, finding, .restarted))
        } else {
          silenced.insert(node)
          events.append(event(node, finding, .silenced))
        }
      }
    }
    for (node, monitor, _) in watched {
      guard let fault = monitor.fault else {
        raised.remove(node)
        continue
      }
      if raised.insert(node).inserted { events.append(event(node, fault, .bypassed)) }
    }
    return events
  }

  private func event(
    _ node: Int, _ finding: NodeGuard.Finding, _ outcome: RenderingEvent.Outcome
  ) -> RenderingEvent {
    event(
      node, .nonFinite(isInfinite: finding.isInfinite, wasFed: finding.wasFed), outcome,
      frame: finding.frame)
  }

  private func event(
    _ node: Int, _ fault: (kind: UnitFault, frame: Int), _ outcome: RenderingEvent.Outcome
  ) -> RenderingEvent {
    event(
      node, .raised(fault.kind, detail: program.instances[node]?.faultDetail?()), outcome,
      frame: fault.frame)
  }

  private func event(
    _ node: Int, _ cause: RenderingEvent.Cause, _ outcome: RenderingEvent.Outcome?, frame: Int
  ) -> RenderingEvent {
    RenderingEvent(
      cause, outcome, program.graph.graph.nodes[node], frame: frame,
      sampleRate: program.sampleRate)
  }

  // MARK: Latency

  /// Compiles the plan again if a latency has changed, and passes it to `take`.
  private func follow(_ take: (RenderPlan, [Int]) -> Bool) -> [RenderingEvent] {
    let old = program.plan
    var latencies = old.nodes.map(\.latency)
    var events: [RenderingEvent] = []
    var changed: [Int] = []
    for (node, monitor, limit) in watched {
      guard let limit else { continue }
      let reported = monitor.latency
      let latency = min(max(reported, 0), limit)
      if reported > limit, toldOfLimit.insert(node).inserted {
        events.append(
          change(node, .latencyBeyond(limit: limit, reported: reported)))
      }
      guard latency != latencies[node], refused[node] != latency else { continue }
      latencies[node] = latency
      changed.append(node)
    }
    guard !changed.isEmpty else { return events }
    do throws(GraphError) {
      let plan = try program.plan(latencies: latencies)
      guard plan.differsInDelaysAlone(from: old) else {
        throw .unsoundPlan("another latency makes another plan")
      }
      guard take(plan, waits(for: changed, in: plan)) else { return events }
      refused = [:]
      for node in changed {
        events.append(
          change(node, .latency(was: old.nodes[node].latency, now: latencies[node])))
      }
    } catch {
      for node in changed {
        refused[node] = latencies[node]
        events.append(change(node, .latencyFillsLoop(latencies[node])))
      }
    }
    return events
  }

  private func change(_ node: Int, _ cause: RenderingEvent.Cause) -> RenderingEvent {
    event(
      node, cause, nil, frame: program.renderer.frame - program.plan.nodes[node].arrival)
  }

  /// Frames until the change arrives at each sink, counted from the nodes.
  private func waits(for nodes: [Int], in plan: RenderPlan) -> [Int] {
    let departure = nodes.map { plan.nodes[$0].arrival + plan.nodes[$0].latency }.max() ?? 0
    return plan.sinks.map { max(0, $0.latency - departure) }
  }
}
