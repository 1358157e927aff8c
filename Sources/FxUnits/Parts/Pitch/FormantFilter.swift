import CKernels
import FxAudio

/// Moves the formants of spectra: it moves the spectral envelope, and the overtones keep their
/// frequencies.
///
/// The envelope (`course`) is the logarithm of the power, smoothed by its cepstrum, as in A. V.
/// Oppenheim and R. W. Schafer, "Discrete-Time Signal Processing", chapter 13. Allocated on the
/// control thread, used on the render thread.
struct FormantFilter: ~Copyable {
  private let binCount: Int
  private let rowCount: Int
  /// The length of a piece in frames.
  var length: Int { @_noLocks get { transform.length } }
  private let transform: RealTransform
  /// For each bin: the binary logarithm of the power, then its envelope.
  private let levels: SampleBuffer
  private let nothing: SampleBuffer
  private let cepstrum: SampleBuffer
  private let window: SampleBuffer

  /// Up to `courseTime` (seconds) the cepstrum is the envelope's; from `overtoneTime` on it is the
  /// overtones'.
  private static let courseTime = 0.0014
  private static let overtoneTime = 0.0025

  /// - Parameter length: The length of a piece in frames.
  init(length: Int, sampleRate: Double) {
    transform = RealTransform(length: length)
    binCount = transform.binCount
    rowCount = SpectralFrames.rowCount(length: length)
    levels = SampleBuffer(count: rowCount)
    nothing = SampleBuffer(count: rowCount)
    cepstrum = SampleBuffer(count: length)
    window = SampleBuffer(count: length)
    let reach = min(max(2, Int(Self.overtoneTime * sampleRate)), length / 2)
    window.samples[0] = 1
    for time in 1..<reach {
      let over = Double(time) / sampleRate - Self.courseTime
      let share = min(max(over / (Self.overtoneTime - Self.courseTime), 0), 1)
      let weight = 0.5 + 0.5 * Math.cos(Double.pi * share)
      window.samples[time] = Float(weight)
      window.samples[length - time] = Float(weight)
    }
  }

  static func byteCount(length: Int) -> Int {
    RealTransform.byteCount(length: length)
      + 2 * SampleBuffer.byteCount(count: SpectralFrames.rowCount(length: length))
      + 2 * SampleBuffer.byteCount(count: length)
  }

  // MARK: - Realtime

  /// The range of bins that count, below the loudest bin, in factors of two of power.
  private static var range: Float { @_noLocks get { 40 } }
  /// 30 dB: the largest change of a bin's level.
  private static var mostChange: Float { @_noLocks get { 5 } }

  /// Filters spectra, channel × bin. At each bin the new envelope has the level of the old one at
  /// `scale` times the bin.
  @_noLocks
  func filter(
    _ reals: UnsafeMutablePointer<Float>, _ imaginaries: UnsafeMutablePointer<Float>,
    channelCount: Int, scale: Double
  ) {
    measure(reals, imaginaries, channelCount: channelCount)
    for bin in 0..<binCount {
      let gain = gain(at: Double(bin), scale: scale)
      for channel in 0..<channelCount {
        reals[channel &* rowCount &+ bin] *= gain
        imaginaries[channel &* rowCount &+ bin] *= gain
      }
    }
  }

  /// The gain at a place, in bins, that gives it the measured envelope's level at `scale` times the
  /// place.
  @_noLocks
  func gain(at place: Double, scale: Double) -> Float {
    // The factor 0.5 is for amplitude, because the levels are those of powers.
    let change = 0.5 * (level(at: min(place * scale, Double(binCount &- 2))) - level(at: place))
    return Math.exp2(min(max(change, -Self.mostChange), Self.mostChange))
  }

  @_noLocks
  private func level(at place: Double) -> Float {
    let there = min(place, Double(binCount &- 1))
    let whole = Int(there)
    let share = Float(there - Double(whole))
    let (low, high) = (levels.samples[whole], levels.samples[whole &+ 1])
    return low + share * (high - low)
  }

  /// Measures the envelope of spectra, channel × bin.
  @_noLocks
  func measure(
    _ reals: UnsafePointer<Float>, _ imaginaries: UnsafePointer<Float>, channelCount: Int
  ) {
    levels.clear()
    for channel in 0..<channelCount {
      let (re, im) = (reals + channel &* rowCount, imaginaries + channel &* rowCount)
      for bin in 0..<binCount { levels.samples[bin] += re[bin] * re[bin] + im[bin] * im[bin] }
    }
    var loudest: Float = 1e-20
    for bin in 0..<binCount { loudest = max(loudest, levels.samples[bin]) }
    let least = Math.log2(min(loudest, 1e30)) - Self.range
    var bin = 0
    while bin < rowCount {
      let power = fx_min8(EightBins.load(levels.samples + bin), SIMD8(repeating: 1e30))
      let level = fx_max8(Math.log2(power), SIMD8(repeating: least))
      EightBins.store(level, levels.samples + bin)
      bin &+= 8
    }
    nothing.clear()
    transform.inverse(real: levels.samples, imaginary: nothing.samples, to: cepstrum.samples)
    for time in 0..<transform.length { cepstrum.samples[time] *= window.samples[time] }
    transform.forward(cepstrum.samples, real: levels.samples, imaginary: nothing.samples)
  }
}
