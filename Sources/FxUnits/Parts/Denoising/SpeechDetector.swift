import CKernels
import FxAudio

/// The probability of speech in each piece of the sound.
///
/// The likelihood ratio test of J. Sohn, N. S. Kim and W. Sung, "A statistical model-based voice
/// activity detection", IEEE Signal Processing Letters 6 (1999), in bands of eight bins each. The
/// noise is estimated continuously (`NoiseFollower`). Any sound above steady noise counts as a
/// voice. Allocated on the control thread, used on the render thread.
struct SpeechDetector: ~Copyable {
  private let frames: SpectralFrames
  /// Bands of eight bins each; the first band starts at `firstBin`.
  private let bandCount: Int
  private let firstBin: Int
  private let input: SampleBuffer
  private let real: SampleBuffer
  private let imaginary: SampleBuffer
  /// For each band, padded to whole vectors: the power, and the previous piece's power without
  /// noise.
  private let powers: SampleBuffer
  private let before: SampleBuffer
  private var noise: NoiseFollower
  /// Frames of the current hop that have arrived.
  private var place = 0
  private var odds: Float = 0
  /// From 0 to 1. It changes once per hop, a quarter of a piece.
  private(set) var probability: Float = 0

  package init(sampleRate: Double) {
    frames = SpectralFrames(sampleRate: sampleRate)
    let bands = Self.bands(length: frames.length, sampleRate: sampleRate)
    (firstBin, bandCount) = (bands.lowerBound * 8, bands.count)
    input = SampleBuffer(count: frames.length)
    real = SampleBuffer(count: frames.rowCount)
    imaginary = SampleBuffer(count: frames.rowCount)
    powers = SampleBuffer(count: Self.mostBands)
    before = SampleBuffer(count: Self.mostBands)
    noise = NoiseFollower(binCount: Self.mostBands, firstCount: 8)
  }

  private static let mostBands = 64

  /// The bands of a voice: from about 100 Hz to about 4 kHz.
  private static func bands(length: Int, sampleRate: Double) -> Range<Int> {
    let width = 8 * sampleRate / Double(length)
    let first = Int(100 / width)
    let last = min(Int((4000 / width).rounded(.up)), length / 16, first + mostBands)
    return first..<max(last, first + 1)
  }

  package static func byteCount(sampleRate: Double) -> Int {
    let length = SpectralFrames.length(sampleRate: sampleRate)
    let rows = SpectralFrames.rowCount(length: length)
    return SpectralFrames.byteCount(sampleRate: sampleRate) + SampleBuffer.byteCount(count: length)
      + 2 * SampleBuffer.byteCount(count: rows) + 2 * SampleBuffer.byteCount(count: mostBands)
      + NoiseFollower.byteCount(binCount: mostBands)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func take(_ sample: Float) {
    input.samples[frames.length &- frames.hop &+ place] = sample
    place &+= 1
    if place == frames.hop { listen() }
  }

  /// The weight of the previous piece in the expected ratio.
  private static var memory: Float { @_noLocks get { 0.97 } }
  /// -25 dB.
  private static var lowestPrior: Float { @_noLocks get { 0.003_162_277_7 } }
  /// The mean log ratio that noise alone does not reach, and the weight of what exceeds it.
  private static var threshold: Float { @_noLocks get { 0.05 } }
  private static var certainty: Float { @_noLocks get { 30 } }
  /// The probability that a voice starts, and that it stops, within a hop.
  private static var onset: Float { @_noLocks get { 0.05 } }
  private static var offset: Float { @_noLocks get { 0.1 } }

  @_noLocks
  private mutating func listen() {
    place = 0
    frames.analyze(input.samples, real: real.samples, imaginary: imaginary.samples)
    input.samples.update(
      copying: UnsafePointer(input.samples + frames.hop), count: frames.length &- frames.hop)
    for band in 0..<bandCount { powers.samples[band] = power(band) }
    var sum = SIMD8<Float>(repeating: 0)
    var band = 0
    while band < bandCount {
      sum += ratio(band)
      band &+= 8
    }
    noise.endPiece()
    var total: Float = 0
    for lane in 0..<8 { total += sum[lane] }
    let mean = total / Float(bandCount)
    let weight = Self.certainty * (mean - Self.threshold)
    let voice = Math.exp2(1.442_695 * (weight < 20 ? weight : 20))
    odds =
      voice * (Self.onset + (1 - Self.offset) * odds) / (1 - Self.onset + Self.offset * odds)
    probability = odds / (1 + odds)
  }

  /// The mean power of the bins of a band.
  @_noLocks
  private func power(_ band: Int) -> Float {
    let bin = firstBin &+ 8 &* band
    let (re, im) = (EightBins.load(real.samples + bin), EightBins.load(imaginary.samples + bin))
    let power = fx_min8(re * re + im * im, SIMD8(repeating: 1e30))
    var sum: Float = 0
    for lane in 0..<8 { sum += power[lane] }
    return sum / 8
  }

  /// The logarithm of the likelihood ratio, for eight bands.
  @_noLocks
  private func ratio(_ band: Int) -> SIMD8<Float> {
    let power = EightBins.load(powers.samples + band)
    noise.follow(power, at: band)
    let level = fx_max8(EightBins.load(noise.power + band), SIMD8(repeating: 1e-12))
    let most = SIMD8<Float>(repeating: 1000)
    let posterior = fx_min8(power / level, most)
    let over = fx_max8(posterior - 1, SIMD8(repeating: 0))
    let last = fx_min8(EightBins.load(before.samples + band) / level, most)
    let prior = fx_max8(
      Self.memory * last + (1 - Self.memory) * over, SIMD8(repeating: Self.lowestPrior))
    let share = prior / (1 + prior)
    EightBins.store(share * share * power, before.samples + band)
    return posterior * share - 0.693_147_2 * Math.log2(1 + prior)
  }

  @_noLocks
  package mutating func clear() {
    input.clear()
    powers.clear()
    before.clear()
    noise.clear()
    place = 0
    odds = 0
    probability = 0
  }
}
