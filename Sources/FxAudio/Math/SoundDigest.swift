/// The digest of a sound without trailing silence: frames rendered after the end of a file do not
/// change it.
package struct SoundDigest: BitwiseCopyable, Sendable {
  private var digest: SampleDigest
  /// Zeros at the end that are not in the digest yet.
  private var silence: Int

  // MARK: - Realtime

  @_noLocks
  package init() {
    digest = SampleDigest()
    silence = 0
  }

  @_noLocks
  package mutating func append(_ samples: UnsafePointer<Float>, frameCount: Int) {
    var end = frameCount
    // -0 counts as a sample, not as silence, so the digest does not depend on the block length.
    while end > 0, samples[end - 1].bitPattern == 0 { end -= 1 }
    if end > 0 {
      var zero: Float = 0
      while silence > 0 {
        digest.append(&zero, frameCount: 1)
        silence -= 1
      }
      digest.append(samples, frameCount: end)
    }
    silence += frameCount - end
  }

  package var value: UInt64 {
    @_noLocks get { digest.value }
  }
}
