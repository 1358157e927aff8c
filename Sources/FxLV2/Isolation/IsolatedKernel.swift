import CRealtime
import FxAudio
import Synchronization

/// A plugin in a separate process, as the render thread uses it.
///
/// The input is collected into whole blocks on a grid that begins with the first frame. A full
/// block is submitted to the process while the output of the previous block is played: one block of
/// latency. Live, the render thread never waits: the dry signal replaces a block that is late, and
/// the late answer is dropped. Offline, the thread waits, so that a render does not depend on
/// timing.
struct IsolatedKernel {
  /// The functions that the engine calls.
  static let entry = UnitEntry(
    render: {
      $0.assumingMemoryBound(to: IsolatedKernel.self).pointee.render(RenderBlock(at: $1))
    },
    reset: { $0.assumingMemoryBound(to: IsolatedKernel.self).pointee.reset() })

  /// The source of the output of the current block.
  enum Origin {
    /// Before the first block has been rendered.
    case silence
    /// The output of the block with this count.
    case answer(Int)
    case dry
  }

  let exchange: HostExchange
  let hasEnded: UnsafeMutablePointer<Atomic<Bool>>
  /// Set when the process is no longer needed and must be killed.
  let isUnwanted: UnsafeMutablePointer<Atomic<Bool>>
  let monitor: UnitMonitor
  let board: ReadingBoard
  let place: LV2Place.Pointer
  /// The number of blocks that were late.
  let lateBlocks: UnsafeMutablePointer<Atomic<Int>>
  /// Seconds that a block may take before its process counts as hung.
  let limit: Double
  /// True where the render thread waits for the process: offline.
  let waits: Bool
  /// The time when each slot's block was submitted.
  let submissions: UnsafeMutablePointer<Double>
  var dry: DryPath
  private var events: IsolatedEvents
  private var origin = Origin.silence
  /// Collected frames of the current block.
  private var fill = 0
  /// The frame that follows the last one rendered.
  private var nextFrame = Int.min
  /// The number of submitted blocks.
  private var submitted = 0
  /// The count of the block whose answer is needed next; -1 when it was not submitted.
  private var due = -1
  /// True when the current block has a slot.
  private var isGathering = false
  /// True when the current block is the first of its grid.
  private var isFirst = true
  /// True after a fault; never reset.
  private var isOut = false

  init(
    exchange: HostExchange, process: ChildProcess, monitor: UnitMonitor, board: ReadingBoard,
    place: LV2Place.Pointer, lateBlocks: UnsafeMutablePointer<Atomic<Int>>, limit: Double,
    waits: Bool,
    submissions: UnsafeMutablePointer<Double>, dry: DryPath, events: IsolatedEvents
  ) {
    self.exchange = exchange
    hasEnded = process.hasEnded
    isUnwanted = process.isUnwanted
    self.monitor = monitor
    self.board = board
    self.place = place
    self.lateBlocks = lateBlocks
    self.limit = limit
    self.waits = waits
    self.submissions = submissions
    self.dry = dry
    self.events = events
  }

  /// Restarts, on the control thread while nobody renders and the process is idle.
  mutating func restart() {
    dry.clear()
    nextFrame = Int.min
  }

  // MARK: - Realtime

  /// Does nothing, as in `LV2Kernel`.
  @_noLocks
  func reset() {}

  @_noLocks
  mutating func render(_ block: RenderBlock) {
    if block.frame != nextFrame { startGrid() }
    nextFrame = block.frame + block.frameCount
    events.begin(block.frameCount)
    let length = exchange.sizes.frameCount
    var offset = 0
    while offset < block.frameCount {
      if fill == 0 { begin(block, offset) }
      let count = min(length - fill, block.frameCount - offset)
      gather(block, offset, count)
      give(block, offset, count)
      fill += count
      offset += count
      if fill == length { finish() }
    }
  }

  /// Starts a new grid where the frames do not follow the previous ones. The collected input is
  /// dropped; the plugin keeps its state.
  @_noLocks
  private mutating func startGrid() {
    if nextFrame != Int.min { dry.clear() }
    fill = 0
    isFirst = true
    due = -1
    origin = .silence
  }

  /// At the first frame of a block: chooses the source of its output and reserves a slot for its
  /// input.
  @_noLocks
  private mutating func begin(_ block: RenderBlock, _ offset: Int) {
    if !isFirst { collect(before: block.frame + offset) }
    isFirst = false
    isGathering =
      !isOut
      && submitted &- exchange.completed.pointee.load(ordering: .acquiring)
        < HostExchange.slotCount
    guard isGathering else { return }
    exchange.header(submitted).pointee.frame = block.frame + offset
    events.clear(submitted)
    exchange.note(block.time, submitted, from: block.frame + offset)
    let parameters = exchange.parameters(submitted)
    for index in 0..<exchange.sizes.parameterCount {
      parameters[index] = block.parameters[index][offset]
    }
  }

