import CRealtime
import FxEngine
import FxFrames
import Synchronization

/// Who renders a program offline: the thread that drives it, and others for a program with tasks.
///
/// Without tasks a block is rendered as it is begun, and is the only one in flight.
final class RenderThreads: @unchecked Sendable {
  // Sendable: the board is for all threads; the rest never changes, or is atomic.
  private let board: TaskBoard?
  /// Without a board: a block has been begun and not been finished.
  private var hasBlock = false
  /// Blocks that a task must have for a thread to be woken: below that the driver renders alone, which
  /// waits for its sources then.
  private let least: Int
  private let driver = Sleeper.make()
  private let sleepers: [Sleeper]
  private let isStopping = Atomic<Bool>(false)
  /// The sources are ahead of what is rendered; while they are not, one thread renders, and leaves the
  /// processors to the decoders.
  private let isBehind = Atomic<Bool>(false)
  private var threads: [WorkerThread] = []
  /// By thread that has ended, the driver's left out.
  private(set) var processorSeconds: [Double] = []
  /// By thread, the driver last: what others may look at.
  private let places: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<fx_plugin_thread>?>>
  private let placeCount: Int
  private let givenUpPlace = Atomic<Int>(0)

  /// `count` threads altogether; where the system has fewer to give, fewer.
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

  /// Ends the threads once each has rendered what it has taken.
  func join() {
    isStopping.store(true, ordering: .relaxed)
    for sleeper in sleepers { sleeper.wake() }
    for thread in threads { thread.join() }
    processorSeconds += threads.map(\.processorSeconds)
    threads = []
  }

  // MARK: On the driver's thread

  /// Says which thread drives.
  func enter() { places[placeCount - 1].store(fx_plugin_thread_here(), ordering: .releasing) }

  func leave() { places[placeCount - 1].store(nil, ordering: .releasing) }

  /// Blocks that were begun and not finished.
  var inFlightCount: Int { board?.inFlightCount ?? (hasBlock ? 1 : 0) }

  /// True when another block may be begun.
  var hasPlace: Bool { inFlightCount < board?.depth ?? 1 }

  /// Floats from the beginning of the program's buffers to the place of the next block to begin, or to
  /// finish.
  var beginningOffset: Int { board?.beginningOffset ?? 0 }
  var finishingOffset: Int { board?.finishingOffset ?? 0 }

  /// Begins a block whose sources are in their place. `isBehind` where they are well ahead of it.
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

  /// Gives the place of the oldest block to another one.
  func finish() {
    board?.finish()
    hasBlock = false
  }

  /// Renders a batch of some task. False when there is none for this thread.
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

  /// Lets a thread look for work, where one sleeps and is wanted.
  private func wakeOne() {
    guard isBehind.load(ordering: .relaxed) else { return }
    for sleeper in sleepers where sleeper.wakes() { return }
  }

  // MARK: On any thread

  /// The plugin that a thread has stopped waiting for.
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

  /// Renders a batch of some task that has enough for a thread. False when there is none.
  private func render(_ board: TaskBoard, _ index: Int) -> Bool {
    let claim = board.claim(atLeast: least, spare: least, thread: index + 1)
    if claim.leavesMore { wakeOne() }
    renderTask(board, claim)
    return claim.blockCount > 0
  }

  /// Asks all of them not to wait for a plugin any longer than they must.
  func stopPlugins() {
    for index in 0..<placeCount {
      if let place = places[index].load(ordering: .acquiring) { fx_plugin_thread_stop(place) }
    }
  }

  /// A plugin that one of them is in.
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

  /// Never waits for them again: one hangs in a plugin.
  func forget() {
    for thread in threads { thread.forget() }
    threads = []
  }
}
