/// The mean square of the last 300 ms, in steps of 10 ms.
///
/// Render thread.
struct SlidingMeanSquare: ~Copyable {
  private static var slotCount: Int { @_noLocks get { 30 } }

  private let slotLength: Int
  private let slots: UnsafeMutablePointer<Double>
  private var slot = 0
  private var filledCount = 0
  private var current = 0.0
  private var currentCount = 0
  /// The mean square up to the last completed step; 0 before the first.
  package private(set) var meanSquare = 0.0

  package init(sampleRate: Double) {
    slotLength = max(1, Int(sampleRate * 0.01))
    slots = .allocate(capacity: Self.slotCount)
    slots.initialize(repeating: 0, count: Self.slotCount)
  }

  /// The bytes that a meter allocates.
  package static var byteCount: Int { slotCount * MemoryLayout<Double>.stride }

  deinit { slots.deallocate() }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ input: UnsafePointer<Float>, _ frameCount: Int) {
    var start = 0
    while start < frameCount {
      let rest = slotLength - currentCount
      let end = start + (rest < frameCount - start ? rest : frameCount - start)
      var sum = current
      for frame in start..<end {
        let sample = Double(input[frame])
        sum += sample * sample
      }
      current = sum
      currentCount += end - start
      start = end
      if currentCount == slotLength { finishSlot() }
    }
  }

  @_noLocks
  private mutating func finishSlot() {
    slots[slot] = current
    slot = slot + 1 == Self.slotCount ? 0 : slot + 1
    if filledCount < Self.slotCount { filledCount += 1 }
    current = 0
    currentCount = 0
    var sum = 0.0
    for index in 0..<filledCount { sum += slots[index] }
    meanSquare = sum / Double(filledCount * slotLength)
  }

  @_noLocks
  package mutating func reset() {
    slot = 0
    filledCount = 0
    current = 0
    currentCount = 0
    meanSquare = 0
  }
}
