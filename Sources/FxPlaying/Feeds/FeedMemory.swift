import FxFrames

/// What the feeds of sources and sinks will allocate, in bytes: rings, and threads.
package enum FeedMemory {
  /// The stack of a feed's thread, which a limited address space counts whole.
  private static let stack = 8 << 20

  /// A source's ring; two where it may jump.
  ///
  /// - Parameter refillFrameCount: what a stream has to have before it plays; 0 for anything else.
  package static func source(
    channelCount: Int, blockFrameCount: Int, canJump: Bool, refillFrameCount: Int = 0
  ) -> Int {
    let capacity = PlanarRing.feedCapacity(
      channelCount: channelCount, capacity: refillFrameCount > 0 ? 2 * refillFrameCount : nil,
      blockFrameCount: blockFrameCount)
    return stack + (canJump ? 2 : 1) * ring(channelCount, capacity)
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
