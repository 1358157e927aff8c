/// Owned memory for samples, zero when made.
///
/// Allocated on the control thread, used on the render thread.
package struct SampleBuffer: ~Copyable {
  package let samples: UnsafeMutablePointer<Float>
  package let count: Int

  /// Whole cache lines that begin on one.
  package init(count: Int) {
    self.count = max(count, 1)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: (self.count * MemoryLayout<Float>.stride + 63) & ~63, alignment: 64)
    samples = memory.bindMemory(to: Float.self, capacity: self.count)
    samples.initialize(repeating: 0, count: self.count)
  }

  deinit {
    samples.deallocate()
  }

  // MARK: - Realtime

  @_noLocks
  package func clear() {
    samples.update(repeating: 0, count: count)
  }
}
