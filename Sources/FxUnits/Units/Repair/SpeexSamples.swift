import FxAudio

/// The 16-bit samples of libspeexdsp.
enum SpeexSamples {
  /// Full scale is half of the 16-bit range, as headroom for speech.
  static var scale: Float { @_noLocks get { 16384 } }

  // MARK: - Realtime

  @_noLocks
  static func rounded(_ sample: Float) -> Int16 {
    let value = sample.finiteSample * scale
    let bounded = value < 32767 ? (value > -32767 ? value : -32767) : 32767
    return Int16(bounded < 0 ? bounded - 0.5 : bounded + 0.5)
  }
}
