import FxAudio

/// The last frames of a sound, held back until their use is decided.
final class HeldFrames {
  private let ring: PlanarRing
  private let cursors: UnsafeMutablePointer<UnsafePointer<Float>>

  /// - Parameter capacity: the most frames that it may hold.
  init(channelCount: Int, capacity: Int) {
    ring = .make(channelCount: channelCount, minimumCapacity: capacity)
    cursors = .allocate(capacity: max(channelCount, 1))
  }

  deinit {
    ring.destroy()
    cursors.deallocate()
  }

  var count: Int { ring.readableCount }

  /// Appends frames of a block. There must be room for them.
  func push(
    _ channels: UnsafePointer<UnsafePointer<Float>>, from offset: Int, frameCount: Int
  ) {
    for channel in 0..<ring.channelCount {
      (cursors + channel).initialize(to: channels[channel] + offset)
    }
    _ = ring.push(UnsafePointer(cursors), frameCount: frameCount)
  }

  /// Passes the oldest frames on, in one or two pieces.
  func pop(
    _ frameCount: Int,
    to body: (UnsafePointer<UnsafePointer<Float>>, _ frameCount: Int) throws(Failure) -> Void
  ) throws(Failure) {
    var left = min(frameCount, count)
    while left > 0 {
      var span = left
      for channel in 0..<ring.channelCount {
        let (place, beforeWrap) = ring.readPointer(channel)
        (cursors + channel).initialize(to: place)
        span = min(span, beforeWrap)
      }
      try body(UnsafePointer(cursors), span)
      ring.advanceTail(span)
      left -= span
    }
  }

  /// Discards the oldest frames.
  func drop(_ frameCount: Int) { ring.advanceTail(min(frameCount, count)) }
}
