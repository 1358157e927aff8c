import FxAudio

/// The curve of every fade and crossfade of a looper, in steps of one frame.
///
/// Two fades in opposite directions add up to 1 at every step.
struct LoopFade: ~Copyable {
  /// In seconds.
  static var duration: Double { 0.005 }

  /// Steps from 0 to 1.
  let length: Int
  private let shares: SampleBuffer

  init(sampleRate: Double) {
    length = Self.length(sampleRate)
    shares = SampleBuffer(count: length + 1)
    for step in 0...length {
      // Both halves come from the same numbers, so that their sum is exact.
      let rise = Float(SmoothStep.share(Double(min(step, length - step)) / Double(length)))
      shares.samples[step] = 2 * step <= length ? rise : 1 - rise
    }
  }

  static func length(_ sampleRate: Double) -> Int { max(2, Int(duration * sampleRate)) }

  static func byteCount(_ sampleRate: Double) -> Int {
    SampleBuffer.byteCount(count: length(sampleRate) + 1)
  }

  // MARK: - Realtime

  /// The level at a step, from 0 to 1.
  @_noLocks @inline(__always)
  func share(_ step: Int) -> Float { shares.samples[step] }
}
