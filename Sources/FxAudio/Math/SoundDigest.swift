/// The digest of a sound without the silence behind it: what is rendered after a file has ended does
/// not count as its sound.
package struct SoundDigest: BitwiseCopyable, Sendable {
  private var digest: SampleDigest
  /// Samples of silence that nothing has come after yet.
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
    // The other zero counts as a sample, so that it does not matter how blocks are cut.
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
