@testable import FxAudio
import Testing

struct TimeHistogramTests {
  private func withHistogram(_ body: (TimeHistogram) -> Void) {
    let histogram = TimeHistogram.make()
    defer { histogram.destroy() }
    body(histogram)
  }

  @Test func `percentiles are right within their three percent`() {
    withHistogram { histogram in
      for number in 1...1000 { histogram.record(Double(number) * 1e-6) }
      let summary = histogram.summary
      #expect(summary.count == 1000)
      #expect((summary.mean - 500.5e-6).magnitude < 1e-9)
      for (found, exact) in [
        (summary.p50, 500e-6), (summary.p99, 990e-6), (summary.p999, 999e-6),
      ] {
        #expect(found >= exact * 0.9999 && found < exact * 1.04)
      }
      #expect(summary.maximum == 1000e-6)
    }
  }

  @Test func `a rare long time appears in its percentile`() {
    withHistogram { histogram in
      for _ in 0..<998 { histogram.record(10e-6) }
      for _ in 0..<2 { histogram.record(3e-3) }
      #expect(histogram.percentile(0.99) < 11e-6)
      #expect(histogram.percentile(0.999) == 3e-3)
      #expect(histogram.percentile(1) == 3e-3)
    }
  }

  @Test func `no recorded time is outside the buckets`() {
    withHistogram { histogram in
      #expect(histogram.summary.p99 == 0 && histogram.summary.mean == 0)
      for odd in [
        0, -1, Double.nan, .infinity, 1e300, Double.leastNonzeroMagnitude, 1e-9, 7.99, 8, 1e9,
      ] {
        histogram.record(odd)
      }
      #expect(histogram.count == 10)
      #expect(histogram.maximum == .infinity)
      #expect(histogram.percentile(0.1) <= 1e-6)
      #expect(histogram.percentile(.nan) <= 1e-6)
    }
  }

  @Test func `a reset forgets`() {
    withHistogram { histogram in
      histogram.record(1)
      histogram.reset()
      histogram.record(1e-3)
      #expect(histogram.count == 1 && histogram.maximum == 1e-3)
      #expect(histogram.percentile(1) == 1e-3)
    }
  }
}
