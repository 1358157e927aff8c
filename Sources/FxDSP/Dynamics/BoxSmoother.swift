/// Two moving averages in a row, which turn a step into an S-shaped curve of a fixed length.
///
/// Used on the render thread.
///
/// The sums are of whole numbers that a double holds exactly, so they never drift and a constant
/// input gives exactly itself. Values lie between 0 and 1 and are rounded down to multiples of
/// 2^-26; the result of a stretch of values is never above their largest.
package struct BoxSmoother: ~Copyable {
  /// Values that an output depends on.
  package let length: Int
  private let firstLength: Int
  private let secondLength: Int
  private let scale: Double
  private let initialValue: Double
  private let firstRing: UnsafeMutablePointer<Double>
  private let secondRing: UnsafeMutablePointer<Double>
  private var firstPosition = 0
  private var secondPosition = 0
  private var firstSum = 0.0
  private var secondSum = 0.0

  private static var one: Double { 67_108_864 }  // 2^26
  /// The longest smoother whose sums stay below 2^53.
  package static let maximumLength = 20_000

  /// The values before the first are `initialValue`.
  package init(length: Int, initialValue: Float) {
    self.length = min(max(length, 1), Self.maximumLength)
    firstLength = (self.length + 1) / 2
    secondLength = self.length + 1 - firstLength
    scale = 1 / (Double(firstLength) * Double(secondLength) * Self.one)
    self.initialValue = Double(initialValue)
    firstRing = .allocate(capacity: firstLength)
    secondRing = .allocate(capacity: secondLength)
    firstRing.initialize(repeating: 0, count: firstLength)
    secondRing.initialize(repeating: 0, count: secondLength)
    clear()
  }

  /// What a smoother of this length allocates.
  package static func byteCount(length: Int) -> Int {
    (min(max(length, 1), maximumLength) + 1) * MemoryLayout<Double>.stride
  }

  deinit {
    firstRing.deallocate()
    secondRing.deallocate()
  }

  // MARK: - Realtime

  /// A value between 0 and 1 in steps of 2^-26, never more than it was; 1 stays 1.
  @_noLocks @inline(__always)
  private static func steps(_ value: Double) -> Double {
    // Adding 1.5 * 2^52 rounds to a whole number.
    (value * one - 0.5 + 6_755_399_441_055_744) - 6_755_399_441_055_744
  }

  /// Smooths `input` into `output`.
  @_noLocks
  package mutating func process(
    _ input: UnsafePointer<Double>, into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    var firstSum = firstSum
    var secondSum = secondSum
    var firstPosition = firstPosition
    var secondPosition = secondPosition
    for index in 0..<count {
      let value = Self.steps(input[index])
      firstSum += value - firstRing[firstPosition]
      firstRing[firstPosition] = value
      firstPosition &+= 1
      if firstPosition == firstLength { firstPosition = 0 }
      secondSum += firstSum - secondRing[secondPosition]
      secondRing[secondPosition] = firstSum
      secondPosition &+= 1
      if secondPosition == secondLength { secondPosition = 0 }
      output[index] = Float(secondSum * scale)
    }
    self.firstSum = firstSum
    self.secondSum = secondSum
    self.firstPosition = firstPosition
    self.secondPosition = secondPosition
  }

  @_noLocks
  package mutating func clear() {
    let value = Self.steps(initialValue)
    firstRing.update(repeating: value, count: firstLength)
    firstSum = value * Double(firstLength)
    secondRing.update(repeating: firstSum, count: secondLength)
    secondSum = firstSum * Double(secondLength)
    firstPosition = 0
    secondPosition = 0
  }
}
