import FxAudio

extension FeedbackDelayNetwork {
  // MARK: - Realtime

  /// The damping with which the sound falls by 60 dB in `decay` seconds, and at the frequency
  /// `halving` (in hertz) in half that time.
  @_noLocks
  package func damping(decay: Double, halving: Double) -> Damping {
    var damping = Damping()
    let nearNyquist = 0.49 * sampleRate
    let cosine = Math.cos(2 * .pi * (halving < nearNyquist ? halving : nearNyquist) / sampleRate)
    var power = 0.0
    for index in 0..<Self.lineCount {
      let gain = lineGain(length: Double(length(index)), decay: decay)
      // The pole of a one-pole low-pass with gain 1 at 0 Hz and a power of g² at the frequency: a
      // root of (1 - g²)p² - 2(1 - g² cos w)p + (1 - g²) = 0.
      let square = gain * gain
      power += square
      let middle = 1 - square * cosine
      let outer = 1 - square
      let inside = middle * middle - outer * outer
      let pole = outer / (middle + Math.squareRoot(inside > 0 ? inside : 0))
      damping.feed[index] = Float(gain * (1 - pole))
      damping.keep[index] = Float(pole)
    }
    damping.meanPower = Float(power / Double(Self.lineCount))
    return damping
  }

  /// The gain of `length` frames for a decay of 60 dB in `decay` seconds.
  @_noLocks
  private func lineGain(length: Double, decay: Double) -> Double {
    let frames = (decay > 0.001 ? decay : 0.001) * sampleRate
    return Math.exp2(-9.965_784_284_662_087 * length / frames)
  }
}
