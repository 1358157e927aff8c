import FxNodes
import Glibc

extension EcasoundOperator {
  /// Butterworth filters of second order: bilinear transforms, as fxrun's.
  func pass(_ kind: Equalizer.Band.Kind) -> [Step] {
    all(
      Equalizer(
        id: id,
        bands: [
          Equalizer.Band(
            type: kind, frequency: .hertz(number(0)), q: rounded(0.5.squareRoot()))
        ]))
  }

  /// The width in hertz; without one it is half of the frequency.
  private var bandwidth: Double { number(1) == 0 ? number(0) / 2 : number(1) }

  /// A pass band or a notch whose width is that of a bilinear transform.
  func band(_ kind: Equalizer.Band.Kind) -> [Step] {
    let (frequency, width) = (number(0), bandwidth)
    guard frequency > 0, width > 0, frequency < sampleRate / 2, width < sampleRate / 2 else {
      return refuse("its frequency and its width are below half the sample rate")
    }
    let q = sin(2 * .pi * frequency / sampleRate) / (2 * tan(.pi * width / sampleRate))
    effect.source.turn(.translated("the width at \(Int(sampleRate)) Hz"))
    return all(
      Equalizer(
        id: id, bands: [Equalizer.Band(type: kind, frequency: .hertz(frequency), q: rounded(q))]))
  }

  private func sections(_ sections: [Coefficients]) -> [Step] {
    let numbers = sections.flatMap { $0.b + $0.a }
    guard numbers.allSatisfy(\.isFinite) else { return refuse("it has no such filter") }
    effect.source.settle(.translated("made for \(Int(sampleRate)) Hz"))
    return all(Biquad(id: id, rate: .hertz(sampleRate), sections: sections.map(\.section)))
  }

  /// Two poles and no zeros: `-ef1` with the angle of its peak, `-efs` with a level of 0 dB there.
  func resonator() -> [Step] {
    let turn = cos(2 * .pi * number(0) / sampleRate)
    if name == "ef1" {
      let radius = 1 - .pi * bandwidth / sampleRate
      let outer = radius * radius
      let angle = acos(2 * radius / (1 + outer) * turn)
      return sections([
        Coefficients(b: [(1 - outer) * sin(angle)], a: [1, -2 * radius * cos(angle), outer])
      ])
    }
    let outer = exp(-2 * .pi * bandwidth / sampleRate)
    let middle = -4 * outer / (1 + outer) * turn
    let level = (1 - outer) * (1 - middle * middle / (4 * outer)).squareRoot()
    return sections([Coefficients(b: [level], a: [1, middle, outer])])
  }

  /// A Butterworth low-pass of fourth order whose damping is divided by the resonance.
  func resonantLowPass() -> [Step] {
    let (cutoff, resonance, gain) = (number(0) == 0 ? 0.1 : number(0), number(1), number(2))
    guard cutoff < sampleRate / 2, resonance > 0 else {
      return refuse("its frequency is below half the sample rate, its resonance above 0")
    }
    let turn = 1 / tan(.pi * cutoff / sampleRate)
    let made = [0.765367, 1.847759].enumerated().map { index, damping in
      let (square, middle) = (turn * turn, damping / resonance * turn)
      let factor = index == 0 ? gain : 1
      return Coefficients(
        b: [factor, 2 * factor, factor],
        a: [1 + middle + square, 2 - 2 * square, 1 - middle + square])
    }
    return sections(made)
  }

  /// Three poles in a row, and what they take away back at their input one frame later.
  func ladder() -> [Step] {
    let (cutoff, resonance) = (number(0), number(1))
    guard (0...1).contains(cutoff), cutoff > 0, resonance >= 0 else {
      return refuse("its cutoff is above 0 and up to 1")
    }
    let pole = cutoff - 1
    let cube = [1, 3 * pole, 3 * pole * pole, pole * pole * pole]
    let above = cutoff * cutoff * cutoff
    // The cube, less the returned part: resonance × z⁻¹ (cube - cutoff³).
    var below = cube + [0]
    for (index, value) in cube.enumerated() { below[index + 1] -= resonance * value }
    below[1] += resonance * above
    // Three poles in one place are not to be found as factors.
    let known = [[1, 2 * pole, pole * pole], [1, pole, 0]]
    let found = resonance == 0 ? known : Polynomial.pairs(below)
    guard let pairs = found, pairs.allSatisfy({ abs($0[2]) < 1 }) else {
      return refuse("its resonance makes it oscillate")
    }
    effect.approximate("the same filter; inside, ecasound clips at full scale")
    return sections([
      Coefficients(b: [above], a: pairs[0]), Coefficients(b: [1], a: pairs[1]),
    ])
  }

