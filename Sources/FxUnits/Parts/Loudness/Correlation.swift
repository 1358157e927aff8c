import FxAudio

/// The correlation of two channels over about the last 300 ms: 1 for mono, 0 for unrelated sounds,
/// -1 for opposite polarity.
///
/// Render thread.
struct Correlation: BitwiseCopyable {
  private let share: Double
  private var product = 0.0
  private var energies = SIMD2<Double>.zero

  package init(sampleRate: Double) {
    share = Smoothing.coefficient(seconds: 0.3, sampleRate: sampleRate)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func take(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, frameCount: Int
  ) {
    var (product, energies) = (product, energies)
    for frame in 0..<frameCount {
      let pair = SIMD2(Double(first[frame].finiteSample), Double(second[frame].finiteSample))
      product += share * (pair.x * pair.y - product)
      energies += share * (pair * pair - energies)
    }
    (self.product, self.energies) = (product, energies)
  }

  /// 0 when one of the channels is silent.
  package var value: Double {
    @_noLocks get {
      let scale = energies.x * energies.y
      return scale > 1e-30 ? product / Math.squareRoot(scale) : 0
    }
  }

  @_noLocks
  package mutating func clear() {
    product = 0
    energies = .zero
  }
}
