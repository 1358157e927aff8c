import FxAudio

/// Overlapping pieces, added up on a time axis of their own. The sum can be read at any speed.
///
/// Positions count half frames, or frames where it is only copied. The sum of the pieces is divided by the sum of their windows.
/// Allocated on the control thread, used on the render thread.
struct StretchedSound: ~Copyable {
  private let channelCount: Int
  /// Half frames per channel, a power of two.
  private let capacity: Int
  private let sums: SampleBuffer
  private let weights: SampleBuffer
  private let taps: SampleBuffer
  private let table = SincTable(isPassive: false, beta: 9)
  /// Everything before `completeEnd` is complete; everything from `writtenEnd` on is empty.
  private(set) var completeEnd = 0
  private var writtenEnd = 0

  /// - Parameter capacity: Half frames from the oldest one that is read to the newest one that is
  ///   written, a power of two.
  init(channelCount: Int, capacity: Int) {
    self.channelCount = channelCount
    self.capacity = capacity
    sums = SampleBuffer(count: channelCount * capacity)
    weights = SampleBuffer(count: capacity)
    taps = SampleBuffer(count: 2 * SincTable.reach)
  }

  static func byteCount(channelCount: Int, capacity: Int) -> Int {
    SampleBuffer.byteCount(count: channelCount * capacity) + SampleBuffer.byteCount(count: capacity)
      + SampleBuffer.byteCount(count: 2 * SincTable.reach) + SincTable.byteCount()
  }

  // MARK: - Realtime

  /// Makes room for a piece that ends at a position.
  @_noLocks
  mutating func makeRoom(until end: Int) {
    while writtenEnd < end {
      let place = writtenEnd & (capacity &- 1)
      let count = min(end &- writtenEnd, capacity &- place)
      (weights.samples + place).update(repeating: 0, count: count)
      for channel in 0..<channelCount {
        (sums.samples + channel &* capacity + place).update(repeating: 0, count: count)
      }
      writtenEnd &+= count
    }
  }

  /// Adds the weights of a piece that begins at a position.
  @_noLocks
  func addWeights(_ values: UnsafePointer<Float>, at position: Int, count: Int) {
    Self.add(values, to: weights.samples, at: position, count: count, capacity: capacity)
  }

  /// Adds the samples of one channel of a piece.
  @_noLocks
  func add(_ values: UnsafePointer<Float>, channel: Int, at position: Int, count: Int) {
    Self.add(
      values, to: sums.samples + channel &* capacity, at: position, count: count,
      capacity: capacity)
  }

  @_noLocks
  private static func add(
    _ values: UnsafePointer<Float>, to ring: UnsafeMutablePointer<Float>, at position: Int,
    count: Int, capacity: Int
  ) {
    var index = 0
    while index < count {
      let place = (position &+ index) & (capacity &- 1)
      let part = min(count &- index, capacity &- place)
      for offset in 0..<part { ring[place &+ offset] += values[index &+ offset] }
      index &+= part
    }
  }

  /// Divides by the weights up to a position. No piece may be added before it later.
  @_noLocks
  mutating func complete(until end: Int) {
    while completeEnd < end {
      let place = completeEnd & (capacity &- 1)
      let count = min(end &- completeEnd, capacity &- place)
      let weight = weights.samples + place
      for index in 0..<count {
        weight[index] = 1 / (weight[index] > Self.leastWeight ? weight[index] : Self.leastWeight)
      }
      for channel in 0..<channelCount {
        let samples = sums.samples + channel &* capacity + place
        for index in 0..<count { samples[index] *= weight[index] }
      }
      completeEnd &+= count
    }
  }

  private static var leastWeight: Float { @_noLocks get { 0.1 } }

  /// The sample of a channel at a position above 0. The position and eight half frames after it
  /// must be complete.
  @_noLocks
  func sample(channel: Int, at position: Double) -> Float {
    let whole = Int(position)
    let next = Double(whole) < position ? whole &+ 1 : whole
    let share = min(Float(Double(next) - position), 0.999_999_9)
    let first = next &- SincTable.reach
    let place = first & (capacity &- 1)
    let ring = sums.samples + channel &* capacity
    if place &+ 2 &* SincTable.reach <= capacity {
      return table.sample(ring + place, fraction: share)
    }
    for index in 0..<2 &* SincTable.reach {
      taps.samples[index] = ring[(first &+ index) & (capacity &- 1)]
    }
    return table.sample(taps.samples, fraction: share)
  }

  /// Copies complete samples of a channel.
  @_noLocks
  func copy(
    from position: Int, count: Int, channel: Int, to output: UnsafeMutablePointer<Float>
  ) {
    let ring = sums.samples + channel &* capacity
    for index in 0..<count { output[index] = ring[(position &+ index) & (capacity &- 1)] }
  }

  /// Subtracts an offset from all positions. It must be a multiple of the capacity.
  @_noLocks
  mutating func rebase(_ positions: Int) {
    completeEnd &-= positions
    writtenEnd &-= positions
  }

  /// Clears everything. The first new piece may begin at this position.
  @_noLocks
  mutating func clear(at position: Int) {
    sums.clear()
    weights.clear()
    completeEnd = position
    writtenEnd = position
  }
}
