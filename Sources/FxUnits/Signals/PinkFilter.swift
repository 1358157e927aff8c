import FxAudio

/// Makes pink noise of white noise: -3 dB per octave, within 0.2 dB from 10 Hz to a third of the
/// sample rate.
///
/// Alternating real poles and zeros, evenly spaced on a logarithmic axis (J. O. Smith and H. F.
/// Smith, "Closed form fractional integration and differentiation via real exponentially spaced
/// pole-zero pairs", 2016), as a sum of one-pole filters.
struct PinkFilter {
  private let direct: Float
  private let poles: SIMD8<Float>
  private let residues: SIMD8<Float>
  /// The factor that gives the pink noise an RMS of 1, for white noise between -1 and 1.
  let normal: Float
  private var state = SIMD8<Float>()

  init(sampleRate: Double) {
    let lowest = 5.0 / sampleRate
    let ratio = Math.pow(0.45 / lowest, 1.0 / 7.5)
    let zeroOffset = Math.squareRoot(ratio)
    var poles: [Double] = []
    var zeros: [Double] = []
    for index in 0..<8 {
      let corner = lowest * Math.pow(ratio, Double(index))
      poles.append(Math.exp(-2 * Double.pi * corner))
      zeros.append(Math.exp(-2 * Double.pi * corner * zeroOffset))
    }
    // ∏(1 - z q) / ∏(1 - p q) = c + Σ r / (1 - p q)
    var direct = 1.0
    for (zero, pole) in zip(zeros, poles) { direct *= zero / pole }
    var residues: [Double] = []
    for one in poles.indices {
      var residue = 1.0
      for other in poles.indices {
        residue *= 1 - zeros[other] / poles[one]
        if other != one { residue /= 1 - poles[other] / poles[one] }
      }
      residues.append(residue)
    }
    // The energy of the impulse response: that of its first sample, then that of the one-pole
    // filters.
    let first = direct + residues.reduce(0, +)
    var energy = first * first
    for one in poles.indices {
      for other in poles.indices {
        let product = poles[one] * poles[other]
        energy += residues[one] * residues[other] * product / (1 - product)
      }
    }
    self.direct = Float(direct)
    var poleVector = SIMD8<Float>()
    var residueVector = SIMD8<Float>()
    for index in 0..<8 {
      poleVector[index] = Float(poles[index])
      residueVector[index] = Float(residues[index])
    }
    self.poles = poleVector
    self.residues = residueVector
    normal = Float(Math.squareRoot(3 / energy))
  }

  /// Filters a run in place, scales it and clips it to a limit.
  mutating func render(
    _ samples: UnsafeMutablePointer<Float>, count: Int, amplitude: Float, limit: Float
  ) {
    var state = state
    for frame in 0..<count {
      let white = samples[frame]
      state = state * poles + residues * white
      let quarter = state.lowHalf + state.highHalf
      let half = quarter.lowHalf + quarter.highHalf
      let value = (half.x + half.y + direct * white) * amplitude
      samples[frame] = value > limit ? limit : (value < -limit ? -limit : value)
    }
    self.state = state
  }
}
