import FxAudio

/// A gentle band-pass for two channels: 6 dB an octave above one frequency and below another.
///
/// Used on the render thread.
struct OnePoleCut: BitwiseCopyable {
  /// The edges of the band.
  struct Edges: BitwiseCopyable {
    fileprivate let high: Float
    fileprivate let low: Float
    /// The share of the signal below the low cut that is removed, 0...1.
    fileprivate let lowShare: Float

    /// The corner frequencies in hertz; no high cut when it is nil.
    @_noLocks
    package init(highCut: Float?, lowCut: Float, sampleRate: Double) {
      if let highCut {
        high = Self.coefficient(highCut, sampleRate)
      } else {
        high = 1
      }
      low = Self.coefficient(lowCut, sampleRate)
      lowShare = 1
    }

    /// The same with open ends. There is no high cut from `highest` or 20 kHz up, whichever is
    /// lower, and no low cut at 10 Hz. The high cut fades out over the last fifth before its end,
    /// the low cut from 20 Hz down.
    @_noLocks
    package init(openHighCut: Float, openLowCut: Float, highest: Float, sampleRate: Double) {
      let end = highest < 20000 ? highest : 20000
      let natural = Self.coefficient(openHighCut, sampleRate)
      let openness = (openHighCut - 0.8 * end) / (0.2 * end)
      high =
        openness >= 1 ? 1 : openness > 0 ? natural + openness * (1 - natural) : natural
      low = Self.coefficient(openLowCut, sampleRate)
      let share = (openLowCut - 10) * 0.1
      lowShare = share < 0 ? 0 : share < 1 ? share : 1
    }

    @_noLocks
    private static func coefficient(_ frequency: Float, _ sampleRate: Double) -> Float {
      let angle = 2 * Double.pi * Double(frequency) / sampleRate
      return angle > 0 ? Float(1 - Math.exp(-angle)) : 0
    }
  }

  private var smoothed = SIMD2<Float>.zero
  private var slow = SIMD2<Float>.zero

  package init() {}

  // MARK: - Realtime

  /// Filters two channels in place; both may be the same memory.
  @_noLocks
  package mutating func process(
    _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>, count: Int,
    edges: Edges
  ) {
    var (smoothed, slow) = (smoothed, slow)
    let keepSmoothed = 1 - edges.high
    let keepSlow = 1 - edges.low
    let share = edges.lowShare
    for index in 0..<count {
      smoothed = edges.high * SIMD2(first[index], second[index]) + keepSmoothed * smoothed
      slow = edges.low * smoothed + keepSlow * slow
      let passed = smoothed - share * slow
      first[index] = passed.x
      second[index] = passed.y
    }
    (self.smoothed, self.slow) = (smoothed, slow)
  }

  /// True when the state is zero.
  package var isAtRest: Bool { @_noLocks get { smoothed == .zero && slow == .zero } }

  @_noLocks
  package mutating func clear() {
    smoothed = .zero
    slow = .zero
  }
}