  /// Takes the answer to the previous block.
  @_noLocks
  private mutating func collect(before frame: Int) {
    let wasDry = if case .dry = origin { true } else { false }
    guard !isOut, let answer = answer(before: frame) else {
      if !wasDry { dry.changeOver() }
      origin = .dry
      return
    }
    if wasDry { dry.changeOver() }
    origin = .answer(answer)
    // The process may write anything there.
    let latency = exchange.header(answer).pointee.latency
    monitor.latency = min(max(latency, 0), 1 << 31) + exchange.sizes.frameCount
    let readings = exchange.readings(answer)
    for cell in 0..<exchange.sizes.readingCount { board[cell] = readings[cell] }
  }

  /// The block that is due; nil when it has no usable answer.
  @_noLocks
  private mutating func answer(before frame: Int) -> Int? {
    if waits, due >= 0 { wait() }
    guard due >= 0, exchange.completed.pointee.load(ordering: .acquiring) > due else {
      check(before: frame)
      if !isOut { lateBlocks.pointee.add(1, ordering: .relaxed) }
      return nil
    }
    let header = exchange.header(due)
    guard header.pointee.badFrame < 0 else {
      // The process may write anything there.
      let offset = min(header.pointee.badFrame, exchange.sizes.frameCount - 1)
      fail(.nonFinite, frame: header.pointee.frame &+ offset)
      return nil
    }
    return due
  }

  /// How long to wait for a block when the render must stop, in seconds.
  private static var patience: Double {
    @_noLocks get { 0.5 }
  }

  /// Waits for the due block, offline.
  @_noLocks
  private func wait() {
    let submission = submissions[due & (HostExchange.slotCount - 1)]
    let before = fx_plugin_enters(place)
    while exchange.completed.pointee.load(ordering: .acquiring) <= due,
      !hasEnded.pointee.load(ordering: .acquiring)
    {
      let spent = fx_monotonic_seconds() - submission
      guard spent < limit else { break }
      if fx_plugin_is_stopping() != 0, spent > IsolatedKernel.patience {
        fx_plugin_gives_up()
        break
      }
      _ = fx_semaphore_await(exchange.answer, min(limit - spent, 0.1))
    }
    fx_plugin_leaves(before)
  }

  /// Raises a fault when an answer is missing because the process has ended or exceeded its time.
  @_noLocks
  private mutating func check(before frame: Int) {
    // Read this first: after the end, the completed count is final.
    let hasEnded = hasEnded.pointee.load(ordering: .acquiring)
    let oldest = exchange.completed.pointee.load(ordering: .acquiring)
    let isBusy = oldest < submitted
    let start =
      isBusy ? exchange.header(oldest).pointee.frame : frame - exchange.sizes.frameCount
    if hasEnded {
      if oldest <= due || due < 0 { fail(.crashed, frame: start) }
    } else if isBusy {
      let submission = submissions[oldest & (HostExchange.slotCount - 1)]
      if fx_monotonic_seconds() - submission >= limit { fail(.hung, frame: start) }
    }
  }

  /// Removes the plugin permanently.
  @_noLocks
  private mutating func fail(_ fault: UnitFault, frame: Int) {
    let number: UInt32 =
      switch fault {
      case .nonFinite: 1
      case .crashed: 2
      case .hung: 3
      }
    isOut = true
    monitor.raise(number, frame: frame)
    isUnwanted.pointee.store(true, ordering: .releasing)
  }

  @_noLocks
  private func gather(_ block: RenderBlock, _ offset: Int, _ count: Int) {
    for channel in 0..<min(block.inputCount, exchange.sizes.inputCount) {
      let samples = block.inputs[channel] + offset
      dry.write(samples, channel: channel, frameCount: count)
      guard isGathering else { continue }
      let input = exchange.input(submitted, channel) + fill
      for frame in 0..<count { input[frame] = samples[frame] }
    }
    if isGathering { events.gather(block, offset, count, into: submitted, at: fill) }
  }

  @_noLocks
  private mutating func give(_ block: RenderBlock, _ offset: Int, _ count: Int) {
    dry.advance(count)
    let delay = monitor.latency + count
    for channel in 0..<block.outputCount {
      let samples = block.outputs[channel] + offset
      if case .answer(let number) = origin, channel < exchange.sizes.outputCount {
        let output = exchange.output(number, channel) + fill
        for frame in 0..<count { samples[frame] = output[frame] }
      } else if case .dry = origin {
        dry.read(into: samples, channel: channel, delay: delay, frameCount: count)
      } else {
        for frame in 0..<count { samples[frame] = 0 }
      }
    }
    if case .answer(let number) = origin { events.give(number, from: fill, block, offset, count) }
    dry.smooth(block.outputs, block.outputCount, offset: offset, frameCount: count)
  }

  /// At the last frame of a block: submits it.
  @_noLocks
  private mutating func finish() {
    fill = 0
    due = -1
    if isGathering {
      submissions[submitted & (HostExchange.slotCount - 1)] = fx_monotonic_seconds()
      due = submitted
      submitted += 1
      exchange.submitted.pointee.store(submitted, ordering: .releasing)
      // Enters the kernel only when the process sleeps, and never blocks there.
      fx_semaphore_post(exchange.request)
    }
    isGathering = false
  }
}
