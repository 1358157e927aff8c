/// The mean square of exactly the last 300 ms; of all samples while there are fewer.
///
/// The window ends at the latest sample, whatever the blocks. Sums of 10 ms keep the work small, and
/// no error and no NaN stays in them longer than the window. Allocated on the control thread, used on
/// the render thread.
package struct SlidingMeanSquare: ~Copyable {
  private static var slotCount: Int { @_noLocks get { 30 } }

  private let length: Int
  /// The latest samples in a ring, which is divided into slots.
  private let samples: UnsafeMutablePointer<Float>
  /// The energy of each slot, once it is complete.
  private let slots: UnsafeMutablePointer<Double>
  private var position = 0
  private var slot = 0
  /// The energy of the current slot so far.
  private var current = 0.0
  private var sampleCount = 0

  package init(sampleRate: Double) {
    length = Self.length(sampleRate)
    samples = .allocate(capacity: length)
    samples.initialize(repeating: 0, count: length)
    slots = .allocate(capacity: Self.slotCount)
    slots.initialize(repeating: 0, count: Self.slotCount)
  }

  private static func length(_ sampleRate: Double) -> Int {
    max(slotCount, Int((0.3 * sampleRate).rounded()))
  }

  /// The bytes that a meter allocates.
  package static func byteCount(sampleRate: Double) -> Int {
    slotCount * MemoryLayout<Double>.stride
      + length(sampleRate) * MemoryLayout<Float>.stride
  }

  deinit {
    samples.deallocate()
    slots.deallocate()
  }

  // MARK: - Realtime

  /// The end of the current slot.
  private var end: Int {
    @_noLocks get { length &* (slot &+ 1) / Self.slotCount }
  }

  @_noLocks
  package mutating func render(_ input: UnsafePointer<Float>, _ frameCount: Int) {
    var start = 0
    while start < frameCount {
      let rest = end &- position
      let count = rest < frameCount &- start ? rest : frameCount &- start
      UnsafeMutableRawPointer(samples + position).copyMemory(
        from: input + start, byteCount: count &* MemoryLayout<Float>.stride)
      current += Self.energy(input + start, count)
      position &+= count
      start &+= count
      if count == rest { finishSlot() }
    }
    sampleCount = frameCount < length &- sampleCount ? sampleCount &+ frameCount : length
  }

  @_noLocks
  private static func energy(_ samples: UnsafePointer<Float>, _ count: Int) -> Double {
    var sum = 0.0
    for frame in 0..<count { sum += Double(samples[frame]) * Double(samples[frame]) }
    return sum
  }

  @_noLocks
  private mutating func finishSlot() {
    slots[slot] = current
    current = 0
    slot = slot &+ 1 == Self.slotCount ? 0 : slot &+ 1
    if slot == 0 { position = 0 }
  }

  /// 0 before the first sample.
  package var meanSquare: Double {
    @_noLocks get {
      guard sampleCount > 0 else { return 0 }
      // The rest of the current slot still has the oldest samples.
      var sum = current + Self.energy(samples + position, end &- position)
      for index in 0..<Self.slotCount where index != slot { sum += slots[index] }
      return sum / Double(sampleCount)
    }
  }

  @_noLocks
  package mutating func reset() {
    samples.update(repeating: 0, count: length)
    slots.update(repeating: 0, count: Self.slotCount)
    position = 0
    slot = 0
    current = 0
    sampleCount = 0
  }
}
