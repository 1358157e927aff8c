@testable import FxAudio
import Testing

@Suite struct FadeCurveTests {
  /// The amplitudes at the beginning, after a third, in the middle and at the end.
  private static let amplitudes: [(curve: FadeCurve, amplitudes: [Double])] = [
    (.linear, [0, 1.0 / 3, 0.5, 1]),
    (.equalPower, [0, 0.5, 0.707_106_781, 1]),
    // 60 dB: a third of the way is at -40 dB, the middle at -30 dB.
    (.exponential, [0.001, 0.01, 0.031_622_777, 1]),
    (.sCurve, [0, 7.0 / 27, 0.5, 1]),
  ]

  @Test(arguments: amplitudes)
  func `a curve goes from silence to full`(_ curve: FadeCurve, _ amplitudes: [Double]) {
    for (share, amplitude) in zip([0, 1.0 / 3, 0.5, 1], amplitudes) {
      #expect(abs(curve.amplitude(at: share) - amplitude) < 1e-8, "\(curve) at \(share)")
    }
  }

  @Test func `an equal-power crossfade keeps the power`() {
    for share in stride(from: 0, through: 1, by: 0.125) {
      let (rising, falling) = (
        FadeCurve.equalPower.amplitude(at: share), FadeCurve.equalPower.amplitude(at: 1 - share)
      )
      #expect(abs(rising * rising + falling * falling - 1) < 1e-12)
    }
  }
}
