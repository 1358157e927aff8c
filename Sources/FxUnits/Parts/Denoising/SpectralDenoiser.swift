import CKernels
import FxAudio

/// Reduces noise in each bin of the spectrum.
///
/// The expected ratio of signal to noise is the decision-directed one of Y. Ephraim and D. Malah,
/// "Speech enhancement using a minimum mean-square error short-time spectral amplitude estimator",
/// IEEE Trans. ASSP 32 (1984). Without a profile the noise is estimated continuously
/// (`NoiseFollower`).
///
/// Allocated on the control thread, used on the render thread. The output does not depend on the
/// block sizes.
struct SpectralDenoiser: ~Copyable {
  /// The user's settings, read once per piece.
  package struct Settings: BitwiseCopyable {
    /// The lowest gain: the share of the amplitude that remains of pure noise.
    package var floor: Float
    /// The factor for the noise power before it is compared with the signal.
    package var excess: Float

    // MARK: - Realtime

    @_noLocks
    package init(floor: Float, excess: Float) {
      self.floor = floor
      self.excess = excess
    }
  }

  /// The latency in frames: one piece.
  package var latency: Int { frames.length }
  private let channelCount: Int
  private let frames: SpectralFrames
  private let gain = SpectralGain()
  private let isLearnt: Bool
  /// Channel × frame: the latest input, and the sum of the output pieces so far.
  private let input: SampleBuffer
  private let output: SampleBuffer
  private let real: SampleBuffer
  private let imaginary: SampleBuffer
  /// Channel × bin: the learnt power of the noise, and the previous piece's power after its gain.
  private let profile: SampleBuffer
  private let before: SampleBuffer
  private var noise: NoiseFollower
  private let movement: NoiseLevels
  /// The pieces since the beginning.
  private var pieceCount = 0
  /// Frames of the current hop that have arrived.
  private var place = 0

  /// - Parameter learnt: What `NoiseProfile` found. If it is empty, the noise is estimated
  ///   continuously.
  package init(channelCount: Int, sampleRate: Double, learnt: [Double]) {
    self.channelCount = channelCount
    frames = SpectralFrames(sampleRate: sampleRate)
    let bins = channelCount * frames.rowCount
    let learntCount = channelCount * frames.binCount
    isLearnt = learntCount > 0 && learnt.count >= learntCount
    input = SampleBuffer(count: channelCount * frames.length)
    output = SampleBuffer(count: channelCount * frames.length)
    real = SampleBuffer(count: frames.rowCount)
    imaginary = SampleBuffer(count: frames.rowCount)
    profile = SampleBuffer(count: bins)
    before = SampleBuffer(count: bins)
    noise = NoiseFollower(binCount: bins)
    movement = NoiseLevels(
      learnt.dropFirst(learntCount), channelCount: channelCount, binCount: frames.binCount,
      slotLength: NoiseMotion.slotLength(sampleRate: sampleRate))
    if isLearnt {
      for channel in 0..<channelCount {
        for bin in 0..<frames.binCount {
          profile.samples[channel * frames.rowCount + bin] = Float(
            learnt[channel * frames.binCount + bin])
        }
      }
    }
    noise.power.update(copying: UnsafePointer(profile.samples), count: bins)
  }

  /// The bytes that a denoiser allocates.
  /// - Parameter learntCount: The count of what `NoiseProfile` found.
  package static func byteCount(channelCount: Int, sampleRate: Double, learntCount: Int) -> Int {
    let length = SpectralFrames.length(sampleRate: sampleRate)
    let bins = SpectralFrames.rowCount(length: length)
    return SpectralFrames.byteCount(sampleRate: sampleRate) + SpectralGain.byteCount
      + 2 * SampleBuffer.byteCount(count: channelCount * length)
      + 2 * SampleBuffer.byteCount(count: bins)
      + 2 * SampleBuffer.byteCount(count: channelCount * bins)
      + NoiseFollower.byteCount(binCount: channelCount * bins)
      + NoiseLevels.byteCount(
        levelCount: max(learntCount - channelCount * (length / 2 + 1), 0), binCount: length / 2 + 1)
  }

  // MARK: - Realtime

  /// Frames until the next piece is complete. A call of `process` takes at most this many.
  var remainingCount: Int {
    @_noLocks get { frames.hop &- place }
  }

  /// Renders at most `remainingCount` frames of all channels. Outputs may be the same memory as
  /// inputs.
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
    noise.endPiece()
  }

  @_noLocks
  private func renderPiece(_ channel: Int, _ settings: Settings) {
    let (length, hop) = (frames.length, frames.hop)
    let samples = input.samples + channel &* length
    let sums = output.samples + channel &* length
    sums.update(copying: UnsafePointer(sums + hop), count: length &- hop)
    (sums + (length &- hop)).update(repeating: 0, count: hop)
    frames.analyze(samples, real: real.samples, imaginary: imaginary.samples)
    let first = channel &* frames.rowCount
    if isLearnt, !movement.isStill {
      movement.apply(
        at: (pieceCount &+ 1) &* hop &- length / 2, channel: channel,
        profile: profile.samples + first, to: noise.power + first)
    }
    var bin = 0
    while bin < frames.rowCount {
      weigh(bin, at: first &+ bin, settings)
      bin &+= 8
    }
    frames.add(real: real.samples, imaginary: imaginary.samples, to: sums)
    samples.update(copying: UnsafePointer(samples + hop), count: length &- hop)
  }

  /// Applies the gain to eight bins, and updates the noise estimate with them.
  @_noLocks
  private func weigh(_ bin: Int, at index: Int, _ settings: Settings) {
    let (re, im) = (EightBins.load(real.samples + bin), EightBins.load(imaginary.samples + bin))
    let power = fx_min8(re * re + im * im, SIMD8(repeating: 1e30))
    if !isLearnt { noise.follow(power, at: index) }
    let counted = settings.excess * EightBins.load(noise.power + index)
    let level = fx_max8(counted, SIMD8(repeating: 1e-20))
    let most = SIMD8<Float>(repeating: 1e6)
    let posterior = fx_min8(power / level, most)
    let over = fx_max8(posterior - 1, SIMD8(repeating: 0))
    let last = fx_min8(EightBins.load(before.samples + index) / level, most)
    let prior = fx_max8(
      Self.memory * last + (1 - Self.memory) * over, SIMD8(repeating: Self.lowestPrior))
    let estimated = gain.gain(prior: prior, posterior: posterior)
    EightBins.store(estimated * estimated * power, before.samples + index)
    let weight = fx_max8(estimated, SIMD8(repeating: settings.floor))
    EightBins.store(weight * re, real.samples + bin)
    EightBins.store(weight * im, imaginary.samples + bin)
  }

  /// The weight of the previous piece in the expected ratio.
  private static var memory: Float { @_noLocks get { 0.97 } }
  /// -25 dB.
  private static var lowestPrior: Float { @_noLocks get { 0.003_162_277_7 } }
  @_noLocks
  package mutating func clear() {
    input.clear()
    output.clear()
    before.clear()
    noise.clear()
    noise.power.update(
      copying: UnsafePointer(profile.samples), count: channelCount &* frames.rowCount)
    place = 0
    pieceCount = 0
  }
}
