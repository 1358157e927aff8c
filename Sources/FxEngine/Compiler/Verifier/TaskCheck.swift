/// Checks that tasks that run in parallel never use the same memory at the wrong time.
///
/// A buffer belongs to one task, or it is shared. One step writes a shared buffer, before any other
/// task reads it in the same block, and a reading task waits for the writing task. So any two steps
/// that use the same memory are ordered by a chain of waiting tasks.
struct TaskCheck {
  private let plan: RenderPlan
  private let graph: Graph
  /// By shared buffer: the task that writes it; -1 for a source.
  private var writer: [Int: Int] = [:]
  /// By any other buffer: the task that it belongs to.
  private var owner: [Int: Int] = [:]
  private var taskOfNode: [Int: Int] = [:]
  private var taskOfLine: [Int: Int] = [:]

  init(_ plan: RenderPlan, graph: Graph) {
    self.plan = plan
    self.graph = graph
  }

  func verify() throws(GraphError) {
    guard !plan.tasks.isEmpty else {
      guard plan.sharedBuffers.isEmpty else { throw .unsoundPlan("shared buffers without tasks") }
      return
    }
    var check = self
    try check.run()
  }

  private mutating func run() throws(GraphError) {
    for source in plan.sources {
      for buffer in source.buffers { try write(buffer, by: -1) }
    }
    var next = 0
    for (number, task) in plan.tasks.enumerated() {
      guard task.sections.lowerBound == next, !task.sections.isEmpty,
        task.sections.upperBound <= plan.sections.count
      else { throw .unsoundPlan("task \(number) does not begin where the one before ends") }
      next = task.sections.upperBound
      guard task.waitsFor.allSatisfy({ $0 >= 0 && $0 < number }) else {
        throw .unsoundPlan("task \(number) waits for one that is not before it")
      }
      for section in task.sections {
        for step in plan.steps[plan.sections[section].steps] { try look(step, number, task) }
      }
    }
    guard next == plan.sections.count else { throw .unsoundPlan("a section is in no task") }
    for sink in plan.sinks {
      for buffer in sink.buffers where buffer != 0 && writer[buffer] == nil {
        throw .unsoundPlan("sink \(sink.node) reads what is not shared")
      }
    }
    for line in plan.eventLines {
      let connection = graph.connections[line.connection]
      guard taskOfNode[connection.from.node] == taskOfNode[connection.to.node] else {
        throw .unsoundPlan("event connection \(line.connection) leads to another task")
      }
    }
  }

  private mutating func look(
    _ step: RenderPlan.Step, _ number: Int, _ task: RenderPlan.Task
  ) throws(GraphError) {
    for buffer in step.reads where buffer != 0 {
      guard plan.sharedBuffers.contains(buffer) else {
        try claim(buffer, for: number)
        continue
      }
      guard let other = writer[buffer] else {
        throw .unsoundPlan("task \(number) reads buffer \(buffer) before it is written")
      }
      guard other < 0 || other == number || task.waitsFor.contains(other) else {
        throw .unsoundPlan("task \(number) does not wait for task \(other)")
      }
    }
    for buffer in step.writes {
      if plan.sharedBuffers.contains(buffer) {
        try write(buffer, by: number)
      } else {
        try claim(buffer, for: number)
      }
    }
    switch step {
    case .run(let node, _, _): taskOfNode[node] = number
    case .blend(let node, _, _, _):
      guard taskOfNode[node] == number else {
        throw .unsoundPlan("node \(node) is blended in another task")
      }
    case .feedbackRead(let line, _), .feedbackWrite(let line, _):
      guard (taskOfLine[line] ?? number) == number else {
        throw .unsoundPlan("feedback line \(line) leads to another task")
      }
      taskOfLine[line] = number
    case .sum, .delay: break
    }
  }

  private mutating func write(_ buffer: Int, by task: Int) throws(GraphError) {
    guard plan.sharedBuffers.contains(buffer), writer.updateValue(task, forKey: buffer) == nil
    else { throw .unsoundPlan("buffer \(buffer) is shared and written again") }
  }

  private mutating func claim(_ buffer: Int, for task: Int) throws(GraphError) {
    guard (owner.updateValue(task, forKey: buffer) ?? task) == task else {
      throw .unsoundPlan("buffer \(buffer) is used by two tasks")
    }
  }
}
