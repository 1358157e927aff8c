private import CKernels

/// The minimum of the last values in a window. The cost does not depend on the length of the
/// window.
///
/// Used on the render thread.
///
/// Source: M. van Herk, "A fast algorithm for local minimum and maximum filters on rectangular and
/// octagonal kernels", Pattern Recognition Letters 13 (1992). Time is divided into stretches as
/// long as the window. The window then covers the end of one stretch and the beginning of the next,
/// and both minima are known. A minimum is exact, so the result does not depend on the borders of
/// the stretches.
struct SlidingMinimum: ~Copyable {
  /// The number of values in a window, 1 or more.
  package let length: Int
  private let initialValue: Float
  /// The values of the stretch so far.
  private let current: SampleBuffer
  /// For each place in the previous stretch, the minimum from there to its end.
  private let previous: SampleBuffer
  private var position = 0
  private var minimum: Float

  /// The values before the first are `initialValue`.
  package init(length: Int, initialValue: Float) {
    self.length = max(length, 1)
    self.initialValue = initialValue
    minimum = initialValue
    current = SampleBuffer(count: self.length)
    previous = SampleBuffer(count: self.length + 1)
    clear()
  }

  /// The bytes that a window of this length allocates.
  package static func byteCount(length: Int) -> Int {
    SampleBuffer.byteCount(count: length) + SampleBuffer.byteCount(count: length + 1)
  }

  // MARK: - Realtime

  /// Replaces each value by the minimum of it and the `length - 1` values before it.
  @_noLocks
  package mutating func process(_ values: UnsafeMutablePointer<Float>, count: Int) {
    var done = 0
    while done < count {
      let stretch = min(count &- done, length &- position)
      // The window that ends at this place begins one place later in the previous stretch.
      fx_scan_minimum(
        fx_vector_level(), previous.samples + position + 1, current.samples + position, &minimum,
        values + done, stretch)
      done &+= stretch
      position &+= stretch
      if position == length { turn() }
    }
  }

  /// Begins a new stretch.
  @_noLocks
  private mutating func turn() {
    fx_least_to_end(fx_vector_level(), current.samples, previous.samples, length)
    minimum = .infinity
    position = 0
  }

  @_noLocks
  package mutating func clear() {
    previous.samples.update(repeating: initialValue, count: length)
    previous.samples[length] = .infinity
    minimum = .infinity
    position = 0
  }
}
