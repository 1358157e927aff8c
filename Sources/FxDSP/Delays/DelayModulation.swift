private import CKernels
import FxAudio

/// How far the delays of a reverb's lines are moved: slowly, each at a rate of its own, as a
/// function of the absolute frame.
///
/// Render thread.
struct DelayModulation: BitwiseCopyable {
  /// Seconds to either side.
  private static let reach = 16.0 / 48000
  private static let rates = SIMD4<Double>(0.40, 0.64, 1.03, 0.56)
  /// Where each line begins its turn, of 2^32.
  private static var starts: SIMD4<UInt32> {
    @_noLocks get { SIMD4(0, 0x5000_0000, 0xA000_0000, 0xF000_0000) }
  }
  /// Frames to either side.
  let maximumDepth: Double
  /// Of 2^32 a frame.
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

  /// A depth from 0 to 1, reached at the end of the stretch or later: no delay moves by a whole frame
  /// within a stretch.
  @_noLocks
  mutating func begin(at frame: Int, depth share: Float, isFirst: Bool) {
    let target = share * Float(maximumDepth)
    depth = isFirst ? target : nextDepth
    let change = target - depth
    nextDepth = depth + (change > 0.5 ? 0.5 : change < -0.5 ? -0.5 : change)
  }

  /// True when the depth stays as it is while `begin` is given this one.
  @_noLocks
  func isStill(depth share: Float) -> Bool {
    depth == nextDepth && depth == share * Float(maximumDepth)
  }

  /// The frames to add to each line's delay at the start of a stretch.
  @_noLocks
  func offsets(at frame: Int) -> SIMD4<Float> { depth * shapes(frame) }

  /// The same at its end.
  @_noLocks
  func nextOffsets(at frame: Int) -> SIMD4<Float> { nextDepth * shapes(frame) }

  /// A sine's two parabolas, corrected by their square.
  @_noLocks
  private func shapes(_ frame: Int) -> SIMD4<Float> {
    let turns = UInt32(truncatingIfNeeded: frame) &* increments &+ Self.starts
    let x = 0x1p-31 * SIMD4<Float>(SIMD4<Int32>(truncatingIfNeeded: turns))
    let y = 4 * x * (1 - fx_abs4(x))
    return y * (0.775 + 0.225 * fx_abs4(y))
  }
}
