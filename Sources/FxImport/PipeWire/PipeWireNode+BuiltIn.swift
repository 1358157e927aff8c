import FxKit
import Glibc

extension PipeWireNode {
  func builtIn(_ width: Int, _ isRepeated: Bool) -> Made? {
    if let band = band(label, control, q: 0) {
      return Made(Equalizer(id: importing.id(name), bands: [band]))
    }
    switch label {
    case "copy", "debug": return Made(Gain(id: importing.id(name), gain: 0))
    case "invert": return Made(Gain(id: importing.id(name), gain: 0, invert: true))
    case "mixer": return mixer(width)
    case "linear": return linear()
    case "clamp": return clamp()
    case "delay": return delay()
    case "dcblock": return blocker()
    case "convolver": return convolver(isRepeated)
    case "param_eq": return equalizer()
    case "noisegate": return gate()
    case "bq_raw": return coefficients()
    default: return nil
    }
  }

  /// A biquad as a band; nil for another label.
  ///
  /// A lowpass and a highpass of PipeWire take their resonance in decibels; a shelf without a Q has the slope 1.
  ///
  /// - Parameter q: the Q where the file has none.
  func band(_ label: String, _ values: SourceValue?, q otherwise: Double) -> Equalizer.Band? {
    let kinds: [String: Equalizer.Band.Kind] = [
      "bq_lowpass": .lowPass, "bq_highpass": .highPass, "bq_bandpass": .bandPass,
      "bq_lowshelf": .lowShelf, "bq_highshelf": .highShelf, "bq_peaking": .peak,
      "bq_notch": .notch, "bq_allpass": .allPass,
    ]
    guard let kind = kinds[label] else { return nil }
    let frequency = values?.first("Freq", "freq", "frequency")?.number ?? 0
    let given = values?.first("Q", "q")?.number ?? otherwise
    let gain = values?.first("Gain", "gain")?.number ?? 0
    let q: Double
    switch kind {
    case .lowPass, .highPass:
      let resonance = pow(10, 0.05 * max(given, 0))
      q = 1 / ((4 - (16 - 16 / (resonance * resonance)).squareRoot()) / 2).squareRoot()
    case .lowShelf, .highShelf: q = given > 0 ? given : 0.5.squareRoot()
    // Without a Q a peak raises everything; the band is refused, because no Q does so.
    default: q = given
    }
    let hasGain = kind == .peak || kind == .lowShelf || kind == .highShelf
    return Equalizer.Band(
      type: kind, frequency: .hertz(frequency), gain: hasGain ? .decibels(gain) : nil,
      q: rounded(q))
  }

  /// A biquad by its coefficients, those for the chain's rate.
  private func coefficients() -> Made? {
    let sets = config?["coefficients"]?.elements ?? []
    let rates = sets.map { $0["rate"]?.number ?? 0 }
    // PipeWire takes the set of the nearest rate.
    let nearest = rates.indices.min {
      abs(rates[$0] - importing.sampleRate) < abs(rates[$1] - importing.sampleRate)
    }
    for (index, set) in sets.enumerated() where index != nearest {
      set.turn(.translated("left out: for another rate"))
    }
    guard let set = nearest.map({ sets[$0] }) else { return nil }
    let keys = ["b0", "b1", "b2", "a0", "a1", "a2"]
    let numbers = keys.map { key in set[key]?.number ?? (key == "a0" ? 1 : 0) }
    let made = Coefficients(b: Array(numbers[..<3]), a: Array(numbers[3...]))
    return Made(
      Biquad(
        id: importing.id(name), rate: .hertz(set["rate"]?.number ?? importing.sampleRate),
        sections: [made.section]))
  }