  // MARK: Combs

  /// A delay in frames, up; nil for one that cannot be.
  private func combFrames() -> Int? {
    let frames = number(0).rounded(.up)
    return (0...480_000).contains(frames) ? Int(frames) : nil
  }

  /// A convolver with these coefficients for the whole signal.
  func impulse(_ coefficients: [Double]) -> [Step] {
    convolver(name, coefficients).map { [Step(node: $0, width: width)] } ?? []
  }

  /// A convolver with a file of these coefficients; refuses the operator for some that no impulse has.
  func convolver(_ file: String, _ coefficients: [Double]) -> Node? {
    guard coefficients.allSatisfy({ abs($0) <= 1000 }) else {
      effect.refuse("its level is beyond 60 dB")
      return nil
    }
    let impulse = effect.importing.file(file, coefficients: coefficients)
    return Convolver(id: id, impulse: impulse).node
  }

  /// The signal and one copy of it, after some frames.
  private func twoTaps(_ direct: Double, _ copy: Double, _ frames: Int) -> [Step] {
    guard frames > 0 else { return all(effect.gain(direct + copy)) }
    return impulse([direct] + Array(repeating: 0, count: frames - 1) + [copy])
  }

  /// What ecasound calls an all-pass adds one copy.
  func allPass() -> [Step] {
    guard let frames = combFrames() else { return refuse("a delay has 0 to 480000 frames") }
    let share = number(1) / 100
    return twoTaps(1 - share - share * share, share * (1 - share * share), frames)
  }

  func inverseComb() -> [Step] {
    guard let frames = combFrames() else { return refuse("a delay has 0 to 480000 frames") }
    return twoTaps(1, -pow(number(1), number(0)), frames)
  }

  func comb() -> [Step] {
    guard let frames = combFrames(), frames > 0 else {
      return refuse("a delay has 1 to 480000 frames")
    }
    return feedback(direct: 1, factor: pow(number(1), number(0)), frames: frames)
  }

  /// A signal and its echoes, each of the one before at a factor.
  func feedback(direct: Double, factor: Double, frames: Int) -> [Step] {
    guard abs(factor) < 1 else { return refuse("its echoes do not fade") }
    guard factor != 0 else { return all(effect.gain(direct)) }
    let time = Double(frames) / sampleRate
    if factor > 0, factor <= 0.98, (0.001...5).contains(time) {
      let sum = 1 + factor
      let delay = Delay(
        id: id, time: .seconds(rounded(time)), feedback: .percent(rounded(factor * 100)),
        highCut: 20000, lowCut: 10, wet: .percent(rounded(factor / sum * 100)))
      return all(delay, effect.gain(direct * sum))
    }
    // Until an echo is 120 dB below the signal.
    let count = Int((log(1e-6) / log(abs(factor))).rounded(.up))
    guard count <= 480_000 / frames else {
      return refuse("its echoes last too long for an impulse")
    }
    return impulse(
      Echoes.coefficients(count: count, frames: frames, direct: direct) {
        direct * pow(factor, Double($0))
      }
    )
  }
}

/// Coefficients with one every so many frames.
enum Echoes {
  /// - Parameter factor: that of each echo, from 1.
  static func coefficients(
    count: Int, frames: Int, direct: Double, _ factor: (Int) -> Double
  ) -> [Double] {
    var coefficients = [Double](repeating: 0, count: count * frames + 1)
    coefficients[0] = direct
    for echo in stride(from: 1, through: count, by: 1) {
      coefficients[echo * frames] = factor(echo)
    }
    return coefficients
  }
}
