import CKernels
import FxAudio

/// Follows the power of noise, bin by bin, while other sound comes and goes.
///
/// As in T. Gerkmann and R. C. Hendriks, "Unbiased MMSE-based noise power estimation with low
/// complexity and low tracking delay", IEEE Trans. ASLP 20 (2012). Allocated on the control thread,
/// used on the render thread.
struct NoiseFollower: ~Copyable {
  private let powers: SampleBuffer
  /// How likely sound was lately.
  private let likelihood: SampleBuffer
  private let firstCount: Int
  private var pieceCount = 0

  /// - Parameters:
  ///   - binCount: A multiple of eight.
  ///   - firstCount: Pieces at the beginning that are taken for noise, averaged; with 1 it is the
  ///     first whole one of pieces a quarter apart.
  init(binCount: Int, firstCount: Int = 1) {
    self.firstCount = firstCount
    powers = SampleBuffer(count: binCount)
    likelihood = SampleBuffer(count: binCount)
  }

  static func byteCount(binCount: Int) -> Int { 2 * SampleBuffer.byteCount(count: binCount) }

  // MARK: - Realtime

  /// By bin.
  var power: UnsafeMutablePointer<Float> { @_noLocks get { powers.samples } }

  /// Follows the noise of eight bins: the more likely it is that there is sound, the less is learnt.
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
    // Sound is expected 15 dB above the noise: 31.6, of which 0.969 in the exponent.
    let odds = 32.62 * Math.exp2(-1.398_433 * ratio)
    let likely = 1 / (1 + odds)
    let mean = 0.9 * EightBins.load(likelihood.samples + index) + 0.1 * likely
    EightBins.store(mean, likelihood.samples + index)
    // What has sounded for long may be noise after all.
    let bound = SIMD8<Float>(repeating: 1).replacing(with: 0.99, where: mean .> 0.99)
    let sure = fx_min8(likely, bound)
    let learnt = sure * known + (1 - sure) * power
    EightBins.store(0.8 * known + 0.2 * learnt, powers.samples + index)
  }

  /// To be called behind the last bin of a piece.
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
