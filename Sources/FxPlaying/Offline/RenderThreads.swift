import CRealtime
import FxAudio
import FxEngine
import Synchronization

/// The threads that render a program offline: the driver, and helpers for a program with tasks.
///
/// Without tasks, `begin` renders the block at once, and only one block is in flight.
final class RenderThreads: @unchecked Sendable {
  // Sendable: all threads may use the board; the rest never changes or is atomic.
  private let board: TaskBoard?
  /// Only without a board: a block has been begun but not finished.
  private var hasBlock = false
  /// A helper is woken only for a task with at least this many blocks. With fewer, the driver
  /// renders alone, because it would have to wait for its sources anyway.
  private let least: Int
  private let driver = Sleeper.make()
  private let sleepers: [Sleeper]
  private let isStopping = Atomic<Bool>(false)
  /// True if rendering is behind the sources. Otherwise one thread renders and leaves the other
  /// processors to the decoders.
  private let isBehind = Atomic<Bool>(false)
  private var threads: [WorkerThread] = []
  /// One value for each thread that has ended, without the driver.
  private(set) var processorSeconds: [Double] = []
  /// The plugin state of each thread, the driver last. Other threads may read it.
  private let places: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<fx_plugin_thread>?>>
  private let placeCount: Int
  private let givenUpPlace = Atomic<Int>(0)

  /// Starts up to `count` threads, the driver included; fewer if the system refuses.
  init(_ board: TaskBoard?, count: Int) {
    self.board = board
    least = max(1, (board?.batch ?? 1) / 4)
    sleepers = (0..<(board == nil ? 0 : max(count - 1, 0))).map { _ in .make() }
    placeCount = sleepers.count + 1
    places = .allocate(capacity: placeCount)
    for index in 0..<placeCount { (places + index).initialize(to: Atomic(nil)) }
    for index in sleepers.indices {
      var code: Int32 = 0
      let context = Unmanaged.passUnretained(self)
      let thread = WorkerThread(failure: &code) { context.takeUnretainedValue().help(index) }
      guard let thread else { break }
      threads.append(thread)
    }
  }

  deinit {
    join()
    driver.destroy()
    for sleeper in sleepers { sleeper.destroy() }
    places.deinitialize(count: placeCount)
    places.deallocate()
  }

  /// Ends the threads after their current tasks.
  func join() {
    isStopping.store(true, ordering: .relaxed)
    for sleeper in sleepers { sleeper.wake() }
    for thread in threads { thread.join() }
    processorSeconds += threads.map(\.processorSeconds)
    threads = []
  }

  // MARK: On the driver's thread

  /// Registers the calling thread as the driver.
  func enter() { places[placeCount - 1].store(fx_plugin_thread_here(), ordering: .releasing) }

  func leave() { places[placeCount - 1].store(nil, ordering: .releasing) }

  /// Blocks that have been begun but not finished.
  var inFlightCount: Int { board?.inFlightCount ?? (hasBlock ? 1 : 0) }

  /// True when another block may be begun.
  var hasPlace: Bool { inFlightCount < board?.depth ?? 1 }

  /// The offset, in floats from the start of the program's buffers, of the next block to begin or
  /// to finish.
  var beginningOffset: Int { board?.beginningOffset ?? 0 }
  var finishingOffset: Int { board?.finishingOffset ?? 0 }

  /// Begins a block whose sources are filled. `isBehind`: the sources are well ahead of the block.
  func begin(_ renderer: Renderer, frameCount: Int, isBehind: Bool) {
    self.isBehind.store(isBehind, ordering: .relaxed)
    if board != nil {
      renderer.begin(frameCount: frameCount)
    } else {
      renderBlock(renderer, frameCount)
      noteGivenUp()
      hasBlock = true
    }
  }

  /// True when the oldest block that was begun has been rendered.
  var isOldestDone: Bool { board?.isOldestDone ?? hasBlock }

  /// Frees the oldest block's place for a new block.
  func finish() {
    board?.finish()
    hasBlock = false
  }

  /// Renders a batch of a task. False if no batch is ready for this thread.
  func work() -> Bool {
    guard let board else { return false }
    let claim = board.claim(atLeast: 1, spare: least, thread: placeCount)
    if claim.leavesMore { wakeOne() }
    renderTask(board, claim)
    noteGivenUp()
    return claim.blockCount > 0
  }

  /// Waits until there is something to render or to deliver.
  func wait() {
    guard let board else { return }
    driver.sleep { board.isOldestDone || board.hasWork(atLeast: 1) || givenUp != nil }
  }

  /// Wakes one sleeping helper if rendering is behind.
  private func wakeOne() {
    guard isBehind.load(ordering: .relaxed) else { return }
    for sleeper in sleepers where sleeper.wakes() { return }
  }

  // MARK: On any thread

  /// The plugin that a thread no longer waits for.
  var givenUp: UnsafePointer<fx_plugin_place>? {
    UnsafePointer(bitPattern: givenUpPlace.load(ordering: .acquiring))
  }

  private func noteGivenUp() {
    guard let place = fx_plugin_given_up() else { return }
    givenUpPlace.store(Int(bitPattern: place), ordering: .releasing)
  }

  private func help(_ index: Int) {
    guard let board else { return }
    places[index].store(fx_plugin_thread_here(), ordering: .releasing)
    _ = fx_flush_denormals()
    while !isStopping.load(ordering: .relaxed) {
      if isBehind.load(ordering: .relaxed), render(board, index) {
        noteGivenUp()
        driver.wake()
      } else {
        sleepers[index].sleep {
          isBehind.load(ordering: .relaxed) && board.hasWork(atLeast: least)
            || isStopping.load(ordering: .relaxed)
        }
      }
    }
    places[index].store(nil, ordering: .releasing)
  }

  /// Renders a batch of a task that has enough blocks for a helper. False if there is none.
  private func render(_ board: TaskBoard, _ index: Int) -> Bool {
    let claim = board.claim(atLeast: least, spare: least, thread: index + 1)
    if claim.leavesMore { wakeOne() }
    renderTask(board, claim)
    return claim.blockCount > 0
  }

  /// Tells all threads to wait for a plugin no longer than necessary.
  func stopPlugins() {
    for index in 0..<placeCount {
      if let place = places[index].load(ordering: .acquiring) { fx_plugin_thread_stop(place) }
    }
  }

  /// A plugin that one of the threads is running.
  var plugin: UnsafePointer<fx_plugin_place>? {
    for index in 0..<placeCount {
      if let here = places[index].load(ordering: .acquiring),
        let place = fx_plugin_thread_place(here)
      {
        return place
      }
    }
    return nil
  }

  /// Never waits for the threads again: one hangs in a plugin.
  func forget() {
    for thread in threads { thread.forget() }
    threads = []
  }
}
