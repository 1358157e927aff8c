import FxNodes

/// `Biquad` and `BiquadCombo` of CamillaDSP as bands of an equalizer.
///
/// Both programs use the formulas of the Audio EQ Cookbook, so that the responses are the same.
struct CamillaDSPBiquads {
  private let sampleRate: Double

  init(_ sampleRate: Double) { self.sampleRate = sampleRate }

  /// The bands of a filter: empty for one that is not possible, nil for a filter of another type.
  func bands(_ type: String, _ parameters: SourceValue) -> [Equalizer.Band]? {
    switch type {
    case "Biquad" where Self.hasCoefficients(parameters): nil
    case "Biquad": biquad(parameters)
    case "BiquadCombo": combination(parameters)
    default: nil
    }
  }

  /// True for a biquad that no band of an equalizer is.
  private static func hasCoefficients(_ parameters: SourceValue) -> Bool {
    ["Free", "GeneralNotch", "LinkwitzTransform"].contains(parameters["type"]?.text)
  }

  private func biquad(_ parameters: SourceValue) -> [Equalizer.Band] {
    switch parameters["type"]?.text {
    case "Peaking": band(.peak, parameters)
    case "Lowpass": band(.lowPass, parameters)
    case "Highpass": band(.highPass, parameters)
    case "LowpassFO": band(.lowPass, parameters, order: 1)
    case "HighpassFO": band(.highPass, parameters, order: 1)
    case "Lowshelf": band(.lowShelf, parameters)
    case "Highshelf": band(.highShelf, parameters)
    case "LowshelfFO": band(.lowShelf, parameters, order: 1)
    case "HighshelfFO": band(.highShelf, parameters, order: 1)
    case "Bandpass": band(.bandPass, parameters)
    case "Notch": band(.notch, parameters)
    case "Allpass": band(.allPass, parameters)
    case "AllpassFO": band(.allPass, parameters, order: 1)
    default: refuse(parameters, "CamillaDSP has no biquad of this type")
    }
  }

  private func refuse(_ parameters: SourceValue, _ reason: String) -> [Equalizer.Band] {
    parameters.turn(.notPossible(reason))
    return []
  }

  private func band(
    _ kind: Equalizer.Band.Kind, _ parameters: SourceValue, order: Int? = nil
  ) -> [Equalizer.Band] {
    guard let frequency = parameters.first("freq")?.number else {
      return missing(parameters, "freq")
    }
    let hasGain = [.peak, .lowShelf, .highShelf].contains(kind)
    let gain = hasGain ? parameters["gain"]?.number : nil
    if hasGain, gain == nil { return missing(parameters, "gain") }
    guard order == nil else {
      return [
        Equalizer.Band(
          type: kind, order: order, frequency: .hertz(frequency), gain: gain.map { .decibels($0) })
      ]
    }
    guard let q = q(kind, parameters, frequency, gain ?? 0) else {
      return missing(parameters, "q")
    }
    return [
      Equalizer.Band(
        type: kind, frequency: .hertz(frequency), gain: gain.map { .decibels($0) }, q: rounded(q))
    ]
  }

  private func missing(_ parameters: SourceValue, _ key: String) -> [Equalizer.Band] {
    refuse(parameters, "it has no usable '\(key)'")
  }

  /// The Q, which a filter may give as a width or as a slope.
  private func q(
    _ kind: Equalizer.Band.Kind, _ parameters: SourceValue, _ frequency: Double, _ gain: Double
  ) -> Double? {
    if let q = parameters["q"]?.number { return q }
    if let width = parameters["bandwidth"]?.number {
      return FxImport.q(octaves: width, frequency: frequency, sampleRate: sampleRate)
    }
    // A slope in dB an octave; 12 is the slope S = 1.
    if let slope = parameters["slope"]?.number { return FxImport.q(slope: slope / 12, gain: gain) }
    return nil
  }

  // MARK: Combinations

