private import CKernels
import FxAudio

/// The slow modulation of a reverb's delay lines. Each line has its own rate, and the offsets are a
/// function of the absolute frame.
///
/// Render thread.
struct DelayModulation: BitwiseCopyable {
  /// The largest offset in each direction, in seconds.
  private static let reach = 16.0 / 48000
  private static let rates = SIMD4<Double>(0.40, 0.64, 1.03, 0.56)
  /// The start phase of each line; 2^32 is a period.
  private static var starts: SIMD4<UInt32> {
    @_noLocks get { SIMD4(0, 0x5000_0000, 0xA000_0000, 0xF000_0000) }
  }
  /// The largest offset in each direction, in frames.
  let maximumDepth: Double
  /// The phase step per frame; 2^32 is a period.
  private let increments: SIMD4<UInt32>
  private var depth: Float = 0
  private var nextDepth: Float = 0

  init(sampleRate: Double) {
    maximumDepth = Self.reach * sampleRate
    var increments = SIMD4<UInt32>.zero
    for line in 0..<4 {
      increments[line] = UInt32(min(Self.rates[line] / sampleRate, 0.5) * 0x1p32)
    }
    self.increments = increments
  }

  // MARK: - Realtime

  /// Begins a stretch with a depth from 0 to 1, which is reached at the end of the stretch or
  /// later. The depth changes by at most half a frame in a stretch, so that no delay moves by a
  /// whole frame.
  @_noLocks
  mutating func begin(at frame: Int, depth share: Float, isFirst: Bool) {
    let target = share * Float(maximumDepth)
    depth = isFirst ? target : nextDepth
    let change = target - depth
    nextDepth = depth + (change > 0.5 ? 0.5 : change < -0.5 ? -0.5 : change)
  }

  /// True when the depth does not change as long as `begin` gets this one.
  @_noLocks
  func isStill(depth share: Float) -> Bool {
    depth == nextDepth && depth == share * Float(maximumDepth)
  }

  /// The frames to add to each line's delay at the start of a stretch.
  @_noLocks
  func offsets(at frame: Int) -> SIMD4<Float> { depth * shapes(frame) }

  /// The same at the end of the stretch.
  @_noLocks
  func nextOffsets(at frame: Int) -> SIMD4<Float> { nextDepth * shapes(frame) }

  /// An approximate sine: two parabolas, corrected by their square.
  @_noLocks
  private func shapes(_ frame: Int) -> SIMD4<Float> {
    let turns = UInt32(truncatingIfNeeded: frame) &* increments &+ Self.starts
    let x = 0x1p-31 * SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: turns))
    let y = 4 * x * (1 - fx_abs4(x))
    return y * (0.775 + 0.225 * fx_abs4(y))
  }
}
