import FxAudio
import Synchronization

/// The progress of each task of a program, for all threads that render it. A view of memory that
/// the program owns.
///
/// One thread begins blocks, which fills their places in the shared buffers. It finishes them in
/// the same order, once every task has rendered them. Between the two a block is in flight, and no
/// other block uses its places. A task renders a block once the tasks that it waits for have
/// rendered it. It renders one block after another, on one thread at a time. So each unit processes
/// the same blocks in the same order, whichever threads render.
package struct TaskBoard: BitwiseCopyable, @unchecked Sendable {
  // Sendable: counters are atomic; the rest belongs to the thread that began a block or took a
  // task.
  struct Task: BitwiseCopyable {
    let sections: UnsafePointer<OperationSection>
    let sectionCount: Int
    /// Tasks that it waits for.
    let inputs: UnsafePointer<Int>
    let inputCount: Int
    /// Blocks that it has rendered.
    let done: UnsafeMutablePointer<Atomic<Int>>
    /// 1 while a thread renders it.
    let taken: UnsafeMutablePointer<Atomic<Int>>
    /// The number of the thread that rendered it last, whose caches hold its state; 0 at first.
    let thread: UnsafeMutablePointer<Atomic<Int>>
  }

  /// A block in flight.
  private struct Block: BitwiseCopyable {
    var place: BlockPlace
    var looks: BlockLooks
  }

  /// Blocks of a task that a thread has taken. No other thread renders them.
  package struct Claim: BitwiseCopyable {
    /// The task's number; -1 if there was nothing to take.
    let task: Int
    package let blockCount: Int
    /// True when there is work for another thread as well.
    package let leavesMore: Bool

    @_noLocks
    fileprivate init(task: Int, blockCount: Int, leavesMore: Bool) {
      self.task = task
      self.blockCount = blockCount
      self.leavesMore = leavesMore
    }
  }

  private let tasks: UnsafePointer<Task>
  package let taskCount: Int
  /// Tasks that no other task waits for.
  private let last: UnsafePointer<Int>
  private let lastCount: Int
  private let blocks: UnsafeMutablePointer<Block>
  /// The most blocks in flight.
  package let depth: Int
  /// The most blocks of a task that a thread renders before it checks for other work.
  package let batch: Int
  /// Floats from one block's place in a shared buffer to the next.
  private let stride: Int
  private let begun: UnsafeMutablePointer<Atomic<Int>>
  /// Only the thread that begins blocks uses it.
  private let finished: UnsafeMutablePointer<Int>
  private let measures: ProgramMeasures?

  init(
    tasks: [Task], last: [Int], shape: PipelineShape, measures: ProgramMeasures?,
    in arena: inout Arena
  ) {
    self.tasks = UnsafePointer(arena.allocate(tasks))
    taskCount = tasks.count
    self.last = UnsafePointer(arena.allocate(last))
    lastCount = last.count
    depth = shape.depth
    batch = shape.batch
    stride = shape.stride
    blocks = arena.allocate(
      [Block](
        repeating: Block(place: BlockPlace(frame: 0, frameCount: 0), looks: BlockLooks()),
        count: shape.depth))
    begun = arena.allocateCounter()
    finished = arena.allocate([0])
    self.measures = measures
  }

  // MARK: - Realtime

  /// Blocks that were begun and not finished.
  package var inFlightCount: Int {
    @_noLocks get { begun.pointee.load(ordering: .relaxed) &- finished.pointee }
  }

  /// The offset of the next block to begin, or to finish, in shared buffers.
  package var beginningOffset: Int {
    @_noLocks get { begun.pointee.load(ordering: .relaxed) % depth &* stride }
  }
  package var finishingOffset: Int {
    @_noLocks get { finished.pointee % depth &* stride }
  }

  /// Makes a block available to the tasks. Its sources are already in their places.
  @_noLocks
  func begin(frame: Int, frameCount: Int) {
    let number = begun.pointee.load(ordering: .relaxed)
    let slot = number % depth
    blocks[slot].place = BlockPlace(frame: frame, slot: slot &* stride, frameCount: frameCount)
    blocks[slot].looks = looks(atBlock: slot)
    begun.pointee.store(number &+ 1, ordering: .releasing)
  }

  @_noLocks
  private func looks(atBlock slot: Int) -> BlockLooks {
    guard let measures else { return BlockLooks() }
    return measures.looks(atBlock: slot)
  }

  /// True when every task has rendered the oldest block in flight.
  package var isOldestDone: Bool {
    @_noLocks get {
      guard inFlightCount > 0 else { return false }
      for index in 0..<lastCount
      where tasks[last[index]].done.pointee.load(ordering: .acquiring) <= finished.pointee {
        return false
      }
      return true
    }
  }

  /// Frees the places of the oldest block. All tasks have rendered it, and its sinks have been
  /// read.
  @_noLocks
  package func finish() {
    let looks = blocks[finished.pointee % depth].looks
    if let measures, looks.isDue { measures.times.endBlock(looks.ticks) }
    finished.pointee &+= 1
  }

  /// True when a task could render at least `least` blocks.
  @_noLocks
  package func hasWork(atLeast least: Int) -> Bool {
    let begun = begun.pointee.load(ordering: .acquiring)
    for number in 0..<taskCount where blockCount(number, begun) >= least { return true }
    return false
  }

  /// Takes a task that can render at least `least` blocks, and takes up to a batch of them. It
  /// prefers the task with most blocks of a batch; among equals, one that this thread rendered
  /// last. `spare` blocks of another task are enough work for another thread. The caller must
  /// render the taken blocks.
  ///
  /// - Parameter thread: The number of the thread, from 1.
  @_noLocks
  package func claim(atLeast least: Int, spare: Int, thread: Int) -> Claim {
    while true {
      let begun = begun.pointee.load(ordering: .acquiring)
      var (best, most) = (-1, -1)
      var spareCount = 0
      for number in 0..<taskCount {
        let count = blockCount(number, begun)
        guard count >= least else { continue }
        if count >= spare { spareCount = spareCount &+ 1 }
        let isOwn = tasks[number].thread.pointee.load(ordering: .relaxed) == thread
        let rank = 2 &* min(count, batch) &+ (isOwn ? 1 : 0)
        // Among equals the last task: its input is still in the cache.
        if rank >= most { (best, most) = (number, rank) }
      }
      guard best >= 0 else { return Claim(task: -1, blockCount: 0, leavesMore: false) }
      let task = tasks[best]
      guard task.taken.pointee.exchange(1, ordering: .acquiring) == 0 else { continue }
      // Meanwhile another thread may have rendered them, and later blocks that were begun since.
      let count = min(blockCount(best, begun, isMine: true), batch)
      if count > 0 {
        task.thread.pointee.store(thread, ordering: .relaxed)
        return Claim(task: best, blockCount: count, leavesMore: spareCount > 1)
      }
      task.taken.pointee.store(0, ordering: .releasing)
    }
  }

  /// Renders the blocks that were taken, and releases their task.
  @_noLocks
  package func render(_ claim: Claim) {
    guard claim.blockCount > 0 else { return }
    let task = tasks[claim.task]
    render(task, claim.blockCount)
    task.taken.pointee.store(0, ordering: .releasing)
  }

  /// Blocks that a task could render now; 0 while another thread renders it.
  @_noLocks
  private func blockCount(_ number: Int, _ begun: Int, isMine: Bool = false) -> Int {
    let task = tasks[number]
    if !isMine, task.taken.pointee.load(ordering: .relaxed) != 0 { return 0 }
    var end = begun
    for index in 0..<task.inputCount {
      end = min(end, tasks[task.inputs[index]].done.pointee.load(ordering: .acquiring))
    }
    return end &- task.done.pointee.load(ordering: .relaxed)
  }

  @_noLocks
  private func render(_ task: Task, _ count: Int) {
    var number = task.done.pointee.load(ordering: .relaxed)
    for _ in 0..<count {
      let block = blocks[number % depth]
      if let measures, block.looks.isDue {
        for index in 0..<task.sectionCount {
          task.sections[index].render(block.place, measures: measures, block.looks)
        }
      } else {
        for index in 0..<task.sectionCount { task.sections[index].render(block.place) }
      }
      number = number &+ 1
      task.done.pointee.store(number, ordering: .releasing)
    }
  }
}

/// How many blocks of a program may be in flight, and how they lie in shared buffers.
struct PipelineShape: Hashable {
  var depth = 1
  var batch = 1
  /// Floats of a block's place.
  let stride: Int

  /// Frames of a task that a thread renders at once: enough to make the cost of the hand-over
  /// negligible, few enough to stay in the cache.
  static let batchFrames = 4096
  /// The most bytes for shared buffers.
  static let mostBytes = 16 << 20

  /// `threads` threads render. More than one block is in flight only where nothing may change
  /// between two blocks.
  init(
    blockFrames: Int, threads: Int = 1, sharedBufferCount: Int = 0, isPipeline: Bool = false
  ) {
    // One cache line more than a block, so that equal frames of two buffers are not in one cache
    // set.
    stride = (blockFrames + 15) / 16 * 16 + 16
    guard isPipeline else { return }
    batch = max(1, Self.batchFrames / max(blockFrames, 1))
    let bytes = max(sharedBufferCount, 1) * stride * MemoryLayout<Float>.stride
    depth = max(2, min(batch * (threads + 2), Self.mostBytes / bytes))
    batch = max(1, min(batch, depth / 2))
  }
}
