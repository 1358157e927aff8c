import FxGraph

extension RenderPlan {
  /// Seconds that must be saved of a single block for threads to be woken for it, and the share of the
  /// time that it lasts: where one thread has time enough, more only take processors from others.
  private static let leastSaving = (seconds: 50e-6, share: 0.1)

  /// True where the tasks are rendered by several threads.
  func canRun(on configuration: ProgramConfiguration) -> Bool {
    guard !tasks.isEmpty, configuration.threadCount > 1, !configuration.takesFingerprints else {
      return false
    }
    if isPipeline(configuration) { return true }
    let saving = blockSaving(
      threads: configuration.threadCount, frames: configuration.maximumFrameCount)
    return configuration.isOffline || configuration.partition?.isRequested == true
      ? saving > 0 : saving * 1e-9 * configuration.sampleRate >= Self.leastSaving.share
  }

  /// Nanoseconds a frame by which so many threads end a single block of so many frames earlier than
  /// one, estimated; 0 where that is not worth waking them.
  package func blockSaving(threads: Int, frames: Int) -> Double {
    let saving = tasks.reduce(0) { $0 + $1.cost } - blockCost(threads: threads)
    return saving * 1e-9 * Double(frames) >= Self.leastSaving.seconds ? saving : 0
  }

  /// Nanoseconds a frame that so many threads take for a single block, estimated: no less than tasks
  /// that wait for each other take in a row.
  private func blockCost(threads: Int) -> Double {
    var ends = [Double](repeating: 0, count: tasks.count)
    for (number, task) in tasks.enumerated() {
      ends[number] = task.cost + (task.waitsFor.map { ends[$0] }.max() ?? 0)
    }
    let total = tasks.reduce(0) { $0 + $1.cost }
    return max(ends.max() ?? 0, total / Double(threads))
  }

  /// A latency that moves is looked at behind every block, before the next one begins.
  private func isPipeline(_ configuration: ProgramConfiguration) -> Bool {
    configuration.isOffline && !nodes.contains { $0.latencyLimit != nil }
  }

  func shape(_ configuration: ProgramConfiguration) -> PipelineShape {
    PipelineShape(
      blockFrames: configuration.maximumFrameCount, threads: configuration.threadCount,
      sharedBufferCount: sharedBuffers.count, isPipeline: isPipeline(configuration))
  }

  /// The steps of each task; all of them together where it is not divided.
  func taskSteps(divided: Bool) -> [[Step]] {
    guard divided else { return [steps] }
    return tasks.map { task in task.sections.flatMap { steps[sections[$0].steps] } }
  }

  /// By section: its task.
  func tasksOfSections(divided: Bool) -> [Int] {
    guard divided else { return sections.map { _ in 0 } }
    return tasks.enumerated().flatMap { number, task in task.sections.map { _ in number } }
  }

  /// By delay line: its task.
  func tasksOfLines(divided: Bool) -> [Int] {
    var tasks = [Int](repeating: 0, count: delayLines.count)
    for (number, steps) in taskSteps(divided: divided).enumerated() {
      for step in steps {
        if case .delay(let line, _, _) = step { tasks[line] = number }
      }
    }
    return tasks
  }
}

extension ProgramInheritance {
  /// True where two tasks of a plan would go on with one ring.
  func sharesRings(_ plan: RenderPlan) -> Bool {
    guard !plan.tasks.isEmpty else { return false }
    var owners: [ObjectIdentifier: Int] = [:]
    for (line, task) in plan.tasksOfLines(divided: true).enumerated() {
      guard lines.indices.contains(line), let ring = lines[line] else { continue }
      if (owners.updateValue(task, forKey: ObjectIdentifier(ring)) ?? task) != task { return true }
    }
    return false
  }
}
