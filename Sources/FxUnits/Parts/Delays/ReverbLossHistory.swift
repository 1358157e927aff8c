/// The losses of a reverb's lines in the last stretches.
///
/// A frame that leaves a line has the losses of the time at which it entered. Its level then never
/// depends on later losses, and the input gain, which fits the losses of the present, never
/// amplifies the sound of the past.
///
/// Render thread.
struct ReverbLossHistory: ~Copyable {
  /// The losses of each line at the end of this stretch, in the rows of `ReverbLosses`.
  let targets: SampleBuffer
  /// The losses before the oldest row of the ring.
  private let base: SampleBuffer
  /// The losses of the last stretches: rows as in `ReverbLosses`, one after another.
  private let ring: SampleBuffer
  private let capacity: Int
  /// By line: the stretches for which a frame stays in it.
  private let ages: UnsafeMutablePointer<Int>
  private let oldest: Int
  private var head = 0
  /// Valid rows of the ring.
  private var count = 0
  /// Stretches since the last change.
  private var stillness = 0

  private static var width: Int { @_noLocks get { 3 &* ReverbNetwork.lineCount } }

  /// - Parameter lengths: The lengths of the lines in frames; 0 for losses that apply at once.
  init(lengths: [Int]) {
    let ages = lengths.map(Self.age)
    oldest = ages.max() ?? 0
    capacity = Self.capacity(ages)
    targets = SampleBuffer(count: Self.width)
    base = SampleBuffer(count: Self.width)
    ring = SampleBuffer(count: capacity * Self.width)
    self.ages = .allocate(capacity: max(1, ages.count))
    self.ages.initialize(from: ages, count: ages.count)
  }

  private static func age(_ length: Int) -> Int {
    (length + ReverbNetwork.stretch / 2) / ReverbNetwork.stretch
  }

  private static func capacity(_ ages: [Int]) -> Int { (ages.max() ?? 0) + 2 }

  static func byteCount(lengths: [Int]) -> Int {
    SampleBuffer.byteCount(count: width) * 2
      + SampleBuffer.byteCount(count: capacity(lengths.map(age)) * width)
      + lengths.count * MemoryLayout<Int>.stride
  }

  deinit { ages.deallocate() }

  // MARK: - Realtime

  /// Takes the losses of a stretch and sets `targets`; true when they may differ from those of the
  /// stretch before. The first losses apply at once.
  @_noLocks
  mutating func take(
    _ rows: UnsafePointer<Float>, haveChanged: Bool, isFirst: Bool
  ) -> Bool {
    if isFirst {
      count = 0
      stillness = oldest &+ 2
      base.samples.update(copying: rows, count: Self.width)
      targets.samples.update(copying: rows, count: Self.width)
      return false
    }
    stillness = haveChanged ? 0 : stillness &+ 1
    if stillness > (oldest == 0 ? 0 : oldest &+ 1) {
      if count > 0 {
        count = 0
        base.samples.update(copying: rows, count: Self.width)
        targets.samples.update(copying: rows, count: Self.width)
      }
      return false
    }
    head = head &+ 1 == capacity ? 0 : head &+ 1
    (ring.samples + head &* Self.width).update(copying: rows, count: Self.width)
    count = count < capacity ? count &+ 1 : capacity
    for line in 0..<ReverbNetwork.lineCount { place(line) }
    return true
  }

  /// Sets the target of a line. The age is exact to half a stretch only, so the target is the
  /// quietest of the stretches around it.
  @_noLocks
  private func place(_ line: Int) {
    let lines = ReverbNetwork.lineCount
    let age = ages[line]
    var quietest = row(age)
    if age > 0 {
      let (later, earlier) = (row(age &- 1), row(age &+ 1))
      if later[line] < quietest[line] { quietest = later }
      if earlier[line] < quietest[line] { quietest = earlier }
    }
    for number in 0..<3 {
      targets.samples[number &* lines &+ line] = quietest[number &* lines &+ line]
    }
  }

  /// The losses some stretches ago.
  @_noLocks
  private func row(_ age: Int) -> UnsafeMutablePointer<Float> {
    guard age < count else { return base.samples }
    let index = head &- age
    return ring.samples + (index < 0 ? index &+ capacity : index) &* Self.width
  }
}
