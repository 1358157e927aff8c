private import CKernels

/// Owned memory for samples, initially 0.
///
/// Allocated on the control thread, used on the render thread.
package struct SampleBuffer: ~Copyable {
  package let samples: UnsafeMutablePointer<Float>
  package let count: Int

  /// Allocates whole cache lines, aligned to a cache line.
  package init(count: Int) {
    self.count = max(count, 1)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Self.byteCount(count: count), alignment: 64)
    samples = memory.bindMemory(to: Float.self, capacity: self.count)
    samples.initialize(repeating: 0, count: self.count)
  }

  /// The bytes that a buffer of this count allocates.
  package static func byteCount(count: Int) -> Int {
    (max(count, 1) * MemoryLayout<Float>.stride + 63) & ~63
  }

  deinit {
    samples.deallocate()
  }

  // MARK: - Realtime

  /// True when all samples are zeros of one sign.
  package var isSilent: Bool {
    @_noLocks get { fx_is_silent(samples, count) != 0 }
  }

  /// True when `count` samples from `start` on are zeros of any sign.
  @_noLocks
  func isZero(from start: Int, count: Int) -> Bool {
    var next = start
    let end = start &+ count
    while next < end {
      let length = min(4096, end &- next)
      guard fx_measure(fx_vector_level(), samples + next, length).peak == 0 else { return false }
      next &+= length
    }
    return true
  }

  @_noLocks
  package func clear() {
    samples.update(repeating: 0, count: count)
  }
}

extension UnsafeMutablePointer<Float> {
  // MARK: - Realtime

  /// Copies samples in their order, so that a source that overlaps lies later in memory.
  @_noLocks @inline(__always)
  func copy(_ source: UnsafePointer<Float>, count: Int) {
    for index in 0..<count { self[index] = source[index] }
  }
}
