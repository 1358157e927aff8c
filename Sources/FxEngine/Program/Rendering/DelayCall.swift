import FxAudio

/// A write to a delay line, a read from it, or both. A feedback connection reads in one step and
/// writes in a later one. On the render thread.
struct DelayCall: BitwiseCopyable {
  let ring: DelayRing
  let input: BlockBuffer?
  let output: BlockBuffer?

  // MARK: - Realtime

  @_noLocks
  func render(_ place: BlockPlace) {
    if let input {
      ring.write(UnsafePointer(input.at(place)), at: place.frame, frameCount: place.frameCount)
    }
    if let output {
      ring.read(into: output.at(place), at: place.frame, frameCount: place.frameCount)
    }
  }
}
