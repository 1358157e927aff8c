import FxAudio

extension Automation {
  /// The value at a time, in the chain's units of measure and without the parameter's smoothing.
  ///
  /// - Parameter start: The value before the first point.
  package func value(at seconds: Double, from start: Double) -> Double {
    let next = firstPoint(after: seconds)
    let previous = next > 0 ? points[next - 1] : Point(seconds: 0, value: start)
    guard points.indices.contains(next) else { return previous.value }
    let point = points[next]
    let length = point.seconds - previous.seconds
    guard point.curve != .step, length > 0 else { return previous.value }
    let share = (seconds - previous.seconds) / length
    if point.curve == .exponential, previous.value > 0, point.value > 0 {
      let octaves = Math.log2(Float(point.value / previous.value))
      return previous.value * Double(Math.exp2(octaves * Float(share)))
    }
    return previous.value + (point.value - previous.value) * share
  }

  /// The index of the first point after a time; the number of points if there is none.
  private func firstPoint(after seconds: Double) -> Int {
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if seconds < points[middle].seconds { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension UnitConfiguration {
  /// The automation of the unit's own parameters.
  package var unitAutomation: [Automation] {
    automation.filter { slots.ofUnit.contains($0.slot) }
  }

  /// The values that the unit receives at a time.
  ///
  /// - Parameter values: The values of parameters without automation.
  package func unitValues(at seconds: Double, from values: [Double]) -> [Double] {
    var found = Array(values.prefix(slots.ofUnit.count))
    for line in unitAutomation where found.indices.contains(line.slot) {
      found[line.slot] = line.value(at: seconds, from: found[line.slot])
    }
    return found
  }
}
