import FxNodes
import Glibc

extension CamillaDSPImport {
  /// A biquad that no band of an equalizer is, and a difference equation.
  func coefficients(_ type: String, _ name: String, _ parameters: SourceValue) -> Node? {
    let made: Coefficients? =
      switch type == "DiffEq" ? "DiffEq" : parameters["type"]?.text {
      case "Free": free(parameters)
      case "GeneralNotch": notch(parameters)
      case "LinkwitzTransform": linkwitzTransform(parameters)
      default: equation(parameters)
      }
    guard let made else { return nil }
    return Biquad(
      id: importing.id(name), rate: .hertz(importing.sampleRate), sections: [made.section]
    )
    .node
  }

  /// The numbers of these keys; nil if one is missing.
  private func numbers(_ keys: [String], _ parameters: SourceValue) -> [Double]? {
    let numbers = keys.compactMap { parameters[$0]?.number }
    guard numbers.count == keys.count else {
      parameters.turn(.notPossible("it needs \(keys.joined(separator: ", "))"))
      return nil
    }
    return numbers
  }

  private func free(_ parameters: SourceValue) -> Coefficients? {
    guard let numbers = numbers(["b0", "b1", "b2", "a1", "a2"], parameters) else { return nil }
    return Coefficients(b: Array(numbers[..<3]), a: [1] + numbers[3...])
  }

  /// A notch whose zeros and poles have frequencies of their own.
  private func notch(_ parameters: SourceValue) -> Coefficients? {
    guard let numbers = numbers(["freq_z", "freq_p", "q_p"], parameters) else { return nil }
    let zero = tan(.pi * numbers[0] / importing.sampleRate)
    let pole = tan(.pi * numbers[1] / importing.sampleRate)
    let width = pole / numbers[2]
    let isLevel = parameters["normalize_at_dc"]?.flag ?? false
    let gain = isLevel ? pole * pole / (zero * zero) : 1
    let outer = gain * (1 + zero * zero)
    return Coefficients(
      b: [outer, -2 * gain * (1 - zero * zero), outer],
      a: [1 + width + pole * pole, -2 + 2 * pole * pole, 1 - width + pole * pole])
  }

  /// Takes the resonance of a closed loudspeaker away, and gives it another one: the bilinear transform of
  /// (s² + s ω/q + ω²) over the same of the target, which is exact in the middle of both frequencies.
  private func linkwitzTransform(_ parameters: SourceValue) -> Coefficients? {
    let keys = ["freq_act", "q_act", "freq_target", "q_target"]
    guard let numbers = numbers(keys, parameters) else { return nil }
    let middle = Double.pi * (numbers[0] + numbers[2]) / 2
    let scale = 2 * middle / tan(middle / importing.sampleRate)
    let side = { (frequency: Double, q: Double) -> [Double] in
      let omega = 2 * Double.pi * frequency
      let (square, slope) = (omega * omega, scale * omega / q)
      return [
        square + slope + scale * scale, 2 * (square - scale * scale),
        square - slope + scale * scale,
      ]
    }
    return Coefficients(b: side(numbers[0], numbers[1]), a: side(numbers[2], numbers[3]))
  }

  private func equation(_ parameters: SourceValue) -> Coefficients? {
    guard let a = parameters["a"]?.numbers, let b = parameters["b"]?.numbers else {
      parameters.turn(.notPossible("it needs a and b, lists of numbers"))
      return nil
    }
    guard (1...3).contains(a.count), (1...3).contains(b.count) else {
      parameters.turn(
        .notPossible("fxrun has sections of second order: write the equation as several of them"))
      return nil
    }
    return Coefficients(b: b, a: a)
  }
}
