import FxAudio
import Synchronization

/// What a player's program and its render thread give each other. A view; its maker destroys it.
struct PlayerExchange: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the positions decide which thread may access a slot; the rest is atomic.

  /// A buffer that is to play, or a stop.
  struct Entry: BitwiseCopyable {
    enum Begin: BitwiseCopyable { case next, now, frame, host }

    var number: Int
    /// nil for a stop.
    var samples: UnsafePointer<Float>?
    var frameCount: Int
    var begin: Begin
    var frame: Int
    var seconds: Double
    var loops: Bool
    var interrupts: Bool
  }

  /// A buffer that has ended.
  struct End: BitwiseCopyable {
    var number: Int
    var isWhole: Bool
  }

  struct Figures: ~Copyable {
    let nextFrame = Atomic<Int>(0)
    /// -1 while nothing sounds.
    let playedFrames = Atomic<Int>(-1)
  }

  /// Twice the buffers that can wait.
  static var slotCount: Int {
    @_noLocks get { 512 }
  }

  let entries: UnsafeMutablePointer<Entry>
  let ends: UnsafeMutablePointer<End>
  let given = RingPositions.make(slotCount: slotCount)
  let taken = RingPositions.make(slotCount: slotCount)
  let wakeup = Wakeup.make()
  private let figures: UnsafeMutablePointer<Figures>

  static func make() -> PlayerExchange {
    let figures = UnsafeMutablePointer<Figures>.allocate(capacity: 1)
    figures.initialize(to: Figures())
    return PlayerExchange(
      entries: .allocate(capacity: slotCount), ends: .allocate(capacity: slotCount),
      figures: figures)
  }

  private init(
    entries: UnsafeMutablePointer<Entry>, ends: UnsafeMutablePointer<End>,
    figures: UnsafeMutablePointer<Figures>
  ) {
    self.entries = entries
    self.ends = ends
    self.figures = figures
  }

  func destroy() {
    entries.deallocate()
    ends.deallocate()
    given.destroy()
    taken.destroy()
    wakeup.destroy()
    figures.deinitialize(count: 1)
    figures.deallocate()
  }

  var nextFrame: Int { figures.pointee.nextFrame.load(ordering: .relaxed) }
  var playedFrames: Int { figures.pointee.playedFrames.load(ordering: .relaxed) }

  // MARK: - Realtime

  @_noLocks
  func publish(nextFrame: Int, playedFrames: Int) {
    figures.pointee.nextFrame.store(nextFrame, ordering: .relaxed)
    figures.pointee.playedFrames.store(playedFrames, ordering: .relaxed)
  }

  /// Reports a buffer's end; false while the program is too slow.
  @_noLocks
  func report(_ number: Int, isWhole: Bool) -> Bool {
    let slot = taken.freeSlot
    guard slot >= 0 else { return false }
    ends[slot] = End(number: number, isWhole: isWhole)
    taken.produce()
    wakeup.signal()
    return true
  }
}
