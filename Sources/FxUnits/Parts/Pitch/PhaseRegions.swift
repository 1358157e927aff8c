import FxAudio

/// The frequencies around each peak of a spectrum, and the angle by which their phases are rotated.
///
/// All regions together cover all frequencies. Frequencies count bins of the longest window.
/// Allocated on the control thread, used on the render thread.
struct PhaseRegions: ~Copyable {
  private struct Region: BitwiseCopyable {
    var peak = 0.0
    /// The lower and the upper end as the region's own window shows them.
    var low = 0.0
    var high = 0.0
    var angle = 0.0
    var sine: Float = 0
    var cosine: Float = 1
  }

  private let capacity: Int
  private var regions: UnsafeMutablePointer<Region>
  private var earlier: UnsafeMutablePointer<Region>
  private var earlierCount = 0
  /// The earlier region at which the next search begins.
  private var place = 0
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 1)
    regions = .allocate(capacity: self.capacity)
    regions.initialize(repeating: Region(), count: self.capacity)
    earlier = .allocate(capacity: self.capacity)
    earlier.initialize(repeating: Region(), count: self.capacity)
  }

  deinit {
    regions.deallocate()
    earlier.deallocate()
  }

  static func byteCount(capacity: Int) -> Int {
    2 * max(capacity, 1) * MemoryLayout<Region>.stride
  }

  // MARK: - Realtime

  /// Begins with the regions of the next piece.
  @_noLocks
  mutating func begin() {
    (regions, earlier) = (earlier, regions)
    earlierCount = count
    (count, place) = (0, 0)
  }

  /// The angle of the piece before at a frequency, which must not be lower than at the last call.
  @_noLocks
  mutating func earlierAngle(at frequency: Double) -> Double {
    guard earlierCount > 0 else { return 0 }
    while place < earlierCount &- 1 && earlier[place].high <= frequency { place &+= 1 }
    return earlier[place].angle
  }

  /// Adds a region above all others.
  @_noLocks
  mutating func add(peak: Double, low: Double, high: Double, angle: Double) {
    guard count < capacity else { return }
    let parts = Math.sinCos(angle)
    regions[count] = Region(
      peak: peak, low: low, high: high, angle: angle, sine: Float(parts.sin),
      cosine: Float(parts.cos))
    count &+= 1
  }

  /// Makes neighbours meet: two windows show different ends of the regions at their edge.
  @_noLocks
  func join() {
    var index = 1
    while index < count {
      let (lower, upper) = (regions[index &- 1], regions[index])
      let middle = min(max(0.5 * (lower.high + upper.low), lower.peak), upper.peak)
      regions[index &- 1].high = middle
      regions[index].low = middle
      index &+= 1
    }
  }

  @_noLocks
  func end(of index: Int) -> Double { regions[index].high }

  @_noLocks
  func rotation(of index: Int) -> (sine: Float, cosine: Float) {
    (regions[index].sine, regions[index].cosine)
  }

  @_noLocks
  mutating func clear() { (count, earlierCount, place) = (0, 0, 0) }
}
