@testable import FxAudio
import Testing

@Suite struct PeakAnalyzerTests {
  @Test(arguments: [[], [0], [1e-39]] as [[Double]])
  func `silence and subnormal peaks are not amplified`(_ result: [Double]) {
    #expect(PeakAnalyzer.factor(for: result, decibels: -1) == 1)
  }

  @Test func `a peak is brought to a level`() {
    #expect(PeakAnalyzer.factor(for: [0.25], decibels: 0) == 4)
    #expect(abs(PeakAnalyzer.factor(for: [0.5], decibels: -20) - 0.2) < 1e-12)
  }
}
