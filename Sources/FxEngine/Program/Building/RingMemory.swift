/// The samples of a delay ring, which programs that delay the same signal share.
///
/// Allocated and freed on the control thread, used on the render thread.
final class RingMemory: @unchecked Sendable {
  // Sendable: the pointer never changes; the samples belong to the render thread while a program
  // runs.
  let samples: UnsafeMutablePointer<Float>
  /// Frames, a power of two.
  let capacity: Int

  /// A silent ring, for a delay of at most `longest` frames.
  init(longest: Int, blockFrames: Int) {
    capacity = DelayRing.capacity(delay: longest, blockFrames: blockFrames)
    samples = .allocate(capacity: capacity)
    // Writing maps the pages before the render thread needs them.
    samples.initialize(repeating: 0, count: capacity)
  }

  deinit { samples.deallocate() }

  func ring(delay: UnsafePointer<Int>) -> DelayRing {
    DelayRing(samples: samples, mask: capacity - 1, delay: delay)
  }
}
