import Synchronization

/// Hands programs to a render thread between two of its blocks, and lets go of the ones that it has
/// left. The control thread's half; `slot` is the other one.
package final class ProgramExchange {
  /// The program that was sent last: parameters are set there.
  package private(set) var current: RenderProgram
  /// Every program that the render thread may still touch, the oldest first, with its number.
  private var held: [(number: Int, program: RenderProgram)]
  private let memory: UnsafeMutablePointer<ProgramSlot.Memory>

  /// Starts with a program that the render thread has from the beginning.
  package init(_ program: RenderProgram) {
    current = program
    held = [(0, program)]
    memory = .allocate(capacity: 1)
    memory.initialize(to: ProgramSlot.Memory(program.view))
  }

  /// The exchange outlives the render thread's use of its slot.
  deinit {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  /// For the render thread.
  package var slot: ProgramSlot { ProgramSlot(memory) }

  /// Hands over the next program. False while the last one has not been taken yet.
  package func send(_ program: RenderProgram) -> Bool {
    guard memory.pointee.pending.load(ordering: .acquiring) == 0 else { return false }
    let number = (held.last?.number ?? 0) + 1
    held.append((number, program))
    current = program
    memory.pointee.pending.store(Int(bitPattern: program.viewAddress), ordering: .releasing)
    return true
  }

  /// Lets go of the programs that the render thread has left, and says how many there were. To be
  /// called every now and then; their memory is freed here.
  @discardableResult
  package func retire() -> Int {
    let running = memory.pointee.takenCount.load(ordering: .acquiring)
    let count = held.prefix { $0.number < running }.count
    held.removeFirst(count)
    return count
  }

  /// True when the render thread runs the program that was sent last.
  package var isTaken: Bool {
    memory.pointee.takenCount.load(ordering: .acquiring) == held.last?.number
  }
}

/// Where a render thread finds its program. A view of memory that the exchange owns.
package struct ProgramSlot: BitwiseCopyable, @unchecked Sendable {
  // Sendable: what is not atomic belongs to the one thread that renders.
  struct Memory: ~Copyable {
    /// The address of a program's view; 0 for none.
    let pending = Atomic<Int>(0)
    /// Programs that were taken so far.
    let takenCount = Atomic<Int>(0)
    var view: ProgramView

    init(_ view: ProgramView) { self.view = view }
  }

  private let memory: UnsafeMutablePointer<Memory>

  init(_ memory: UnsafeMutablePointer<Memory>) { self.memory = memory }

  // MARK: - Realtime

  /// The program to render.
  package var view: ProgramView {
    @_noLocks get { memory.pointee.view }
  }

  /// Takes the next program, between two blocks. True when there was one: everything that was read
  /// from `view` is to be read anew.
  @_noLocks
  package func receive() -> Bool {
    let address = memory.pointee.pending.load(ordering: .acquiring)
    guard let next = UnsafePointer<ProgramView>(bitPattern: address)?.pointee else { return false }
    next.renderer.take(over: memory.pointee.view.renderer)
    memory.pointee.view = next
    memory.pointee.takenCount.add(1, ordering: .releasing)
    memory.pointee.pending.store(0, ordering: .releasing)
    return true
  }
}
