import FxAudio

/// What a sound is like in figures, from its samples as they come: in constant memory, but for one point
/// of a curve each tenth of a second.
package struct SoundStatistics: Sendable {
  /// One channel. Levels are in dB of full scale, minus infinity for silence.
  package struct Channel: Sendable {
    /// The highest magnitude: 0 dB is a sample of ±1.
    package var peak: Double
    /// Root mean square: a sine of full scale has -3.01 dB.
    package var rms: Double
    /// The mean, as an amplitude with its sign.
    package var dc: Double
    /// Samples at or beyond full scale that lie side by side, three or more.
    package var clippedCount: Int
    /// Samples that are no numbers.
    package var nonFiniteCount: Int

    /// Peak over RMS, in dB; 0 for silence.
    package var crest: Double { peak == -.infinity ? 0 : peak - rms }
  }

  /// Half a tenth of a second below this level is silence.
  package static let silence = -60.0

  package let sampleRate: Double
  package private(set) var frameCount = 0
  package private(set) var channels: [Channel]
  /// Loudness over time and in all; nil where it is not defined for the format.
  package let loudness: LoudnessCurve.Summary?
  /// The level below which a twentieth of the sound's windows of 50 ms lie; digital silence does not count.
  package let noiseFloor: Double
  /// Seconds of silence in front, behind, in all, and the longest piece.
  package let silence: (start: Double, end: Double, total: Double, longest: Double)
  /// The highest frequency at which there is sound: above it the mean spectrum stays below -110 dBFS and
  /// 100 dB below its highest point; 0 for silence.
  package let bandwidth: Double
  /// Highest and lowest sample of each tenth of a second, and the RMS level, of all channels together.
  package let envelope: [(low: Float, high: Float, rms: Float)]
  /// Mean levels of the spectrum in dBFS, from 0 to half the rate.
  package let spectrum: [Float]

  /// - Parameter finishing: what has been added up.
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
