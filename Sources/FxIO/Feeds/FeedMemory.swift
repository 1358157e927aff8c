/// What the feeds of sources and sinks will allocate, in bytes.
package enum FeedMemory {
  /// A source's ring; two where it may jump.
  package static func source(channelCount: Int, blockFrameCount: Int, canJump: Bool) -> Int {
    let capacity = PlanarRing.feedCapacity(
      channelCount: channelCount, capacity: nil, blockFrameCount: blockFrameCount)
    return (canJump ? 2 : 1) * ring(channelCount, capacity)
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
    return ring(channelCount, capacity)
      + ring(channelCount, heldFrameCount + 2 * blockFrameCount)
  }

  private static func ring(_ channelCount: Int, _ minimumCapacity: Int) -> Int {
    PlanarRing.capacity(atLeast: minimumCapacity) * channelCount * MemoryLayout<Float>.stride
  }
}
