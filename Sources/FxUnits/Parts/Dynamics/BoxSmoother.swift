private import CKernels

/// Two moving averages in series, which turn a step into an S-shaped curve of a fixed length.
///
/// Used on the render thread.
///
/// The sums are of integers that a double holds exactly, so they never drift, and the output for a
/// constant input is exactly that constant. Values are between 0 and 1 and are rounded down to
/// multiples of 2^-26. An output is never above the largest value in its windows.
struct BoxSmoother: ~Copyable {
  /// The number of values that an output depends on.
  package let length: Int
  private let firstLength: Int
  private let secondLength: Int
  private let scale: Double
  private let initialValue: Double
  private let firstRing: UnsafeMutablePointer<Double>
  private let secondRing: UnsafeMutablePointer<Double>
  private var firstPosition = 0
  private var secondPosition = 0
  /// The sum of the first window, and of the second.
  private let sums: UnsafeMutablePointer<Double>

  private static var one: Double { 67_108_864 }  // 2^26
  /// The longest smoother whose sums stay below 2^53.
  static let maximumLength = 20_000

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
    sums = .allocate(capacity: 2)
    sums.initialize(repeating: 0, count: 2)
    clear()
  }

  /// The bytes that a smoother of this length allocates.
  package static func byteCount(length: Int) -> Int {
    (min(max(length, 1), maximumLength) + 3) * MemoryLayout<Double>.stride
  }

  deinit {
    firstRing.deallocate()
    secondRing.deallocate()
    sums.deallocate()
  }

  // MARK: - Realtime

  /// A value between 0 and 1, rounded down to steps of 2^-26; 1 stays 1. The result counts steps.
  @_noLocks @inline(__always)
  private static func steps(_ value: Double) -> Double {
    // Adding 1.5 * 2^52 rounds to an integer.
    (value * one - 0.5 + 6_755_399_441_055_744) - 6_755_399_441_055_744
  }

  /// Smooths `input` into `output`.
  @_noLocks
  package mutating func process(
    _ input: UnsafePointer<Double>, into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    var done = 0
    while done < count {
      let first = firstLength &- firstPosition
      let second = secondLength &- secondPosition
      let stretch = min(count &- done, first < second ? first : second)
      fx_smooth_twice(
        fx_vector_level(), input + done, firstRing + firstPosition, secondRing + secondPosition,
        sums,
        scale, output + done, stretch)
      done &+= stretch
      firstPosition = stretch == first ? 0 : firstPosition &+ stretch
      secondPosition = stretch == second ? 0 : secondPosition &+ stretch
    }
  }

  @_noLocks
  package mutating func clear() {
    let value = Self.steps(initialValue)
    firstRing.update(repeating: value, count: firstLength)
    sums[0] = value * Double(firstLength)
    secondRing.update(repeating: sums[0], count: secondLength)
    sums[1] = sums[0] * Double(secondLength)
    firstPosition = 0
    secondPosition = 0
  }
}
