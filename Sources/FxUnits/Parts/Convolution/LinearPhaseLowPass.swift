import FxAudio

/// A low-pass of linear phase with the level of a Linkwitz–Riley filter: `1 / (1 + (f / f0)ⁿ)`.
///
/// Its impulse is a sum of damped oscillations on both sides of its middle, one for each pole (the
/// inverse Fourier transform by residues). A pure delay minus this low-pass is the high-pass of the
/// same steepness. On the control thread.
enum LinearPhaseLowPass {
  /// Frames from the beginning of the impulse to its middle: four cycles.
  package static func reach(frequency: Double, sampleRate: Double) -> Int {
    let frames = 4 * sampleRate / max(frequency, 1)
    return max(1, min(Int(min(frames, 1e6)), 65536))
  }

  /// The impulse, with its middle at frame `delay`, which is at least `reach`.
  package static func impulse(
    order: Int, frequency: Double, delay: Int, sampleRate: Double
  ) -> ImpulseResponse {
    let reach = reach(frequency: frequency, sampleRate: sampleRate)
    var taps = [Double](repeating: 0, count: delay + reach + 1)
    let turn = 2 * Double.pi * min(frequency / sampleRate, 0.49)
    for frame in 0...reach {
      let value = value(order: order, turn: turn, frame: frame)
      // Fade out over the last quarter.
      let share = Double(4 * frame - 3 * reach) / Double(reach)
      let window = share <= 0 ? 1 : 0.5 + 0.5 * Math.cos(Double.pi * min(share, 1))
      taps[delay + frame] = value * window
      taps[delay - frame] = value * window
    }
    let sum = taps.reduce(0, +)
    return ImpulseResponse(SoundAsset([taps.map { Float($0 / sum) }]))
  }

  private static func value(order: Int, turn: Double, frame: Int) -> Double {
    var sum = 0.0
    for pole in 0..<order / 2 {
      let (sin, cos) = Math.sinCos(Double.pi * Double(2 * pole + 1) / Double(order))
      let time = turn * Double(frame)
      // The real part of -(i / n) · p · e^(i p t).
      let phase = Math.sinCos(cos * time)
      sum += Math.exp(-sin * time) * (cos * phase.sin + sin * phase.cos)
    }
    return turn * sum / Double(order)
  }
}