  private func combination(_ parameters: SourceValue) -> [Equalizer.Band] {
    switch parameters["type"]?.text {
    case "ButterworthLowpass": butterworth(.lowPass, parameters, halved: false)
    case "ButterworthHighpass": butterworth(.highPass, parameters, halved: false)
    case "LinkwitzRileyLowpass": butterworth(.lowPass, parameters, halved: true)
    case "LinkwitzRileyHighpass": butterworth(.highPass, parameters, halved: true)
    case "Tilt": tilt(parameters)
    case "FivePointPeq": fivePoints(parameters)
    case "GraphicEqualizer": graphic(parameters)
    default: refuse(parameters, "CamillaDSP has no combination of this type")
    }
  }

  /// A Butterworth filter, or a Linkwitz-Riley filter: two of half the order.
  private func butterworth(
    _ kind: Equalizer.Band.Kind, _ parameters: SourceValue, halved: Bool
  ) -> [Equalizer.Band] {
    guard let frequency = parameters["freq"]?.number, let order = parameters["order"]?.integer
    else { return missing(parameters, "freq' and 'order") }
    guard order > 0, !halved || order.isMultiple(of: 2) else {
      return refuse(parameters, "a Linkwitz-Riley filter has an even order")
    }
    let single = halved ? order / 2 : order
    guard single <= 8 else {
      return refuse(parameters, "fxrun has Butterworth filters up to order 8")
    }
    let band = Equalizer.Band(type: kind, order: single, frequency: .hertz(frequency))
    return halved ? [band, band] : [band]
  }

  /// Shelves at 110 Hz and 3500 Hz, Q 0.35, as CamillaDSP makes a tilt.
  private func tilt(_ parameters: SourceValue) -> [Equalizer.Band] {
    guard let gain = parameters["gain"]?.number else { return missing(parameters, "gain") }
    return [
      Equalizer.Band(type: .lowShelf, frequency: 110, gain: .decibels(-gain / 2), q: 0.35),
      Equalizer.Band(type: .highShelf, frequency: 3500, gain: .decibels(gain / 2), q: 0.35),
    ]
  }

  private func fivePoints(_ parameters: SourceValue) -> [Equalizer.Band] {
    let kinds: [(String, Equalizer.Band.Kind)] = [
      ("ls", .lowShelf), ("p1", .peak), ("p2", .peak), ("p3", .peak), ("hs", .highShelf),
    ]
    let bands: [Equalizer.Band] = kinds.compactMap { suffix, kind in
      let (frequency, gain, q) = (
        parameters["f\(suffix)"]?.number, parameters["g\(suffix)"]?.number,
        parameters["q\(suffix)"]?.number
      )
      guard let frequency, let gain, let q else { return nil }
      return Equalizer.Band(
        id: suffix, type: kind, frequency: .hertz(frequency), gain: .decibels(gain), q: q)
    }
    return bands.count == kinds.count ? bands : missing(parameters, "frequency', 'gain' or 'q")
  }

  /// Peaks at even distances on the logarithm of the frequency, each as wide as its distance.
  private func graphic(_ parameters: SourceValue) -> [Equalizer.Band] {
    let gains = parameters["gains"]?.numbers ?? []
    let low = parameters.first("freq_min")?.number ?? 20
    let high = parameters.first("freq_max")?.number ?? 20000
    guard !gains.isEmpty, low > 0, high > low else { return missing(parameters, "gains") }
    let octaves = (high / low).logarithm2 / Double(gains.count)
    return gains.enumerated().compactMap { index, gain in
      guard gain != 0 else { return nil }
      let frequency = low * (octaves * (Double(index) + 0.5)).power2
      return Equalizer.Band(
        frequency: .hertz(rounded(frequency)), gain: .decibels(gain),
        q: rounded(FxImport.q(octaves: octaves, frequency: frequency, sampleRate: sampleRate)))
    }
  }
}
