import FxAudio
import FxUnits

/// Loudness over time and in total, by the same meter as the unit `meter` uses.
package final class LoudnessCurve {
  package struct Summary: Sendable {
    /// Integrated loudness in LUFS, gated; minus infinity for silence and for less than 400 ms.
    package var integrated: Double
    /// Loudness range in LU, EBU Tech 3342.
    package var range: Double
    /// The highest loudness of 400 ms and of 3 s, in LUFS, measured every 10 ms.
    package var highestMomentary: Double
    package var highestShortTerm: Double
    /// The true peak in dBTP.
    package var truePeak: Double
    /// Momentary and short-term loudness every tenth of a second; minus infinity for silence, and
    /// until the first 400 ms or 3 s are complete.
    package var momentary: [Float]
    package var shortTerm: [Float]
  }

  private var meter: LoudnessMeter
  private let peaks: TruePeakMeter
  private var momentary: [Float] = []
  private var shortTerm: [Float] = []

  /// nil for a sample rate or a channel count for which loudness is not defined.
  init?(_ format: StreamFormat) {
    guard format.sampleRate.isFinite, (16...2_822_400).contains(format.sampleRate),
      (1...64).contains(format.channelCount)
    else { return nil }
    let layout = format.layout.isNamed ? format.layout : .usual(format.channelCount)
    meter = LoudnessMeter(
      channelCount: format.channelCount, layout: layout, sampleRate: format.sampleRate)
    peaks = TruePeakMeter(channelCount: format.channelCount)
  }

  func add(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(meter.stepLength - meter.frameCount, frameCount - done)
      meter.take(channels, from: done, frameCount: count)
      done += count
      if meter.frameCount == 0 {
        momentary.append(Float(meter.momentary))
        shortTerm.append(Float(meter.shortTerm))
      }
    }
    peaks.take(channels, frameCount: frameCount)
  }

  var summary: Summary {
    Summary(
      integrated: meter.integrated, range: meter.range, highestMomentary: meter.highestMomentary,
      highestShortTerm: meter.highestShortTerm,
      truePeak: Math.decibels(amplitude: Double(peaks.peak)),
      momentary: momentary, shortTerm: shortTerm)
  }
}
