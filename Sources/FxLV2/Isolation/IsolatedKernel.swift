import FxProcesses
import CRealtime
import FxAudio
import Synchronization

/// A plugin in a process of its own, as the render thread sees it.
///
/// The input is gathered to whole blocks on a grid that begins with the first frame. A full block is
/// handed over, and what came of the block before is given out meanwhile: one block of latency. Live
/// nothing waits: a block whose answer is not there is replaced by the dry signal, and an answer that
/// comes later is dropped. Offline the thread waits, so that a render does not depend on timing.
struct IsolatedKernel {
  /// What the engine calls.
  static let entry = UnitEntry(
    render: {
      $0.assumingMemoryBound(to: IsolatedKernel.self).pointee.render(RenderBlock(at: $1))
    },
    reset: { $0.assumingMemoryBound(to: IsolatedKernel.self).pointee.reset() })

  /// What the output of the block at hand comes from.
  enum Origin {
    /// Before the first block has been rendered.
    case silence
    /// The answer to the block with this count.
    case answer(Int)
    case dry
  }

  let exchange: HostExchange
  let hasEnded: UnsafeMutablePointer<Atomic<Bool>>
  /// Set when the process is of no more use: it is killed.
  let isUnwanted: UnsafeMutablePointer<Atomic<Bool>>
  let monitor: UnitMonitor
  let board: ReadingBoard
  let place: LV2Place.Pointer
  /// Blocks that were not there in time.
  let lateBlocks: UnsafeMutablePointer<Atomic<Int>>
  /// Seconds that a block may take before its process counts as hung.
  let limit: Double
  /// True where the render thread waits for the process: offline.
  let waits: Bool
  /// By slot, when its block was submitted.
  let submissions: UnsafeMutablePointer<Double>
  var dry: DryPath
  private var events: IsolatedEvents
  private var origin = Origin.silence
  /// Frames of the block at hand that have been gathered.
  private var fill = 0
  /// The frame that follows the last one rendered.
  private var nextFrame = Int.min
  /// Blocks that have been submitted.
  private var submitted = 0
  /// The count of the block whose answer is due next; -1 when it was not submitted.
  private var due = -1
  /// The block at hand has a slot.
  private var isGathering = false
  /// The block at hand is the first of its grid.
  private var isFirst = true
  /// After a fault, for good.
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

  /// Begins anew, on the control thread while nobody renders and the process is at rest.
  mutating func restart() {
    dry.clear()
    nextFrame = Int.min
  }

  // MARK: - Realtime

  /// Does nothing, as an LV2 plugin's does: see `LV2Kernel`.
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

  /// Begins a grid of blocks where frames do not follow on those before. What has been gathered is let
  /// go; what the plugin still sounds of goes on.
  @_noLocks
  private mutating func startGrid() {
    if nextFrame != Int.min { dry.clear() }
    fill = 0
    isFirst = true
    due = -1
    origin = .silence
  }

  /// The first frame of a block: decides where its output comes from and makes room for its input.
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

  /// Takes the answer to the block before.
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
    // What the process writes there may be anything.
    let latency = exchange.header(answer).pointee.latency
    monitor.latency = min(max(latency, 0), 1 << 31) + exchange.sizes.frameCount
    let readings = exchange.readings(answer)
    for cell in 0..<exchange.sizes.readingCount { board[cell] = readings[cell] }
  }

  /// The block that is due; nil when there is no answer to it that is good for anything.
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
      // What it says may be anything.
      let offset = min(header.pointee.badFrame, exchange.sizes.frameCount - 1)
      fail(.nonFinite, frame: header.pointee.frame &+ offset)
      return nil
    }
    return due
  }

  /// Seconds that a block is waited for where the render is to stop.
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

  /// Says what is wrong when an answer is not there: its process has gone, or is over its time.
  @_noLocks
  private mutating func check(before frame: Int) {
    // First whether it has ended: what it completed before is then all that it ever will.
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

  /// Takes the plugin out for good.
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

  /// The last frame of a block: hands it over.
  @_noLocks
  private mutating func finish() {
    fill = 0
    due = -1
    if isGathering {
      submissions[submitted & (HostExchange.slotCount - 1)] = fx_monotonic_seconds()
      due = submitted
      submitted += 1
      exchange.submitted.pointee.store(submitted, ordering: .releasing)
      // Enters the kernel only when the process sleeps, and never waits there.
      fx_semaphore_post(exchange.request)
    }
    isGathering = false
  }
}
