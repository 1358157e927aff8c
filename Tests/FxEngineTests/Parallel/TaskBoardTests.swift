@testable import FxEngine
import Testing

/// Which task a thread takes.
struct TaskBoardTests {
  @Test func `a thread takes the task that it rendered last before one of another thread`() {
    var arena = Arena()
    defer { arena.destroy() }
    let board = board(taskCount: 3, in: &arena)
    // The threads may claim in any order.
    for turns in [[1, 2, 3], [2, 3, 1], [3, 1, 2]] {
      board.begin(frame: 0, frameCount: 1)
      let claims = turns.map { board.claim(atLeast: 1, spare: 1, thread: $0) }
      #expect(claims.map(\.task) == turns.map { 3 - $0 })
      for claim in claims { board.render(claim) }
      board.finish()
    }
  }

  @Test func `a thread takes another thread's task rather than none`() {
    var arena = Arena()
    defer { arena.destroy() }
    let board = board(taskCount: 2, in: &arena)
    board.begin(frame: 0, frameCount: 1)
    for task in [1, 0] {
      let claim = board.claim(atLeast: 1, spare: 1, thread: 1)
      #expect(claim.task == task)
      board.render(claim)
    }
    board.finish()
    board.begin(frame: 1, frameCount: 1)
    for thread in [2, 3] {
      let claim = board.claim(atLeast: 1, spare: 1, thread: thread)
      #expect(claim.blockCount == 1)
      board.render(claim)
    }
    #expect(board.isOldestDone)
  }

  @Test func `a task with a whole batch comes before one of the same thread with less`() {
    var arena = Arena()
    defer { arena.destroy() }
    let board = board(taskCount: 2, in: &arena)
    board.begin(frame: 0, frameCount: 1)
    // The first thread renders the last task once, and is behind with the other one.
    board.render(board.claim(atLeast: 1, spare: 1, thread: 1))
    board.begin(frame: 1, frameCount: 1)
    let claim = board.claim(atLeast: 1, spare: 1, thread: 1)
    #expect(claim.task == 0)
    #expect(claim.blockCount == 2)
    board.render(claim)
  }

  /// Tasks that render nothing and wait for no other task.
  private func board(taskCount: Int, in arena: inout Arena) -> TaskBoard {
    var shape = PipelineShape(blockFrames: 1)
    shape.depth = 4
    shape.batch = 2
    let tasks = (0..<taskCount).map { _ in
      TaskBoard.Task(
        sections: UnsafePointer(arena.allocate([OperationSection]())), sectionCount: 0,
        inputs: UnsafePointer(arena.allocate([Int]())), inputCount: 0,
        done: arena.allocateCounter(), taken: arena.allocateCounter(),
        thread: arena.allocateCounter())
    }
    return TaskBoard(
      tasks: tasks, last: Array(0..<taskCount), shape: shape, measures: nil, in: &arena)
  }
}
