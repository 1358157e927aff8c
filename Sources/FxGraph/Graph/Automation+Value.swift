import FxAudio

extension Automation {
  /// The value at a time, in the chain's units of measure and without the parameter's smoothing.
  ///
  /// - Parameter start: The value before the first point.
  package func value(at seconds: Double, from start: Double) -> Double {
    var previous = Point(seconds: 0, value: start)
    for point in points {
      guard seconds < point.seconds else {
        previous = point
        continue
      }
      let length = point.seconds - previous.seconds
      guard point.curve != .step, length > 0 else { return previous.value }
      let share = (seconds - previous.seconds) / length
      if point.curve == .exponential, previous.value > 0, point.value > 0 {
        let octaves = Math.log2(Float(point.value / previous.value))
        return previous.value * Double(Math.exp2(octaves * Float(share)))
      }
      return previous.value + (point.value - previous.value) * share
    }
    return previous.value
  }
}

extension UnitConfiguration {
  /// The lines that move a parameter of the unit itself.
  package var unitAutomation: [Automation] {
    automation.filter { slots.ofUnit.contains($0.slot) }
  }

  /// The values that the unit receives at a time.
  ///
  /// - Parameter values: What its parameters are where no line moves them.
  package func unitValues(at seconds: Double, from values: [Double]) -> [Double] {
    var found = Array(values.prefix(slots.ofUnit.count))
    for line in unitAutomation where found.indices.contains(line.slot) {
      found[line.slot] = line.value(at: seconds, from: found[line.slot])
    }
    return found
  }
}
