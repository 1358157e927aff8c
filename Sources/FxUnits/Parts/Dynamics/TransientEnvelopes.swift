import FxAudio

/// The shares of attack and of sustain in a sound, from 0 to 1, independent of its level.
///
/// Used on the render thread.
///
/// The envelopes move by a share of their distance, so they scale with the sound. The ratio of an
/// envelope to the peak therefore does not depend on the level. This holds down to about -150 dBFS,
/// which counts as silence.
struct TransientEnvelopes: BitwiseCopyable {
  /// The speeds of the envelopes.
  struct Speed: BitwiseCopyable {
    fileprivate let attack: Float
    fileprivate let sustain: Float
    fileprivate let smoothing: Float

    /// Time constants in seconds.
    @_noLocks
    package init(attack: Double, sustain: Double, sampleRate: Double) {
      self.attack = Float(Smoothing.coefficient(seconds: attack, sampleRate: sampleRate))
      self.sustain = Float(Smoothing.coefficient(seconds: sustain, sampleRate: sampleRate))
      smoothing = Float(Smoothing.coefficient(seconds: 0.0005, sampleRate: sampleRate))
    }
  }

  /// Rises slowly, falls at once.
  private var rising: Float = 0
  /// Rises at once, falls slowly.
  private var falling: Float = 0
  private var begin: Float = 0
  private var end: Float = 0

  package init() {}

  /// The amplitude that counts as silence.
  private static var silence: Float { @_noLocks get { 1e-8 } }

  // MARK: - Realtime

  /// Replaces peaks by the shares of attack, and writes the shares of sustain to `ends`.
  @_noLocks
  package mutating func shares(
    _ peaks: UnsafeMutablePointer<Float>, ends: UnsafeMutablePointer<Float>, count: Int,
    speed: Speed
  ) {
    var (rising, falling) = (rising, falling)
    for index in 0..<count {
      let peak = peaks[index] + Self.silence
      let up = rising + speed.attack * (peak - rising)
      rising = peak > rising ? up : peak
      let down = falling + speed.sustain * (peak - falling)
      falling = peak < falling ? down : peak
      peaks[index] = peak / rising
      ends[index] = falling / peak
    }
    (self.rising, self.falling) = (rising, falling)
    // A ratio of two octaves (12 dB) gives the full share of 1.
    for index in 0..<count {
      let begins = 0.5 * Math.log2(peaks[index])
      let ending = 0.5 * Math.log2(ends[index])
      peaks[index] = begins < 1 ? begins : 1
      ends[index] = ending < 1 ? ending : 1
    }
    var (begin, end) = (begin, end)
    for index in 0..<count {
      begin += speed.smoothing * (peaks[index] - begin)
      end += speed.smoothing * (ends[index] - end)
      peaks[index] = begin
      ends[index] = end
    }
    (self.begin, self.end) = (begin, end)
  }

  @_noLocks
  package mutating func clear() {
    self = TransientEnvelopes()
  }
}
