import FxAudio

/// Turns noise down bin by bin of the spectrum.
///
/// The expected ratio of signal to noise is the decision-directed one of Y. Ephraim and D. Malah,
/// "Speech enhancement using a minimum mean-square error short-time spectral amplitude estimator",
/// IEEE Trans. ASSP 32 (1984). Without a profile the noise is followed as in T. Gerkmann and
/// R. C. Hendriks, "Unbiased MMSE-based noise power estimation with low complexity and low tracking
/// delay", IEEE Trans. ASLP 20 (2012).
///
/// Allocated on the control thread, used on the render thread; what comes out does not depend on the
/// blocks.
package struct SpectralDenoiser: ~Copyable {
  /// What the user asks for, taken once a piece.
  package struct Settings: BitwiseCopyable {
    /// The amplitude that is left of what is noise alone.
    package var floor: Float
    /// The factor of the noise's power that counts as noise.
    package var excess: Float

    // MARK: - Realtime

    @_noLocks
    package init(floor: Float, excess: Float) {
      self.floor = floor
      self.excess = excess
    }
  }

  /// Frames by which the output is late: one piece.
  package var latency: Int { frames.length }
  private let channelCount: Int
  private let frames: SpectralFrames
  private let gain = SpectralGain()
  private let isLearnt: Bool
  /// Channel × frame: what came, and what is being added up to go out.
  private let input: SampleBuffer
  private let output: SampleBuffer
  private let real: SampleBuffer
  private let imaginary: SampleBuffer
  /// Channel × bin: the noise's power, what was let through last, how likely sound was lately.
  private let noise: SampleBuffer
  private let profile: SampleBuffer
  private let before: SampleBuffer
  private let likelihood: SampleBuffer
  /// Frames of the hop that have come.
  private var place = 0
  private var pieceCount = 0

  /// - Parameter profile: The noise's power, channel × bin, or nothing: then it is followed.
  package init(channelCount: Int, sampleRate: Double, profile learnt: [Double]) {
    self.channelCount = channelCount
    frames = SpectralFrames(sampleRate: sampleRate)
    let bins = channelCount * frames.binCount
    isLearnt = learnt.count == bins && bins > 0
    input = SampleBuffer(count: channelCount * frames.length)
    output = SampleBuffer(count: channelCount * frames.length)
    real = SampleBuffer(count: frames.binCount)
    imaginary = SampleBuffer(count: frames.binCount)
    noise = SampleBuffer(count: bins)
    profile = SampleBuffer(count: bins)
    before = SampleBuffer(count: bins)
    likelihood = SampleBuffer(count: bins)
    if isLearnt {
      for index in 0..<bins { profile.samples[index] = Float(learnt[index]) }
    }
    noise.samples.update(copying: UnsafePointer(profile.samples), count: bins)
  }

  /// What a denoiser allocates.
  package static func byteCount(channelCount: Int, sampleRate: Double) -> Int {
    let length = SpectralFrames.length(sampleRate: sampleRate)
    let bins = length / 2 + 1
    return SpectralFrames.byteCount(sampleRate: sampleRate) + SpectralGain.byteCount
      + 2 * SampleBuffer.byteCount(count: channelCount * length)
      + 2 * SampleBuffer.byteCount(count: bins)
      + 4 * SampleBuffer.byteCount(count: channelCount * bins)
  }

  // MARK: - Realtime

  /// Frames until the next piece is complete; no call takes more.
  package var remainingCount: Int {
    @_noLocks get { frames.hop &- place }
  }

  /// Renders frames of all channels, at most `remainingCount`; outputs may be inputs.
  @_noLocks
  package mutating func process(
    _ inputs: UnsafePointer<UnsafePointer<Float>>,
    to outputs: UnsafePointer<UnsafeMutablePointer<Float>>, from start: Int, count: Int,
    _ settings: Settings
  ) {
    let first = frames.length &- frames.hop &+ place
    for channel in 0..<channelCount {
      let source = inputs[channel] + start
      let target = input.samples + channel &* frames.length + first
      for frame in 0..<count { target[frame] = source[frame].finiteSample }
      (outputs[channel] + start).update(
        copying: UnsafePointer(output.samples + channel &* frames.length + place), count: count)
    }
    place &+= count
    guard place == frames.hop else { return }
    for channel in 0..<channelCount { renderPiece(channel, settings) }
    place = 0
    pieceCount &+= 1
  }

  @_noLocks
  private func renderPiece(_ channel: Int, _ settings: Settings) {
    let (length, hop) = (frames.length, frames.hop)
    let samples = input.samples + channel &* length
    let sums = output.samples + channel &* length
    sums.update(copying: UnsafePointer(sums + hop), count: length &- hop)
    (sums + (length &- hop)).update(repeating: 0, count: hop)
    frames.analyze(samples, real: real.samples, imaginary: imaginary.samples)
    let first = channel &* frames.binCount
    for bin in 0..<frames.binCount {
      let (re, im) = (real.samples[bin], imaginary.samples[bin])
      let gain = gain(of: re * re + im * im, at: first &+ bin, settings)
      real.samples[bin] = gain * re
      imaginary.samples[bin] = gain * im
    }
    frames.add(real: real.samples, imaginary: imaginary.samples, to: sums)
    samples.update(copying: UnsafePointer(samples + hop), count: length &- hop)
  }

  /// The gain of a bin with such a power; learns from it.
  @_noLocks
  private func gain(of power: Float, at index: Int, _ settings: Settings) -> Float {
    if !isLearnt { follow(power, at: index) }
    let counted = settings.excess * noise.samples[index]
    let level = counted > 1e-20 ? counted : 1e-20
    let ratio = power / level
    let posterior = ratio < 1e6 ? ratio : 1e6
    let over = posterior > 1 ? posterior - 1 : 0
    let last = before.samples[index] / level
    let prior = Self.memory * (last < 1e6 ? last : 1e6) + (1 - Self.memory) * over
    let estimated = gain.gain(
      prior: prior > Self.lowestPrior ? prior : Self.lowestPrior, posterior: posterior)
    before.samples[index] = estimated * estimated * power
    return estimated > settings.floor ? estimated : settings.floor
  }

  /// The share of the expected ratio that the piece before has.
  private static var memory: Float { @_noLocks get { 0.97 } }
  /// -25 dB.
  private static var lowestPrior: Float { @_noLocks get { 0.003_162_277_7 } }
  /// Pieces until one is whole.
  private static var firstWholePiece: Int { @_noLocks get { 3 } }

  /// Follows the noise of a bin: the more likely it is that there is sound, the less is learnt.
  @_noLocks
  private func follow(_ power: Float, at index: Int) {
    if pieceCount <= Self.firstWholePiece {
      noise.samples[index] = power
      likelihood.samples[index] = 0
      return
    }
    let noisePower = noise.samples[index]
    let ratio = power / (noisePower > 1e-20 ? noisePower : 1e-20)
    // Sound is expected 15 dB above the noise: 31.6, of which 0.969 in the exponent.
    let odds = 32.62 * Math.exp2(-(ratio < 80 ? ratio : 80) * 0.969_32 * 1.442_695)
    var likely = 1 / (1 + odds)
    let mean = 0.9 * likelihood.samples[index] + 0.1 * likely
    likelihood.samples[index] = mean
    if mean > 0.99 && likely > 0.99 { likely = 0.99 }
    let learnt = likely * noisePower + (1 - likely) * power
    noise.samples[index] = 0.8 * noisePower + 0.2 * learnt
  }

  @_noLocks
  package mutating func clear() {
    input.clear()
    output.clear()
    before.clear()
    likelihood.clear()
    noise.samples.update(
      copying: UnsafePointer(profile.samples), count: channelCount &* frames.binCount)
    place = 0
    pieceCount = 0
  }
}
