import CKernels
import FxAudio

/// Estimates the power of noise in each bin, also while other sound is present.
///
/// As in T. Gerkmann and R. C. Hendriks, "Unbiased MMSE-based noise power estimation with low
/// complexity and low tracking delay", IEEE Trans. ASLP 20 (2012). Allocated on the control thread,
/// used on the render thread.
struct NoiseFollower: ~Copyable {
  private let powers: SampleBuffer
  /// The recent mean probability of sound.
  private let likelihood: SampleBuffer
  private let firstCount: Int
  private var pieceCount = 0

  /// - Parameters:
  ///   - binCount: A multiple of eight.
  ///   - firstCount: The number of pieces at the beginning that count as noise; their powers are
  ///     averaged. The first three pieces, which are not full yet, are not counted.
  init(binCount: Int, firstCount: Int = 1) {
    self.firstCount = firstCount
    powers = SampleBuffer(count: binCount)
    likelihood = SampleBuffer(count: binCount)
  }

  static func byteCount(binCount: Int) -> Int { 2 * SampleBuffer.byteCount(count: binCount) }

  // MARK: - Realtime

  /// The noise power of each bin.
  var power: UnsafeMutablePointer<Float> { @_noLocks get { powers.samples } }

  /// Updates the noise of eight bins. The more likely sound is, the less the estimate changes.
  @_noLocks
  func follow(_ power: SIMD8<Float>, at index: Int) {
    let whole = pieceCount &- 3
    guard whole > 0 && whole >= firstCount else {
      let known = EightBins.load(powers.samples + index)
      let mean = known + (power - known) / Float(whole &+ 1)
      EightBins.store(whole > 0 ? mean : power, powers.samples + index)
      EightBins.store(SIMD8(repeating: 0), likelihood.samples + index)
      return
    }
    let known = EightBins.load(powers.samples + index)
    let ratio = fx_min8(
      power / fx_max8(known, SIMD8(repeating: 1e-20)), SIMD8(repeating: 80))
    // Sound is expected 15 dB above the noise: a power ratio of 31.6. The factor in the exponent is
    // 31.6 / 32.6 = 0.969.
    let odds = 32.62 * Math.exp2(-1.398_433 * ratio)
    let likely = 1 / (1 + odds)
    let mean = 0.9 * EightBins.load(likelihood.samples + index) + 0.1 * likely
    EightBins.store(mean, likelihood.samples + index)
    // A sound that lasts for a long time may be noise.
    let bound = SIMD8<Float>(repeating: 1).replacing(with: 0.99, where: mean .> 0.99)
    let sure = fx_min8(likely, bound)
    let learnt = sure * known + (1 - sure) * power
    EightBins.store(0.8 * known + 0.2 * learnt, powers.samples + index)
  }

  /// Call this after the last bin of a piece.
  @_noLocks
  mutating func endPiece() { pieceCount &+= 1 }

  @_noLocks
  mutating func clear() {
    powers.clear()
    likelihood.clear()
    pieceCount = 0
  }
}

/// Eight numbers in memory as one vector.
enum EightBins {
  // MARK: - Realtime

  @_noLocks @inline(__always)
  static func load(_ samples: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(samples).loadUnaligned(as: SIMD8<Float>.self)
  }

  @_noLocks @inline(__always)
  static func store(_ value: SIMD8<Float>, _ samples: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(samples).storeBytes(of: value, as: SIMD8<Float>.self)
  }
}
