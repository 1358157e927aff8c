import CEBUR128
import FxAudio

/// Loudness over time and in total: EBU R 128 by libebur128.
package final class LoudnessCurve {
  package struct Summary: Sendable {
    /// Integrated loudness in LUFS, gated; minus infinity for silence and for less than 400 ms.
    package var integrated: Double
    /// Loudness range in LU, EBU Tech 3342.
    package var range: Double
    /// The highest loudness of 400 ms and of 3 s, in LUFS.
    var highestMomentary: Double
    var highestShortTerm: Double
    /// The true peak in dBTP.
    package var truePeak: Double
    /// Short-term loudness every tenth of a second.
    package var shortTerm: [Float]
  }

  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channelCount: Int
  private let step: Int
  private var sinceStep = 0
  private var frames: [Float] = []
  private var highest = (momentary: -Double.infinity, shortTerm: -Double.infinity)
  private var curve: [Float] = []

  /// nil for a sample rate or a channel count for which loudness is not defined.
  init?(sampleRate: Double, channelCount: Int) {
    guard sampleRate.isFinite, (16...2_822_400).contains(sampleRate),
      (1...64).contains(channelCount)
    else { return nil }
    let mode =
      EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
      | EBUR128_MODE_HISTOGRAM.rawValue
    state = ebur128_init(UInt32(channelCount), UInt(sampleRate.rounded()), Int32(mode))
    guard state != nil else { return nil }
    self.channelCount = channelCount
    step = max(1, Int((sampleRate / 10).rounded()))
  }

  deinit { ebur128_destroy(&state) }

  func add(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(step - sinceStep, frameCount - done)
      frames.removeAll(keepingCapacity: true)
      for frame in done..<done + count {
        for channel in 0..<channelCount {
          let sample = channels[channel][frame]
          // One sample that is not a number would make the whole result not a number.
          frames.append(sample.isFinite ? sample : 0)
        }
      }
      ebur128_add_frames_float(state, frames, count)
      done += count
      sinceStep += count
      if sinceStep == step { endStep() }
    }
  }

  private func endStep() {
    sinceStep = 0
    var (momentary, shortTerm) = (-Double.infinity, -Double.infinity)
    ebur128_loudness_momentary(state, &momentary)
    ebur128_loudness_shortterm(state, &shortTerm)
    highest = (max(highest.momentary, momentary), max(highest.shortTerm, shortTerm))
    curve.append(Float(shortTerm))
  }

  var summary: Summary {
    var (integrated, range) = (-Double.infinity, 0.0)
    ebur128_loudness_global(state, &integrated)
    ebur128_loudness_range(state, &range)
    var peak = 0.0
    for channel in 0..<channelCount {
      var own = 0.0
      ebur128_true_peak(state, UInt32(channel), &own)
      peak = max(peak, own)
    }
    return Summary(
      integrated: integrated, range: range, highestMomentary: highest.momentary,
      highestShortTerm: highest.shortTerm, truePeak: Math.decibels(amplitude: peak),
      shortTerm: curve)
  }
}
