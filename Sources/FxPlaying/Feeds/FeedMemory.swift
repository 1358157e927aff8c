import FxAudio

/// The memory in bytes that the feeds of sources and sinks will allocate: rings and threads.
package enum FeedMemory {
  /// The stack of a sink's thread. A limit on the address space counts all of it.
  private static let stack = 8 << 20

  /// Frames that each of many sources reads ahead; nil for the default.
  package static func capacity(channelCount: Int, sourceCount: Int) -> Int? {
    guard sourceCount > 16 else { return nil }
    return max(8192, (1 << 21) / (sourceCount * max(channelCount, 1)))
  }

  /// The ring of a source; two rings if the source can jump.
  ///
  /// - Parameters:
  ///   - refillFrameCount: frames that a stream must have before it plays; 0 for other sources.
  ///   - capacity: frames to read ahead; nil for the default.
  package static func source(
    channelCount: Int, blockFrameCount: Int, canJump: Bool, refillFrameCount: Int = 0,
    capacity: Int? = nil
  ) -> Int {
    let capacity = PlanarRing.feedCapacity(
      channelCount: channelCount, capacity: refillFrameCount > 0 ? 2 * refillFrameCount : capacity,
      blockFrameCount: blockFrameCount)
    return WorkerThread.readerStackByteCount + (canJump ? 2 : 1) * ring(channelCount, capacity)
  }

  /// The ring of a sink, and the buffer for frames that may turn out to be silence.
  ///
  /// - Parameters:
  ///   - heldFrameCount: the silence that ends a tail, and the latency that may change.
  ///   - isLive: whether the ring is large enough to wait for a slow disk.
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
