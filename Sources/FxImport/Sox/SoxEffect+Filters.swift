import FxNodes
import Glibc

extension SoxEffect {
  private var sampleRate: Double { effect.importing.sampleRate }

  private func node(_ bands: [Equalizer.Band]) -> [Node] { [Equalizer(id: id, bands: bands).node] }

  /// The width in the argument at an index; nil for a text that is none.
  private func width(_ index: Int, _ otherwise: FilterWidth, _ unit: FilterWidth.Unit)
    -> FilterWidth?
  {
    value(index).map { FilterWidth($0, otherwise: unit) } ?? otherwise
  }

  private func filter(
    _ kind: Equalizer.Band.Kind, _ frequency: Double, _ width: FilterWidth, gain: Double? = nil
  ) -> [Node] {
    if width.unit == .octaves { note("the width at \(Int(sampleRate)) Hz") }
    let q = width.q(frequency: frequency, gain: gain ?? 0, sampleRate: sampleRate)
    return node([
      Equalizer.Band(
        type: kind, frequency: .hertz(frequency), gain: gain.map { .decibels($0) }, q: rounded(q))
    ])
  }

  private func note(_ text: String) { effect.source.turn(.translated(text)) }

  func pass(_ kind: Equalizer.Band.Kind) -> [Node] {
    guard let frequency = number(0), let width = width(1, FilterWidth(0.5.squareRoot(), .q), .q)
    else { return refuse("it needs a frequency") }
    effect.options.ignore("-2")
    guard has("-1") else { return filter(kind, frequency, width) }
    effect.source.turn(FirstOrder.outcome(kind, frequency: frequency, sampleRate: sampleRate))
    return node([Equalizer.Band(type: kind, order: 1, frequency: .hertz(frequency))])
  }

  func band(_ kind: Equalizer.Band.Kind, _ unit: FilterWidth.Unit) -> [Node] {
    guard let frequency = number(0), let text = value(1),
      let width = FilterWidth(text, otherwise: unit)
    else { return refuse("it needs a frequency and a width") }
    return filter(kind, frequency, width)
  }

  /// With `-c` the gain at the peak is Q.
  func bandPass() -> [Node] {
    guard let frequency = number(0), let text = value(1),
      let width = FilterWidth(text, otherwise: .hertz)
    else { return refuse("it needs a frequency and a width") }
    let q = width.q(frequency: frequency, gain: 0, sampleRate: sampleRate)
    let made = filter(.bandPass, frequency, width)
    return has("-c") ? made + [effect.gain(q)] : made
  }

  func allPass() -> [Node] {
    guard !has("-1"), !has("-2") else { return refuse("fxrun has no such all-pass") }
    return band(.allPass, .hertz)
  }

  func equalizer() -> [Node] {
    guard let frequency = number(0), let gain = number(2), let text = value(1),
      let width = FilterWidth(text, otherwise: .q)
    else { return refuse("it needs a frequency, a width and a gain") }
    return filter(.peak, frequency, width, gain: gain)
  }

  func shelf(_ kind: Equalizer.Band.Kind, _ frequency: Double) -> [Node] {
    guard let gain = number(0), let width = width(2, FilterWidth(0.5, .slope), .slope) else {
      return refuse("it needs a gain")
    }
    return filter(kind, number(1) ?? frequency, width, gain: gain)
  }

  /// Two poles and no zeros, with a level of 0 dB at the centre; with `-n` for noise.
  func resonator() -> [Node] {
    guard let frequency = number(0),
      let width = width(1, FilterWidth(frequency / 2, .hertz), .hertz)
    else { return refuse("it needs a frequency") }
    let q = width.q(frequency: frequency, gain: 0, sampleRate: sampleRate)
    let outer = exp(-2 * .pi * frequency / q / sampleRate)
    let middle = -4 * outer / (1 + outer) * cos(2 * .pi * frequency / sampleRate)
    let level =
      has("-n")
      ? (((1 + outer) * (1 + outer) - middle * middle) * (1 - outer) / (1 + outer)).squareRoot()
      : (1 - middle * middle / (4 * outer)).squareRoot() * (1 - outer)
    return section([level], [1, middle, outer], rate: sampleRate)
  }

  func coefficients() -> [Node] {
    guard let numbers = numbers(), numbers.count == 6 else {
      return refuse("it needs six numbers")
    }
    return section(Array(numbers[..<3]), Array(numbers[3...]), rate: nil)
  }

  private func section(_ b: [Double], _ a: [Double], rate: Double?) -> [Node] {
    let made = Coefficients(b: b, a: a)
    if let rate { note("made for \(Int(rate)) Hz") }
    return [Biquad(id: id, rate: rate.map { .hertz($0) }, sections: [made.section]).node]
  }

  func taps() -> [Node] {
    guard let numbers = numbers(), !numbers.isEmpty else {
      return refuse("coefficients in a file: name it as the impulse of a convolver")
    }
    // sox takes the middle of the filter as the time of the sound.
    let lead = numbers.count / 2
    if lead > 0 { effect.approximate("the same filter, \(lead) frames later: sox leaves them out") }
    let impulse = effect.importing.file("fir", coefficients: numbers)
    return [Convolver(id: id, impulse: impulse).node]
  }
}
