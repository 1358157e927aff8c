import Synchronization

/// Passes programs to a render thread between two of its blocks, and releases the ones that it no
/// longer uses. This is the control thread's half; `slot` is the render thread's.
package final class ProgramExchange {
  /// The program that was sent last. Parameters are set on it.
  package private(set) var current: RenderProgram
  /// Every program that the render thread may still use, oldest first, with its number.
  private var held: [(number: Int, program: RenderProgram)]
  private let memory: UnsafeMutablePointer<ProgramSlot.Memory>

  /// Starts with a program that the render thread has from the beginning. Up to `helperCount`
  /// helpers may render it together with the render thread.
  package init(_ program: RenderProgram, helperCount: Int = 0) {
    current = program
    held = [(0, program)]
    memory = .allocate(capacity: 1)
    memory.initialize(to: ProgramSlot.Memory(program.view, helperCount: helperCount))
  }

  /// The exchange must outlive the threads' use of its slot.
  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  /// For the render thread.
  package var slot: ProgramSlot { ProgramSlot(memory) }

  /// Sends the next program. False while the render thread has not taken the last one yet.
  package func send(_ program: RenderProgram) -> Bool {
    guard memory.pointee.pending.load(ordering: .acquiring) == 0 else { return false }
    let number = (held.last?.number ?? 0) + 1
    held.append((number, program))
    current = program
    memory.pointee.pending.store(Int(bitPattern: program.viewAddress), ordering: .releasing)
    return true
  }

  /// Releases the programs that the render thread no longer uses, and returns how many there were.
  /// Call it regularly: their memory is freed here.
  @discardableResult
  package func retire() -> Int {
    let running = memory.pointee.takenCount.load(ordering: .acquiring)
    let count = held.prefix {
      $0.number < running && !slot.isRead($0.program.renderer.boardPlace)
    }.count
    held.removeFirst(count)
    return count
  }

  /// True when the render thread runs the program that was sent last.
  package var isTaken: Bool {
    memory.pointee.takenCount.load(ordering: .acquiring) == held.last?.number
  }
}

/// The program of a render thread and its helpers: a view of memory that the exchange owns.
package struct ProgramSlot: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the fields that are not atomic belong to the render thread.
  struct Memory: ~Copyable {
    /// The address of a program's view; 0 for none.
    let pending = Atomic<Int>(0)
    /// Programs taken so far.
    let takenCount = Atomic<Int>(0)
    var view: ProgramView
    /// The address of the running program's task board; 0 for none.
    let board: Atomic<Int>
    /// By helper: the board that it reads, which must not be freed; 0 for none. (A hazard pointer:
    /// M. Michael, "Hazard pointers: safe memory reclamation for lock-free objects", 2004.)
    let readBoards: UnsafeMutablePointer<Atomic<Int>>
    let helperCount: Int

    init(_ view: ProgramView, helperCount: Int) {
      self.view = view
      self.helperCount = helperCount
      board = Atomic(Int(bitPattern: view.renderer.boardPlace))
      readBoards = .allocate(capacity: helperCount)
      for helper in 0..<helperCount { (readBoards + helper).initialize(to: Atomic(0)) }
    }

    deinit {
      readBoards.deinitialize(count: helperCount)
      readBoards.deallocate()
    }
  }

  private let memory: UnsafeMutablePointer<Memory>

  init(_ memory: UnsafeMutablePointer<Memory>) { self.memory = memory }

  /// True while a helper reads a board.
  func isRead(_ board: UnsafePointer<TaskBoard>?) -> Bool {
    guard let board else { return false }
    return (0..<helperCount).contains {
      memory.pointee.readBoards[$0].load(ordering: .sequentiallyConsistent)
        == Int(bitPattern: board)
    }
  }

  // MARK: - Realtime

  package var helperCount: Int {
    @_noLocks get { memory.pointee.helperCount }
  }

  /// The running program's board for a helper, until it calls `leave`; nil if it has none.
  @_noLocks
  package func enter(helper: Int) -> TaskBoard? {
    while true {
      let address = memory.pointee.board.load(ordering: .sequentiallyConsistent)
      memory.pointee.readBoards[helper].store(address, ordering: .sequentiallyConsistent)
      // The board is safe only if it is still the running one after it was stored.
      if memory.pointee.board.load(ordering: .sequentiallyConsistent) == address {
        return UnsafePointer<TaskBoard>(bitPattern: address)?.pointee
      }
    }
  }

  @_noLocks
  package func leave(helper: Int) {
    memory.pointee.readBoards[helper].store(0, ordering: .releasing)
  }

  /// The program to render.
  package var view: ProgramView {
    @_noLocks get { memory.pointee.view }
  }

  /// Takes the next program, between two blocks. True when there was one: read everything from
  /// `view` again.
  @_noLocks
  package func receive() -> Bool {
    let address = memory.pointee.pending.load(ordering: .acquiring)
    guard let next = UnsafePointer<ProgramView>(bitPattern: address)?.pointee else { return false }
    next.renderer.take(over: memory.pointee.view.renderer)
    memory.pointee.view = next
    memory.pointee.board.store(
      Int(bitPattern: next.renderer.boardPlace), ordering: .sequentiallyConsistent)
    memory.pointee.takenCount.add(1, ordering: .releasing)
    memory.pointee.pending.store(0, ordering: .releasing)
    return true
  }
}
