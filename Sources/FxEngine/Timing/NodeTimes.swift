import CRealtime
import FxAudio

/// How long each node of a program takes to render a block: a histogram each, and one for what lies
/// between the nodes: sums, delays, the ends of loops.
///
/// Counted on the render thread with one look at the processor's clock between two nodes; anybody
/// may read at any time. A node's histogram is in its memory, and goes on in the next program.
struct NodeTimes: BitwiseCopyable, @unchecked Sendable {
  // Sendable: one thread counts; histograms may be read meanwhile.

  /// By slot: a node's number, and behind the last node what lies between them.
  private let histograms: UnsafeMutablePointer<TimeHistogram>
  /// All of a block.
  let whole: TimeHistogram
  /// Slots that have anything to render.
  private let slots: UnsafePointer<Int>
  private let slotCount: Int
  private let nodeCount: Int
  /// Ticks of each slot in the block at hand; a loop comes to its nodes several times.
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

  /// `nodes`: the histogram of each node that is timed; `slots`: those that any step belongs to.
  init(
    nodes: [TimeHistogram?], slots: Set<Int>, blockFrameCount: Int, in arena: inout Arena
  ) {
    stride = max(1, Self.framesBetween / max(blockFrameCount, 1))
    nodeCount = nodes.count
    let timed = nodes + [slots.contains(nodes.count) ? .make() : nil]
    let slots = slots.sorted().filter { timed[$0] != nil }
    self.slots = UnsafePointer(arena.allocate(slots))
    slotCount = slots.count
    let whole = TimeHistogram.make()
    self.whole = whole
    // What has no steps is never asked for; it needs an entry all the same.
    histograms = arena.allocate(timed.map { $0 ?? whole })
    ticks = arena.allocate(UInt64.self, count: nodes.count + 1, repeating: 0)
    secondsPerTick = fx_seconds_per_tick()
    latest = arena.allocate([Latest()])
  }

  /// Frees what is its own; nodes keep theirs, and the rest is the arena's.
  func destroy() {
    histogram(between)?.destroy()
    whole.destroy()
  }

  /// The slot of what belongs to no node.
  var between: Int { nodeCount }

  /// What a slot took so far; nil for one that has no steps.
  func histogram(_ slot: Int) -> TimeHistogram? {
    for index in 0..<slotCount where slots[index] == slot { return histograms[slot] }
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

  /// Counts the time since `start` for a slot. Returns what the clock says now.
  @_noLocks
  func lap(_ slot: Int, since start: UInt64) -> UInt64 {
    let now = fx_ticks()
    // Where cores do not agree to the tick, a change of core may go backwards.
    if now > start { ticks[slot] = ticks[slot] &+ (now &- start) }
    return now
  }

  /// Counts the block.
  @_noLocks
  func endBlock() {
    var slowest = Slowest()
    var total = 0.0
    for index in 0..<slotCount {
      let slot = slots[index]
      let seconds = Double(ticks[slot]) * secondsPerTick
      ticks[slot] = 0
      total += seconds
      histograms[slot].record(seconds)
      if slot < nodeCount, seconds > slowest.seconds {
        slowest.node = slot
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
