import FxFrames

/// What the feeds of sources and sinks will allocate, in bytes: rings, and threads.
package enum FeedMemory {
  /// The stack of a sink's thread, which a limited address space counts whole.
  private static let stack = 8 << 20

  /// Frames that each of many sources reads ahead; nil for what is usual.
  package static func capacity(channelCount: Int, sourceCount: Int) -> Int? {
    guard sourceCount > 16 else { return nil }
    return max(8192, (1 << 21) / (sourceCount * max(channelCount, 1)))
  }

  /// A source's ring; two where it may jump.
  ///
  /// - Parameters:
  ///   - refillFrameCount: what a stream has to have before it plays; 0 for anything else.
  ///   - capacity: frames to be read ahead; nil for what is usual.
  package static func source(
    channelCount: Int, blockFrameCount: Int, canJump: Bool, refillFrameCount: Int = 0,
    capacity: Int? = nil
  ) -> Int {
    let capacity = PlanarRing.feedCapacity(
      channelCount: channelCount, capacity: refillFrameCount > 0 ? 2 * refillFrameCount : capacity,
      blockFrameCount: blockFrameCount)
    return WorkerThread.readerStackByteCount + (canJump ? 2 : 1) * ring(channelCount, capacity)
  }

  /// A sink's ring, and what is held back while it may turn out to be silence.
  ///
  /// - Parameters:
  ///   - heldFrameCount: the silence that ends a tail, and the latency that may move.
  ///   - isLive: whether a disk is given time.
  package static func sink(
    channelCount: Int, blockFrameCount: Int, heldFrameCount: Int, sampleRate: Double, isLive: Bool
  ) -> Int {
    let patience =
      isLive
      ? PlanarRing.patientCapacity(channelCount: channelCount, sampleRate: sampleRate) : nil
    let capacity = PlanarRing.feedCapacity(
      channelCount: channelCount, capacity: patience, blockFrameCount: blockFrameCount)
    return stack + ring(channelCount, capacity)
      + ring(channelCount, heldFrameCount + 2 * blockFrameCount)
  }

  private static func ring(_ channelCount: Int, _ minimumCapacity: Int) -> Int {
    PlanarRing.capacity(atLeast: minimumCapacity) * channelCount * MemoryLayout<Float>.stride
  }
}
