import Synchronization

/// The delays of a plan, for the render thread, and the hand-over of new ones.
///
/// The control thread writes a whole set into `pending` and marks it full. The render thread copies
/// it between two blocks and marks it empty. Each side uses `pending` only in its turn.
struct LatencyTable: BitwiseCopyable {
  /// Positions of each kind of number.
  struct Layout: BitwiseCopyable {
    let feedback: Int
    let arrivals: Int
    let slices: Int
    let sinkLatencies: Int
    let sinkWaits: Int
    let events: Int
    let count: Int

    init(_ plan: RenderPlan) {
      feedback = plan.delayLines.count
      arrivals = feedback + plan.feedbackLines.count
      slices = arrivals + plan.nodes.count
      sinkLatencies = slices + plan.sections.count
      sinkWaits = sinkLatencies + plan.sinks.count
      events = sinkWaits + plan.sinks.count
      count = events + plan.eventLines.count
    }
  }

  let layout: Layout
  let values: UnsafeMutablePointer<Int>
  /// False where no latency can change.
  let isFollowing: Bool
  private let pending: UnsafeMutablePointer<Int>
  private let isFull: UnsafeMutablePointer<Atomic<Int>>

  init(_ plan: RenderPlan, in arena: inout Arena) {
    layout = Layout(plan)
    isFollowing = plan.nodes.contains { $0.latencyLimit != nil }
    let numbers = Self.numbers(of: plan, sinkWaits: [])
    values = arena.allocate(numbers)
    pending = arena.allocate(isFollowing ? numbers : [])
    isFull = arena.allocateCounter()
  }

  /// `sinkWaits`: by sink, frames until the change arrives there.
  private static func numbers(of plan: RenderPlan, sinkWaits: [Int]) -> [Int] {
    plan.delayLines + plan.feedbackLines.map(\.frames) + plan.nodes.map(\.arrival)
      + plan.sections.map { max(1, $0.slice ?? .max) } + plan.sinks.map(\.latency)
      + plan.sinks.indices.map { sinkWaits.indices.contains($0) ? sinkWaits[$0] : 0 }
      + plan.eventLines.map(\.frames)
  }

  func delay(_ line: Int) -> UnsafePointer<Int> { UnsafePointer(values + line) }
  func feedback(_ line: Int) -> UnsafePointer<Int> {
    UnsafePointer(values + layout.feedback + line)
  }
  func arrival(_ node: Int) -> UnsafePointer<Int> { UnsafePointer(values + layout.arrivals + node) }
  func eventDelay(_ line: Int) -> UnsafePointer<Int> {
    UnsafePointer(values + layout.events + line)
  }
  func slice(_ section: Int) -> UnsafePointer<Int> {
    UnsafePointer(values + layout.slices + section)
  }

  /// Sends the numbers of another plan with the same steps. False while the last ones are waiting.
  func send(_ plan: RenderPlan, sinkWaits: [Int]) -> Bool {
    guard isFollowing, isFull.pointee.load(ordering: .acquiring) == 0 else { return false }
    let numbers = Self.numbers(of: plan, sinkWaits: sinkWaits)
    guard numbers.count == layout.count else { return false }
    for (index, number) in numbers.enumerated() { pending[index] = number }
    isFull.pointee.store(1, ordering: .releasing)
    return true
  }

  // MARK: - Realtime

  /// True when new numbers are waiting.
  var isWaiting: Bool {
    @_noLocks get { isFull.pointee.load(ordering: .acquiring) != 0 }
  }

  /// Copies the new numbers.
  @_noLocks
  func receive() {
    guard isFull.pointee.load(ordering: .acquiring) != 0 else { return }
    for index in 0..<layout.count { values[index] = pending[index] }
    isFull.pointee.store(0, ordering: .releasing)
  }
}
