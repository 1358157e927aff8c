import FxAudio

/// Statistics of a sound, measured block by block. Memory is constant, except for one point of each
/// curve every tenth of a second.
package struct SoundStatistics: Sendable {
  /// One channel. Levels are in dB of full scale, minus infinity for silence.
  package struct Channel: Sendable {
    /// The highest magnitude: 0 dB is a sample of ±1.
    package var peak: Double
    /// Root mean square: a full-scale sine has -3.01 dB.
    package var rms: Double
    /// The mean, as an amplitude with its sign.
    package var dc: Double
    /// Samples at or beyond full scale, in runs of three or more.
    package var clippedCount: Int
    /// Samples that are infinite or not a number.
    package var nonFiniteCount: Int

    /// Peak minus RMS in dB; 0 for silence.
    package var crest: Double { peak == -.infinity ? 0 : peak - rms }
  }

  /// A window of 50 ms below this level counts as silence.
  package static let silence = -60.0

  package let sampleRate: Double
  package private(set) var frameCount = 0
  package private(set) var channels: [Channel]
  /// Loudness over time and in total; nil when it is not defined for the format.
  package let loudness: LoudnessCurve.Summary?
  /// The 5th percentile of the levels of 50 ms windows; digital silence does not count.
  package let noiseFloor: Double
  /// Seconds of silence at the start, at the end and in total, and the longest silence.
  package let silence: (start: Double, end: Double, total: Double, longest: Double)
  /// The highest frequency with sound, 0 for silence. Above it the mean spectrum is at or below
  /// -110 dBFS or 100 dB below its peak, whichever is higher.
  package let bandwidth: Double
  package let envelope: SoundEnvelope
  /// The mean levels of the spectrum in dBFS, from 0 Hz to half the sample rate.
  package let spectrum: [Float]

  /// - Parameter sum: The accumulated values.
  init(_ sum: SoundMeter) {
    sampleRate = sum.sampleRate
    frameCount = sum.frameCount
    channels = sum.sums.map { $0.channel(frameCount: sum.frameCount) }
    loudness = sum.loudness?.summary
    let windows = sum.windows
    let sounding = windows.filter { $0 > -.infinity }.sorted()
    noiseFloor = sounding.isEmpty ? -.infinity : Double(sounding[sounding.count / 20])
    let quiet = windows.map { $0 < Float(SoundStatistics.silence) }
    let first = quiet.firstIndex(of: false) ?? quiet.count
    let last = quiet.lastIndex(of: false).map { quiet.count - 1 - $0 } ?? quiet.count
    var (longest, run) = (0, 0)
    for isQuiet in quiet {
      run = isQuiet ? run + 1 : 0
      longest = max(longest, run)
    }
    let window = SoundMeter.windowSeconds
    silence = (
      Double(first) * window, Double(last) * window, Double(quiet.count { $0 }) * window,
      Double(longest) * window
    )
    envelope = sum.envelope
    let levels = sum.spectrum
    spectrum = levels
    let top = levels.max() ?? -.infinity
    let highest = top > -110 ? levels.lastIndex { $0 > max(-110, top - 100) } : nil
    let step = sum.sampleRate / Double(2 * max(levels.count - 1, 1))
    bandwidth = highest.map { Double($0) * step } ?? 0
  }

  package var seconds: Double { Double(frameCount) / sampleRate }
}
