import FxAudio

/// The values of an axis, their positions and their labels.
package struct ChartAxis: Sendable {
  struct Tick: Sendable, Equatable {
    var value: Double
    /// Empty for a line without a label.
    var label: String
  }

  var range: ClosedRange<Double>
  var isLogarithmic = false
  var ticks: [Tick]
  /// The unit of the values: `dB`, `ms`.
  var title: String

  /// From 0 (left or bottom) to 1; outside this range for values that are not on the axis.
  func share(of value: Double) -> Double {
    guard isLogarithmic else {
      return (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    }
    let low = Math.log2(range.lowerBound)
    return (Math.log2(max(value, 1e-12)) - low) / (Math.log2(range.upperBound) - low)
  }

  /// Decades from 20 Hz, with a line at each of their nine steps.
  package static func frequency(_ range: ClosedRange<Double>) -> ChartAxis {
    var ticks: [Tick] = []
    for decade in [1.0, 10, 100, 1000, 10000, 100_000] {
      for step in 1...9 {
        let hertz = decade * Double(step)
        guard range.contains(hertz) else { continue }
        let isLabelled = [1, 2, 5].contains(step)
        let label = hertz < 1000 ? Figures.plain(hertz) : "\(Figures.plain(hertz / 1000))k"
        ticks.append(Tick(value: hertz, label: isLabelled ? label : ""))
      }
    }
    return ChartAxis(range: range, isLogarithmic: true, ticks: ticks, title: "Hz")
  }

  /// Equal steps through a range, which is extended to whole steps.
  ///
  /// - Parameters:
  ///   - steps: the allowed steps; nil for 1, 2 and 5 times the powers of ten.
  ///   - isWidened: false keeps the ends of the range.
  package static func even(
    _ range: ClosedRange<Double>, title: String, count: Int = 7, steps: [Double]? = nil,
    isWidened: Bool = true
  ) -> ChartAxis {
    let span = range.upperBound - range.lowerBound
    guard span.isFinite, span > 0, abs(range.lowerBound) < 1e12 else {
      return ChartAxis(range: 0...1, ticks: [], title: title)
    }
    let least = span / Double(max(count, 1))
    let step = steps?.first { $0 >= least } ?? AxisTicks.step(atLeast: least)
    let first = (range.lowerBound / step + (isWidened ? 1e-9 : -1e-9))
      .rounded(isWidened ? .down : .up)
    let last = (range.upperBound / step + (isWidened ? -1e-9 : 1e-9))
      .rounded(isWidened ? .up : .down)
    var places = 0
    while places < 6, step * Figures.powerOfTen(places) < 0.999 { places += 1 }
    // A step of 0.25 needs one more place than its size suggests.
    let scaled = step * Figures.powerOfTen(places)
    if abs(scaled - scaled.rounded()) > 1e-6 { places += 1 }
    let ticks = (0...min(max(Int(last - first), 0), 40)).map { index -> Tick in
      let value = (first + Double(index)) * step
      return Tick(
        value: value, label: Markup.typographic(Figures.fixed(value, places: places)))
    }
    let ends = isWidened ? (first * step)...(max(last, first + 1) * step) : range
    return ChartAxis(range: ends, ticks: ticks, title: title)
  }

  /// Seconds from 0, as minutes and hours if there are many.
  package static func time(upTo seconds: Double) -> ChartAxis {
    let times = AxisTicks.times(upTo: seconds)
    guard !times.values.isEmpty else { return ChartAxis(range: 0...1, ticks: [], title: "s") }
    // Curves have seconds; only the labels may be milliseconds.
    return ChartAxis(
      range: 0...seconds, ticks: zip(times.values, times.labels).map { Tick(value: $0, label: $1) },
      title: times.unit)
  }

  /// Levels from the highest value to the lowest, over at least 6 and at most `span` decibels.
  package static func decibels(
    _ values: some Sequence<Double>, title: String = "dB", span: Double = 78
  ) -> ChartAxis {
    let finite = values.filter { $0.isFinite && abs($0) < 1000 }
    let top = finite.max() ?? 0
    let bottom = max(finite.min() ?? 0, top - span)
    let margin = max((top - bottom) * 0.04, 0)
    var range = (bottom - margin)...(top + margin)
    if range.upperBound - range.lowerBound < 4 {
      let middle = ((top + bottom) / 2).rounded()
      range = (middle - 3)...(middle + 3)
    }
    return even(range, title: title, count: 8, steps: [0.5, 1, 2, 3, 6, 12, 24, 48])
  }
}
