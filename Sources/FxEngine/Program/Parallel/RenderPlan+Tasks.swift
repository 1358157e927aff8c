extension RenderPlan {
  /// What several threads must save on a single block to be worth waking: seconds, and a share of
  /// the block's duration. Where one thread is fast enough, more threads only take processor time
  /// from others.
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

  /// Nanoseconds per frame that several threads save on a single block, estimated; 0 where that is
  /// not worth waking them.
  package func blockSaving(threads: Int, frames: Int) -> Double {
    let saving = tasks.reduce(0) { $0 + $1.cost } - blockCost(threads: threads)
    return saving * 1e-9 * Double(frames) >= Self.leastSaving.seconds ? saving : 0
  }

  /// Nanoseconds per frame that several threads take for a single block, estimated: at least the
  /// longest row of tasks that wait for each other.
  private func blockCost(threads: Int) -> Double {
    var ends = [Double](repeating: 0, count: tasks.count)
    for (number, task) in tasks.enumerated() {
      ends[number] = task.cost + (task.waitsFor.map { ends[$0] }.max() ?? 0)
    }
    let total = tasks.reduce(0) { $0 + $1.cost }
    return max(ends.max() ?? 0, total / Double(threads))
  }

  /// True if several blocks may be in flight. Not with a changing latency: it is read after every
  /// block, before the next one begins.
  private func isPipeline(_ configuration: ProgramConfiguration) -> Bool {
    configuration.isOffline && !nodes.contains { $0.latencyLimit != nil }
  }

  func shape(_ configuration: ProgramConfiguration) -> PipelineShape {
    PipelineShape(
      blockFrames: configuration.maximumFrameCount, threads: configuration.threadCount,
      sharedBufferCount: sharedBuffers.count, isPipeline: isPipeline(configuration))
  }

  /// The steps of each task; one list of all steps if the plan is not divided.
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
  /// True if two tasks of a plan would inherit the same ring.
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
