/// The frames that a step renders, and their place in buffers.
struct BlockPlace: BitwiseCopyable {
  /// The program's absolute frame of the first one.
  var frame: Int
  /// The block's offset in buffers with a place for several blocks; 0 for one block in flight.
  var slot: Int
  /// Frames from the block's start: a loop cuts the block into slices.
  var offset: Int
  var frameCount: Int

  // MARK: - Realtime

  @_noLocks
  init(frame: Int, slot: Int = 0, frameCount: Int) {
    (self.frame, self.slot, offset, self.frameCount) = (frame, slot, 0, frameCount)
  }
}

/// A buffer of a program, as steps find it.
struct BlockBuffer: BitwiseCopyable {
  private let samples: UnsafeMutablePointer<Float>
  /// All ones for a buffer with a place for each block in flight; 0 for a task's own buffer.
  private let mask: Int

  init(_ samples: UnsafeMutablePointer<Float>, isShared: Bool = false) {
    self.samples = samples
    mask = isShared ? -1 : 0
  }

  /// The first place.
  var first: UnsafeMutablePointer<Float> { samples }

  // MARK: - Realtime

  @_noLocks @inline(__always)
  func at(_ place: BlockPlace) -> UnsafeMutablePointer<Float> {
    samples + (place.slot & mask &+ place.offset)
  }
}
