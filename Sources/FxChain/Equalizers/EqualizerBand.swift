import FxAudio

/// From the filters of a text to the bands of the unit `equalizer`.
///
/// The default widths, the slope of shelves and the shift from a corner frequency to the middle of
/// the slope follow Equalizer APO: its configuration reference, and its behaviour. The formulas are
/// those of R. Bristow-Johnson, "Audio EQ Cookbook".
extension EqualizerText.Band {
  package init(
    _ filter: EqualizerFilter, sampleRate: Double, line: Int
  ) throws(EqualizerRemark) {
    self.init(
      type: Self.type(filter.kind), frequency: filter.frequency, gain: filter.gain ?? 0, line: line)
    switch filter.kind {
    case .firstLowPass, .firstHighPass, .firstAllPass: (order, q) = (1, nil)
    case .lowShelf, .highShelf, .lowShelfCenter, .highShelfCenter: try takeShelf(filter)
    case .notch: q = Self.q(filter, sampleRate) ?? 30
    default: q = Self.q(filter, sampleRate) ?? q
    }
  }

  private static func type(_ kind: EqualizerFilter.Kind) -> String {
    switch kind {
    case .peak: "peak"
    case .lowPass, .firstLowPass: "lowPass"
    case .highPass, .firstHighPass: "highPass"
    case .bandPass: "bandPass"
    case .notch: "notch"
    case .allPass, .firstAllPass: "allPass"
    case .lowShelf, .lowShelfCenter: "lowShelf"
    case .highShelf, .highShelfCenter: "highShelf"
    }
  }

  /// The Q, or the Q for a bandwidth.
  private static func q(_ filter: EqualizerFilter, _ sampleRate: Double) -> Double? {
    switch filter.width {
    case .q(let q): return q
    case .hertz(let hertz): return filter.frequency / hertz
    case .octaves(let octaves):
      let turn = 2 * Double.pi * min(filter.frequency / sampleRate, 0.49)
      let exponent = 0.5 * 0.693_147_180_559_945_3 * octaves * turn / Math.sin(turn)
      return 1 / (Math.exp(exponent) - Math.exp(-exponent))
    case .slope, nil: return nil
    }
  }

  private mutating func takeShelf(_ filter: EqualizerFilter) throws(EqualizerRemark) {
    let amplitude = Math.pow(10, gain / 40)
    let sum = amplitude + 1 / amplitude
    // A steepness of 1 is 12 dB per octave.
    var steepness = 0.9
    if case .q(let q) = filter.width {
      self.q = q
      steepness = 1 / ((1 / (q * q) - 2) / sum + 1)
    } else {
      if case .slope(let slope) = filter.width { steepness = slope / 12 }
      let inverse = sum * (1 / steepness - 1) + 2
      guard steepness > 0, inverse > 0 else {
        throw EqualizerRemark(line: line, message: "a shelf is not as steep as that")
      }
      q = 1 / Math.squareRoot(inverse)
    }
    guard filter.kind == .lowShelf || filter.kind == .highShelf, filter.width != nil,
      let middle = frequency
    else { return }
    let factor = Math.pow(10, abs(gain) / 80 / steepness)
    frequency = type == "lowShelf" ? middle * factor : middle / factor
  }
}