  private func mixer(_ width: Int) -> Made {
    let id = importing.id(name)
    var strips: [Mixer.Strip] = []
    var before: [Made.Before] = []
    for number in 1...8 {
      let gain = value("Gain \(number)") ?? 1
      guard gain != 1 else { continue }
      strips.append(
        Mixer.Strip(
          "in\(number)", gain: gain == 0 ? .silence : .decibels(rounded(decibels(abs(gain))))))
      guard gain < 0 else { continue }
      let inverted = importing.id("\(name)-in\(number)")
      before.append(
        Made.Before(
          node: Gain(id: inverted, gain: 0, invert: true).node, port: "in\(number)"))
    }
    return Made(
      Mixer(id: id, channels: width, strips: strips), before: before,
      inputPort: { "in\($0.number ?? 1)" })
  }

  private func linear() -> Made? {
    let factor = value("Mult") ?? 1
    if let offset = value("Add"), offset != 0 {
      control?["Add"]?.turn(.notPossible("fxrun has no unit that adds a constant"))
    }
    return Made(
      Gain(
        id: importing.id(name),
        gain: factor == 0 ? .silence : .decibels(rounded(decibels(abs(factor)))),
        invert: factor < 0 ? true : nil))
  }

  private func clamp() -> Made? {
    let (low, high) = (value("Min") ?? 0, value("Max") ?? 1)
    guard low == -high, high > 0 else { return nil }
    return Made(
      Clipper(
        id: importing.id(name), threshold: .decibels(rounded(decibels(high))), softness: 0,
        oversampling: .off))
  }

  private func delay() -> Made? {
    for key in ["Feedback", "Feedforward"] {
      if let share = value(key), share != 0 {
        control?[key]?.turn(.notPossible("the delay has neither feedback nor a direct part"))
      }
    }
    for key in ["max-delay", "latency"] { config?[key]?.settle() }
    control?["Delay (s)"]?.turn(
      .translated("the nearest whole frame; PipeWire takes the one before"))
    return Made(
      Align(id: importing.id(name), time: .milliseconds(rounded((value("Delay (s)") ?? 0) * 1000))))
  }

  /// A high-pass of order 1 whose pole is at R.
  private func blocker() -> Made? {
    let pole = value("R") ?? 0.995
    guard pole > 0, pole < 1 else { return nil }
    let frequency = (1 - pole) * importing.sampleRate / (2 * Double.pi)
    control?["R"]?.turn(
      .approximated(
        "the pole as a frequency, at \(Int(importing.sampleRate)) Hz: within 0.1 dB below a quarter of the rate"
      ))
    return Made(HighPass(id: importing.id(name), frequency: .hertz(rounded(frequency)), order: 1))
  }

  private func equalizer() -> Made? {
    let id = importing.id(name)
    if let file = config?["filename"]?.text {
      return Made(Equalizer(id: id, file: importing.file(file)))
    }
    for (key, file) in config?.members ?? [] where key.hasPrefix("filename") {
      file.turn(.notPossible("the equalizer of fxrun reads one file for all channels"))
    }
    var bands: [Equalizer.Band] = []
    for (key, list) in config?.members ?? [] where key.hasPrefix("filters") {
      let number = Int(key.dropFirst("filters".count))
      for filter in list.elements {
        guard let type = filter["type"]?.text, var band = band(type, filter, q: 1) else {
          filter.turn(.notPossible("fxrun has no filter of this type"))
          continue
        }
        if let number { band.fields.set("channels", String(number)) }
        bands.append(band)
      }
    }
    return Made(Equalizer(id: id, bands: bands))
  }

  /// The values that the file does not have are PipeWire's.
  private func gate() -> Made? {
    let open = value("Open Threshold") ?? 0.04
    let close = value("Close Threshold") ?? 0.03
    let times = (
      value("Attack (s)") ?? 0.005, value("Hold (s)") ?? 0.05, value("Release (s)") ?? 0.01
    )
    source.turn(.approximated("a gate with the same thresholds and times, and curves of its own"))
    guard open > 0, close > 0 else { return nil }
    return Made(
      Gate(
        id: importing.id(name), threshold: .decibels(rounded(decibels(open))),
        hysteresis: .decibels(rounded(max(decibels(open / close), 0))),
        attack: .seconds(times.0), hold: .seconds(times.1), release: .seconds(times.2)))
  }
}
