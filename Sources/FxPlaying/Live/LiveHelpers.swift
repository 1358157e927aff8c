import CRealtime
import FxAudio
import FxEngine
import Synchronization

/// Threads that help the render thread. They start with the first program that has work for them
/// and keep running when it is replaced: for each block they look up the current program.
final class LiveHelpers: @unchecked Sendable {
  // Sendable: one thread starts and joins the threads; the rest is atomic or never changes.
  let crew: RenderCrew
  private let sleepers: UnsafeMutablePointer<Sleeper>
  private let count: Int
  private let isStopping = Atomic<Bool>(false)
  private var threads: [WorkerThread] = []
  /// True after the system refused a helper thread or its real-time scheduling.
  private var isRefused = false

  init(_ slot: ProgramSlot) {
    count = slot.helperCount
    sleepers = .allocate(capacity: count)
    for index in 0..<count { (sleepers + index).initialize(to: .make()) }
    crew = RenderCrew(slot: slot, leader: .make(), helpers: UnsafePointer(sleepers))
  }

  deinit {
    join()
    for index in 0..<count { sleepers[index].destroy() }
    sleepers.deallocate()
    crew.leader.destroy()
  }

  /// Starts the missing helpers for a program, with real-time scheduling if the render thread has
  /// it. If the system refuses a helper, the other threads render.
  func start(for program: RenderProgram, isRealtime: Bool, processors: [Int]) {
    while threads.count < min(count, program.taskCount - 1), !isRefused {
      let index = threads.count
      let context = Unmanaged.passUnretained(self)
      var code: Int32 = 0
      let thread: WorkerThread?
      if isRealtime {
        let started = RealtimeThread.start(
          priority: WorkerThread.renderPriority - 1, processors: processors, failure: &code
        ) { isRealtime in
          // Without real-time scheduling, an interrupted helper would delay the render thread.
          if isRealtime { context.takeUnretainedValue().help(index) }
        }
        thread = started?.thread
        isRefused = started?.isRealtime != true
      } else {
        thread = WorkerThread(processors: processors, failure: &code) {
          context.takeUnretainedValue().help(index)
        }
        isRefused = thread == nil
      }
      if let thread { threads.append(thread) }
    }
  }

  /// Ends the threads. The render thread must have ended.
  func join() {
    isStopping.store(true, ordering: .releasing)
    for index in 0..<count { sleepers[index].wake() }
    for thread in threads { thread.join() }
    threads = []
  }

  /// Never waits for the threads again.
  func forget() {
    for thread in threads { thread.forget() }
    threads = []
  }

  private func help(_ index: Int) {
    _ = fx_flush_denormals()
    fx_prefault_stack()
    while !isStopping.load(ordering: .acquiring) {
      crew.help(index)
      sleepers[index].sleep {
        isStopping.load(ordering: .acquiring) || crew.hasWork(for: index)
      }
    }
  }
}
