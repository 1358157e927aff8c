import CRealtime
import FxAudio

/// How long each node of a program takes to render a block: a histogram each, and one for what lies
/// between the nodes: sums, delays, the ends of loops.
///
/// Counted on the render thread with one look at the processor's clock between two nodes; anybody
/// may read at any time. A node's histogram is in its memory, and goes on in the next program.
struct NodeTimes: BitwiseCopyable, @unchecked Sendable {
  // Sendable: one thread counts; histograms may be read meanwhile.

  /// By node, by step that is timed by itself, and behind the last one what lies between them.
  private let histograms: UnsafeMutablePointer<TimeHistogram>
  /// All of a block.
  let whole: TimeHistogram
  /// Histograms of what has anything to render.
  private let used: UnsafePointer<Int>
  private let usedCount: Int
  /// Nodes, and steps that are timed by themselves.
  private let timedCount: Int
  private let stepCount: Int
  /// A slot a node, and behind the last node one a task for what lies between its nodes.
  let slotCount: Int
  /// By block in flight and by slot: its ticks; a loop comes to its nodes several times.
  private let ticks: UnsafeMutablePointer<UInt64>
  private let secondsPerTick: Double
  private let latest: UnsafeMutablePointer<Latest>
  /// Of so many blocks one is timed.
  private let stride: Int

  /// Looking at the clock costs as much as a cheap unit takes for a frame or two: with blocks shorter
  /// than this not every one is timed.
  static let framesBetween = 128

  /// The node that took longest of one block.
  struct Slowest: BitwiseCopyable {
    var node = -1
    var seconds = 0.0
  }

  private struct Latest: BitwiseCopyable {
    var slowest = Slowest()
    /// Blocks until the next one is timed.
    var wait = 0
  }

  /// `nodes`: the histogram of each node that is timed; `steps`: whether each step is timed by itself,
  /// empty where none is; `slots`: those that any step belongs to.
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
    // What has no steps is never asked for; it needs an entry all the same.
    histograms = arena.allocate(timed.map { $0 ?? whole })
    ticks = arena.allocate(UInt64.self, count: slotCount * blocksInFlight, repeating: 0)
    secondsPerTick = fx_seconds_per_tick()
    latest = arena.allocate([Latest()])
  }

  /// Frees what is its own; nodes keep theirs, and the rest is the arena's.
  func destroy() {
    for index in timedCount - stepCount...timedCount { histogram(index)?.destroy() }
    whole.destroy()
  }

  /// The number of what belongs to no node.
  var between: Int { timedCount }

  /// What a step took that is timed by itself.
  func histogram(ofStep step: Int) -> TimeHistogram? {
    step >= 0 && step < stepCount ? histogram(timedCount - stepCount + step) : nil
  }

  /// What a node took so far; nil for one that has no steps.
  func histogram(_ node: Int) -> TimeHistogram? {
    for index in 0..<usedCount where used[index] == node { return histograms[node] }
    return nil
  }

  // MARK: - Realtime

  /// True for a block that is to be timed.
  @_noLocks
  func beginBlock() -> Bool {
    latest.pointee.slowest.node = -1
    let wait = latest.pointee.wait
    latest.pointee.wait = (wait == 0 ? stride : wait) &- 1
    return wait == 0
  }

  /// Counts the time since `start` for a slot of a block in flight. Returns what the clock says now.
  @_noLocks
  func lap(_ slot: Int, since start: UInt64, in block: Int) -> UInt64 {
    let now = fx_ticks()
    // Where cores do not agree to the tick, a change of core may go backwards.
    if now > start { ticks[block + slot] = ticks[block + slot] &+ (now &- start) }
    return now
  }

  /// Counts a block that is done.
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

  /// The node that took longest of the block that was rendered last; -1 where that was not timed.
  var slowest: Slowest {
    @_noLocks get { latest.pointee.slowest }
  }
}
