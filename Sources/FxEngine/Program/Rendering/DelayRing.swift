import FxAudio

/// A ring of past samples addressed by absolute frame, so that no position is kept between blocks.
struct DelayRing: BitwiseCopyable {
  let samples: UnsafeMutablePointer<Float>
  let mask: Int
  /// Frames; may change between two blocks.
  let delay: UnsafePointer<Int>

  /// The ring's size for a delay, written and read in blocks of at most `blockFrames`.
  static func capacity(delay: Int, blockFrames: Int) -> Int {
    var capacity = 64
    while capacity < delay + blockFrames { capacity <<= 1 }
    return capacity
  }

  // MARK: - Realtime

  /// Writes a block to the ring.
  @_noLocks
  func write(_ input: UnsafePointer<Float>, at frame: Int, frameCount: Int) {
    var index = 0
    while index < frameCount {
      let position = (frame + index) & mask
      let run = min(frameCount - index, mask + 1 - position)
      let target = samples + position
      let source = input + index
      for offset in 0..<run { target[offset] = source[offset] }
      index += run
    }
  }

  /// Reads the block that was written `delay` frames ago.
  @_noLocks
  func read(into output: UnsafeMutablePointer<Float>, at frame: Int, frameCount: Int) {
    let delay = delay.pointee
    var index = 0
    while index < frameCount {
      let position = (frame + index - delay) & mask
      let run = min(frameCount - index, mask + 1 - position)
      let source = samples + position
      let target = output + index
      for offset in 0..<run { target[offset] = source[offset] }
      index += run
    }
  }
}
