import FxNodes

extension FFmpegFilter {
  private var sampleRate: Double { effect.importing.sampleRate }

  private var frequency: Double? { number("f", "frequency", at: 0) }

  private var gain: Double { number("g", "gain", at: 3) ?? 0 }

  /// The width, in the unit that `t` names.
  private func width(_ otherwise: Double) -> FilterWidth? {
    let unit = text("t", "width_type", at: 1) ?? "q"
    guard let unit = unit.first.flatMap({ FilterWidth.Unit(rawValue: $0) }),
      case let value = number("w", "width", at: 2) ?? otherwise, value > 0
    else { return nil }
    return FilterWidth(value, unit)
  }

  /// The bands in an equalizer, with the share that `m` gives.
  private func node(_ bands: [Equalizer.Band]) -> [Node] {
    // How ffmpeg calculates.
    effect.options.ignore("a", "transform", "r", "precision", "b", "blocksize")
    if let channels = text("c", "channels"), channels != "all" {
      return refuse("for some channels: give the bands of the equalizer 'channels'")
    }
    if let normalize = text("n", "normalize"), normalize != "0" {
      return refuse("fxrun does not scale the coefficients")
    }
    let node = Equalizer(id: id, bands: bands)
    guard let mix = number("m", "mix"), mix < 1 else { return [node.node] }
    return [node.node.key("wet", .number(mix))]
  }

  private func band(
    _ kind: Equalizer.Band.Kind, _ frequency: Double, _ width: FilterWidth, gain: Double? = nil
  ) -> [Node] {
    if width.unit == .octaves {
      effect.source.turn(.translated("the width at \(Int(sampleRate)) Hz"))
    }
    let q = width.q(frequency: frequency, gain: gain ?? 0, sampleRate: sampleRate)
    return node([
      Equalizer.Band(
        type: kind, frequency: .hertz(frequency), gain: gain.map { .decibels($0) }, q: rounded(q))
    ])
  }

  func pass(_ kind: Equalizer.Band.Kind, _ otherwise: Double) -> [Node] {
    guard let width = width(0.707) else { return refuse("it has no width that fxrun knows") }
    let frequency = frequency ?? otherwise
    guard number("p", "poles") == 1 else { return band(kind, frequency, width) }
    effect.source.turn(FirstOrder.outcome(kind, frequency: frequency, sampleRate: sampleRate))
    return node([Equalizer.Band(type: kind, order: 1, frequency: .hertz(frequency))])
  }

  func bandPass() -> [Node] {
    guard let width = width(0.5) else { return refuse("it has no width that fxrun knows") }
    let frequency = frequency ?? 3000
    let made = band(.bandPass, frequency, width)
    let isSkirt = text("csg").map { $0 != "0" && $0 != "false" } ?? false
    return isSkirt
      ? made + [effect.gain(width.q(frequency: frequency, gain: 0, sampleRate: sampleRate))] : made
  }

  func filter(_ kind: Equalizer.Band.Kind) -> [Node] {
    guard let width = width(kind == .peak ? 1 : 0.5) else {
      return refuse("it has no width that fxrun knows")
    }
    guard let frequency = frequency ?? (kind == .peak ? nil : 3000) else {
      return refuse("it needs a frequency")
    }
    return band(kind, frequency, width, gain: kind == .peak ? gain : nil)
  }

  func allPass() -> [Node] {
    guard number("o", "order") ?? 2 == 2 else {
      return refuse("fxrun's all-pass of first order has another frequency")
    }
    guard let width = width(0.707) else { return refuse("it has no width that fxrun knows") }
    return band(.allPass, frequency ?? 3000, width)
  }

  func shelf(_ kind: Equalizer.Band.Kind, _ otherwise: Double) -> [Node] {
    guard number("p", "poles") ?? 2 == 2 else { return refuse("a shelf of another order") }
    guard var width = width(0.5) else { return refuse("it has no width that fxrun knows") }
    // The Q of ffmpeg's shelves is smaller than that of the cookbook.
    if width.unit == .q { width = FilterWidth(width.value * 2.0.squareRoot(), .q) }
    return band(kind, frequency ?? otherwise, width, gain: gain)
  }

  func coefficients() -> [Node] {
    let keys = ["b0", "b1", "b2", "a0", "a1", "a2"]
    let numbers = keys.map { number($0) ?? ($0 == "a0" ? 1 : 0) }
    let made = Coefficients(b: Array(numbers[..<3]), a: Array(numbers[3...]))
    return [Biquad(id: id, sections: [made.section]).node]
  }
}
