import FxAnalysis

/// Round numbers along a line.
struct Axis {
  /// Where the numbers begin and end, in what they count.
  let range: ClosedRange<Double>
  /// Pixels from the left edge, or from the top.
  let pixels: ClosedRange<Double>

  func place(_ value: Double) -> Double {
    let width = range.upperBound - range.lowerBound
    guard width > 0, value.isFinite else { return pixels.lowerBound }
    let share = min(max((value - range.lowerBound) / width, 0), 1)
    return pixels.lowerBound + share * (pixels.upperBound - pixels.lowerBound)
  }

  /// Multiples of 1, 2 or 5 times a power of ten, at most so many.
  func ticks(atMost count: Int) -> [Double] {
    let width = range.upperBound - range.lowerBound
    guard width > 0, width.isFinite, count > 0 else { return [range.lowerBound] }
    var step = 1e-9
    let factors = [2.0, 2.5, 2]
    var index = 0
    while width / step > Double(count), step < 1e12 {
      step *= factors[index % 3]
      index += 1
    }
    let first = (range.lowerBound / step).rounded(.up)
    let last = (range.upperBound / step + 1e-9).rounded(.down)
    guard last >= first, last - first < 1000 else { return [range.lowerBound] }
    return (0...Int(last - first)).map { (first + Double($0)) * step }
  }
}
