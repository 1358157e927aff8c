import FxGraph

extension RenderPlan {
  /// Seconds of work that waking threads for a single block is worth.
  private static let leastBlockSeconds = 100e-6

  /// True where the tasks are rendered by several threads.
  func canRun(on configuration: ProgramConfiguration) -> Bool {
    guard !tasks.isEmpty, configuration.threadCount > 1, !configuration.takesFingerprints else {
      return false
    }
    let cost = tasks.reduce(0) { $0 + $1.cost } * 1e-9
    return isPipeline(configuration)
      || cost * Double(configuration.maximumFrameCount) >= Self.leastBlockSeconds
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
