private import CKernels
import FxAudio

/// The losses of a reverb's lines, and the gain that they need at the input.
///
/// Each line has a gain, a one-pole low-pass and a shelf for the bass, so that all lines lose the
/// same level per second.
///
/// Render thread.
struct ReverbLosses: ~Copyable {
  /// Three rows with a value per line: the low-pass coefficients `feed` and `keep`, and the level
  /// of the bass to add.
  let rows = SampleBuffer(count: 3 * ReverbNetwork.lineCount)
  /// The coefficient of the one-pole low-pass that extracts the bass.
  private(set) var bass: Float = 0
  private(set) var hasBass = false
  /// The input gain with which pink noise has the same level at input and output.
  private(set) var inputGain: Float = 0
  /// With this gain, the power that enters, after the losses of one pass, as a share of the power of
  /// the output.
  private(set) var enteringPower: Float = 1
  /// 1 - cos w at the octaves from 63 Hz to 8 kHz.
  private let octaves: SIMD8<Double>
  /// From this frequency on there is no damping: 20 kHz, or the limit at the chain's sample rate.
  private let off: Double

  package init(sampleRate: Double) {
    var octaves = SIMD8<Double>.zero
    for octave in 0..<8 {
      let hertz = min(62.5 * Double(1 << octave), 0.49 * sampleRate)
      octaves[octave] = 1 - Math.cos(2 * .pi * hertz / sampleRate)
    }
    self.octaves = octaves
    off = min(20000, 0.999 * RateLimit.highest(sampleRate: sampleRate))
  }

  package static func byteCount() -> Int {
    SampleBuffer.byteCount(count: 3 * ReverbNetwork.lineCount)
  }

  /// The decay times from which the losses are computed.
  package struct Times: BitwiseCopyable {
    /// Seconds in which the middle frequencies fall by 60 dB.
    let decay: Double
    /// The decay time at the damping frequency as a share of `decay`, at most 1.
    let high: Double
    let damping: Double
    /// The decay time far below the crossover as a multiple of `decay`.
    let low: Double
    let crossover: Double

    @_noLocks
    package init(decay: Float, high: Float, damping: Float, low: Float, crossover: Float) {
      self.decay = Double(decay > 0.01 ? decay : 0.01)
      self.high = Double(high > 0.01 ? high : 0.01)
      self.damping = Double(damping)
      self.low = Double(low > 0.01 ? low : 0.01)
      self.crossover = Double(crossover)
    }
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func update(_ times: Times, for network: borrowing ReverbNetwork) {
    let rate = network.sampleRate
    let count = ReverbNetwork.lineCount
    let pole = Math.exp(-2 * Double.pi * times.crossover / rate)
    bass = Float(1 - pole)
    hasBass = times.low != 1
    let eighth = 0.125 * rate
    let match = times.damping < eighth ? times.damping : eighth
    let ratio = match / times.damping
    let loss = times.damping >= off ? 0 : (1 / times.high - 1) * ratio * ratio
    let turn = 1 - Math.cos(2 * .pi * match / rate)
    var power = 0.0
    var once = 0.0
    for line in 0..<count {
      // The gain of the line in octaves: its share of 60 dB in the decay time.
      let turns = -9.965_784_284_662_087 * Double(network.length(line)) / (times.decay * rate)
      let gain = Math.exp2(turns)
      let keep = Self.pole(power: Math.exp2(2 * turns * loss), at: turn)
      let lift = Math.exp2(turns * (1 / times.low - 1)) - 1
      rows.samples[line] = Float(gain * (1 - keep))
      rows.samples[count + line] = Float(keep)
      rows.samples[2 * count + line] = Float(lift)
      let passed = passed(gain: gain, keep: keep, lift: lift, bass: 1 - pole)
      power += passed.always
      once += passed.once
    }
    // Each side has half of the lines; each line adds `passed` times the power of its input.
    inputGain = Float(1 / Math.squareRoot(0.5 * power > 1e-12 ? 0.5 * power : 1e-12))
    enteringPower = Float(once / (power > 2e-12 ? power : 2e-12))
  }

  /// The pole of a one-pole low-pass that passes this share of the power at a frequency w, which is
  /// given as 1 - cos w.
  @_noLocks
  private static func pole(power: Double, at turn: Double) -> Double {
    // A root of (1 - P)p² - 2(1 - P cos w)p + (1 - P) = 0.
    let outer = 1 - power
    guard outer > 0 else { return 0 }
    let middle = outer + power * turn
    let inside = middle * middle - outer * outer
    return outer / (middle + Math.squareRoot(inside > 0 ? inside : 0))
  }

  /// The means over the octaves of |G|² and of |G|² / (1 - |G|²), for a line's losses G: the power
  /// after one pass, and after all.
  @_noLocks
  private func passed(
    gain: Double, keep: Double, lift: Double, bass: Double
  ) -> (once: Double, always: Double) {
    let feed = gain * (1 - keep)
    let low = (feed * feed) / ((1 - keep) * (1 - keep) + (2 * keep) * octaves)
    // 1 + lift * bass / (1 - q z^-1), q = 1 - bass.
    let q = 1 - bass
    let top = 1 + lift * bass
    let over = (top - q) * (top - q) + (2 * top * q) * octaves
    let shelf = over / (bass * bass + (2 * q) * octaves)
    let share = low * shelf
    var once = 0.0
    var sum = 0.0
    for octave in 0..<8 {
      let bounded = share[octave] < 0.999_99 ? share[octave] : 0.999_99
      once += bounded
      sum += bounded / (1 - bounded)
    }
    return (once / 8, sum / 8)
  }
}
