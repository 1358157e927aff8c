/// The frames that a step renders, and where they lie.
struct BlockPlace: BitwiseCopyable {
  /// The program's absolute frame of the first.
  var frame: Int
  /// Where the block begins in buffers that several blocks have a place in; 0 where one is in flight.
  var slot: Int
  /// Frames from the block's beginning: a loop cuts it into slices.
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
  /// All ones for a buffer in which each block in flight has a place, 0 for one that is a task's own.
  private let mask: Int

  init(_ samples: UnsafeMutablePointer<Float>, isShared: Bool = false) {
    self.samples = samples
    mask = isShared ? -1 : 0
  }

  /// Of the first place.
  var first: UnsafeMutablePointer<Float> { samples }

  // MARK: - Realtime

  @_noLocks @inline(__always)
  func at(_ place: BlockPlace) -> UnsafeMutablePointer<Float> {
    samples + (place.slot & mask &+ place.offset)
  }
}
