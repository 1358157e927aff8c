import CRealtime
import FxAudio

/// How long each node of a program takes to render a block, as a histogram for each node. One more
/// histogram covers the work between nodes: sums, delays, the ends of loops.
///
/// Counted on the render thread, which reads the processor's clock once between two nodes. Any
/// thread may read at any time. A node's histogram is in its memory, so the next program continues
/// it.
struct NodeTimes: BitwiseCopyable, @unchecked Sendable {
  // Sendable: one thread counts; other threads may read histograms meanwhile.

  /// By node, then by separately timed step; the last one covers the work between them.
  private let histograms: UnsafeMutablePointer<TimeHistogram>
  /// The time of whole blocks.
  let whole: TimeHistogram
  /// The numbers of the histograms in use.
  private let used: UnsafePointer<Int>
  private let usedCount: Int
  /// Nodes, and separately timed steps.
  private let timedCount: Int
  private let stepCount: Int
  /// A slot for each node, then one for each task, for the work between its nodes.
  let slotCount: Int
  /// By block in flight and by slot: its ticks. A loop adds to a node's ticks several times.
  private let ticks: UnsafeMutablePointer<UInt64>
  private let secondsPerTick: Double
  private let latest: UnsafeMutablePointer<Latest>
  /// One of `stride` blocks is timed.
  private let stride: Int

  /// Reading the clock costs as much as a cheap unit takes for a frame or two. So with blocks
  /// shorter than this, only some blocks are timed.
  static let framesBetween = 128

  /// The node that took longest in one block.
  struct Slowest: BitwiseCopyable {
    var node = -1
    var seconds = 0.0
  }

  private struct Latest: BitwiseCopyable {
    var slowest = Slowest()
    /// Blocks until the next one is timed.
    var wait = 0
  }

  /// `nodes`: the histogram of each timed node. `steps`: whether each step is timed separately;
  /// empty where none is. `slots`: those with at least one step.
  init(
    nodes: [TimeHistogram?], measuringSteps steps: [Bool] = [], slots: Set<Int>, taskCount: Int = 1,
    blocksInFlight: Int = 1,
    blockFrameCount: Int, in arena: inout Arena
  ) {
    stride = max(1, Self.framesBetween / max(blockFrameCount, 1))
    let count = nodes.count + steps.count
    timedCount = count
    stepCount = steps.count
    slotCount = count + max(taskCount, 1)
    let timed =
      nodes + steps.map { $0 ? .make() : nil } + [slots.contains { $0 >= count } ? .make() : nil]
    let used = Set(slots.map { min($0, count) }).sorted().filter { timed[$0] != nil }
    self.used = UnsafePointer(arena.allocate(used))
    usedCount = used.count
    let whole = TimeHistogram.make()
    self.whole = whole
    // An item without steps is never read, but needs an entry.
    histograms = arena.allocate(timed.map { $0 ?? whole })
    ticks = arena.allocate(UInt64.self, count: slotCount * blocksInFlight, repeating: 0)
    secondsPerTick = fx_seconds_per_tick()
    latest = arena.allocate([Latest()])
  }

  /// Frees its own histograms; the nodes own theirs, and the arena owns the rest.
  func destroy() {
    for index in timedCount - stepCount...timedCount { histogram(index)?.destroy() }
    whole.destroy()
  }

  /// The number of the histogram for work between nodes.
  var between: Int { timedCount }

  /// The times of a separately timed step.
  func histogram(ofStep step: Int) -> TimeHistogram? {
    step >= 0 && step < stepCount ? histogram(timedCount - stepCount + step) : nil
  }

  /// The times of a node so far; nil for one that has no steps.
  func histogram(_ node: Int) -> TimeHistogram? {
    for index in 0..<usedCount where used[index] == node { return histograms[node] }
    return nil
  }

  // MARK: - Realtime

  /// True for a block to be timed.
  @_noLocks
  func beginBlock() -> Bool {
    latest.pointee.slowest.node = -1
    let wait = latest.pointee.wait
    latest.pointee.wait = (wait == 0 ? stride : wait) &- 1
    return wait == 0
  }

  /// Adds the time since `start` to a slot of a block in flight. Returns the current ticks.
  @_noLocks
  func lap(_ slot: Int, since start: UInt64, in block: Int) -> UInt64 {
    let now = fx_ticks()
    // Clocks of different cores may differ, so a change of core may step backwards.
    if now > start { ticks[block + slot] = ticks[block + slot] &+ (now &- start) }
    return now
  }

  /// Counts a finished block.
  @_noLocks
  func endBlock(_ block: Int) {
    let ticks = ticks + block
    var slowest = Slowest()
    var total = 0.0
    for slot in timedCount + 1..<max(slotCount, timedCount + 1) {
      ticks[timedCount] = ticks[timedCount] &+ ticks[slot]
      ticks[slot] = 0
    }
    for index in 0..<usedCount {
      let node = used[index]
      let seconds = Double(ticks[node]) * secondsPerTick
      ticks[node] = 0
      total += seconds
      histograms[node].record(seconds)
      if node < timedCount &- stepCount, seconds > slowest.seconds {
        slowest.node = node
        slowest.seconds = seconds
      }
    }
    whole.record(total)
    latest.pointee.slowest = slowest
  }

  /// The node that took longest in the last block; -1 if that block was not timed.
  var slowest: Slowest {
    @_noLocks get { latest.pointee.slowest }
  }
}
