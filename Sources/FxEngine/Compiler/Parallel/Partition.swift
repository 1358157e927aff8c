/// Divides the steps of a schedule into tasks.
///
/// A task is a range of steps. The tasks in order are the schedule, so no two can wait for each
/// other. A task ends where the next steps do not read its buffers, or where its cost is high
/// enough.
package struct Partition: Sendable {
  /// By node: nanoseconds per frame, estimated.
  package var costs: [Double]
  /// Threads that render.
  package var threads: Int
  /// By node: the number of second-order filters, if its unit consists only of them, otherwise 0.
  /// Empty if there are none.
  package var filterCounts: [Int] = []
  /// The user asked for the threads: live, a smaller estimated saving is then enough.
  package var isRequested: Bool

  /// Nanoseconds per frame below which handing over a task costs more than it saves.
  static let least = 3.0
  /// A cheaper chain is rendered on one thread.
  static let leastTotal = 12.0
  /// The share that more threads must save.
  static let leastSaving = 0.15
  /// With more tasks, only the search for the next one takes longer.
  static let mostTasks = 64

  package init(costs: [Double], threads: Int, isRequested: Bool = false) {
    self.costs = costs
    self.threads = threads
    self.isRequested = isRequested
  }

  /// For a crossfade: its nodes are those of the new graph, followed by the removed ones of the old
  /// graph. nil if either graph is not divided.
  init?(_ old: Partition?, _ new: Partition?, removed: [Int]) {
    guard let old, let new else { return nil }
    self.init(
      costs: new.costs + removed.map { old.costs[$0] }, threads: min(old.threads, new.threads),
      isRequested: old.isRequested || new.isRequested)
    let added = new.filterCounts.isEmpty ? new.costs.map { _ in 0 } : new.filterCounts
    filterCounts =
      added + removed.map { old.filterCounts.isEmpty ? 0 : old.filterCounts[$0] }
  }

  /// The schedule with its tasks, and with sections cut at their starts. Unchanged if tasks are not
  /// worthwhile.
  func divided(_ schedule: Schedule, graph: Graph) -> Schedule {
    guard threads > 1 else { return schedule }
    let ranges = ranges(schedule, graph)
    let total = ranges.reduce(0) { $0 + $1.cost }
    let heaviest = ranges.map(\.cost).max() ?? 0
    guard total >= Self.leastTotal,
      max(heaviest, total / Double(threads)) <= total * (1 - Self.leastSaving)
    else { return schedule }
    var divided = schedule
    divided.cutSections(at: ranges.map(\.steps.lowerBound))
    divided.tasks = tasks(ranges, divided)
    return divided
  }

  private struct StepRange {
    var steps: Range<Int>
    var cost: Double
  }

  private func ranges(_ schedule: Schedule, _ graph: Graph) -> [StepRange] {
    var uncut = uncut(schedule, graph)
    var costs = schedule.starts.map { start in start.nodes.reduce(0) { $0 + self.costs[$1] } }
    for row in rows(schedule) {
      let cost = cost(ofRow: costs[row])
      for index in row.dropFirst() {
        costs[index] = 0
        uncut.insert(schedule.starts[index].step)
      }
      costs[row.lowerBound] = cost
    }
    let enough = max(2 * Self.least, 2 * costs.reduce(0, +) / Double(Self.mostTasks))
    // A lower minimum for independent parts: a wide graph may have many small ones.
    let least = enough / 2
    var ranges: [StepRange] = []
    var written: Set<Int> = []
    var cost = 0.0
    var first = 0
    for (index, start) in schedule.starts.enumerated() {
      let end =
        schedule.starts.indices.contains(index + 1)
        ? schedule.starts[index + 1].step : schedule.steps.count
      let steps = schedule.steps[start.step..<end]
      let isNew = !steps.contains { $0.reads.contains { written.contains($0) } }
      // A heavy node starts its own task.
      let isHeavy = costs[index] >= enough && cost >= least
      if start.step > first, !uncut.contains(start.step),
        cost >= enough || isHeavy || isNew && cost >= least
      {
        ranges.append(StepRange(steps: first..<start.step, cost: cost))
        (first, cost) = (start.step, 0)
        written.removeAll(keepingCapacity: true)
      }
      cost += costs[index]
      for step in steps { written.formUnion(step.writes) }
    }
    if first < schedule.steps.count {
      ranges.append(StepRange(steps: first..<schedule.steps.count, cost: cost))
    }
    return ranges
  }

  /// Steps at which no task may begin: those between the ends of an event line.
  private func uncut(_ schedule: Schedule, _ graph: Graph) -> Set<Int> {
    guard !schedule.eventLines.isEmpty else { return [] }
    var position: [Int: Int] = [:]
    for (index, start) in schedule.starts.enumerated() {
      for node in start.nodes { position[node] = index }
    }
    var uncut: Set<Int> = []
    for line in schedule.eventLines {
      let connection = graph.connections[line.connection]
      guard let from = position[connection.from.node], let to = position[connection.to.node],
        from != to
      else { continue }
      for index in (min(from, to) + 1)...max(from, to) { uncut.insert(schedule.starts[index].step) }
    }
    return uncut
  }

  private func tasks(_ ranges: [StepRange], _ schedule: Schedule) -> [RenderPlan.Task] {
    var writer: [Int: Int] = [:]
    var section = 0
    return ranges.enumerated().map { task, range in
      let first = section
      while section < schedule.sections.count,
        schedule.sections[section].steps.lowerBound < range.steps.upperBound
      { section += 1 }
      var waitsFor: Set<Int> = []
      for step in schedule.steps[range.steps] {
        for value in step.reads {
          if let other = writer[value], other != task { waitsFor.insert(other) }
        }
        for value in step.writes { writer[value] = task }
      }
      return RenderPlan.Task(
        sections: first..<section, waitsFor: waitsFor.sorted(), cost: range.cost)
    }
  }
}

extension Schedule {
  /// Starts a section at each of these steps.
  fileprivate mutating func cutSections(at starts: [Int]) {
    let starts = Set(starts)
    sections = sections.flatMap { section -> [RenderPlan.Section] in
      var parts: [RenderPlan.Section] = []
      var first = section.steps.lowerBound
      for step in section.steps.dropFirst() where starts.contains(step) {
        parts.append(RenderPlan.Section(steps: first..<step, slice: section.slice))
        first = step
      }
      parts.append(
        RenderPlan.Section(steps: first..<section.steps.upperBound, slice: section.slice))
      return parts
    }
  }

  /// Values made by one task or a source, and read by another task or a sink.
  var sharedValues: Set<Int> {
    guard !tasks.isEmpty else { return [] }
    var writer: [Int: Int] = [:]
    var shared: Set<Int> = []
    for (number, task) in tasks.enumerated() {
      for step in task.sections.flatMap({ steps[sections[$0].steps] }) {
        for value in step.reads where writer[value] != number { shared.insert(value) }
        for value in step.writes { writer[value] = number }
      }
    }
    for port in sources + sinks { shared.formUnion(port.buffers) }
    shared.remove(0)
    return shared
  }
}
