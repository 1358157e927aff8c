import FxKit
import Glibc

extension PipeWireNode {
  /// - Parameter isRepeated: true if PipeWire has the node once for each channel, each with its channel of the file.
  func convolver(_ isRepeated: Bool) -> Made? {
    guard let config else { return nil }
    let id = importing.id(name)
    let gain = config["gain"]?.number ?? 1
    if gain < 0 {
      config["gain"]?.turn(
        .notPossible("the convolver of fxrun does not invert: the level is right"))
    }
    for key in ["blocksize", "tailsize", "resample_quality", "latency"] {
      config[key]?.settle(.translated("fxrun chooses it itself"))
    }
    for key in ["offset", "length", "delay"] {
      if let number = config[key]?.number, number != 0 {
        config[key]?.turn(.notPossible("fxrun reads a file of an impulse as a whole"))
      }
    }
    let names = config["filename"]?.elements ?? []
    guard let name = names.first?.text else { return nil }
    for other in names.dropFirst() {
      other.settle(.approximated("fxrun takes the first file and converts it to its rate"))
    }
    if let coefficients = coefficients(name, length: config["length"]?.integer) {
      return Made(
        Convolver(
          id: id, impulse: importing.file(id, coefficients: coefficients), gain: level(gain)))
    }
    let channel = config["channel"]?.integer
    return Made(
      Convolver(
        id: id, impulse: importing.file(name), gain: level(gain),
        channels: channel.map { [$0 + 1] } ?? (isRepeated ? nil : [1])))
  }

  private func level(_ factor: Double) -> Level? {
    factor == 1 ? nil : .decibels(rounded(decibels(abs(factor))))
  }

  /// The impulses that PipeWire makes itself: `/dirac`, `/hilbert` and `/ir:rate,…`.
  private func coefficients(_ name: String, length: Int?) -> [Double]? {
    if name.hasPrefix("/dirac") { return [1] }
    if name.hasPrefix("/ir:") {
      let numbers = name.dropFirst(4).split { "[], ".contains($0) }.compactMap { Double($0) }
      guard numbers.count > 1 else { return nil }
      config?["filename"]?.turn(
        .approximated(
          "the coefficients count at the chain's rate; PipeWire converts them from \(rounded(numbers[0])) Hz"
        ))
      return Array(numbers.dropFirst())
    }
    guard name.hasPrefix("/hilbert") else { return nil }
    let count = min(max(length ?? 64, 4), 1 << 16)
    config?["length"]?.settle(.translated)
    var taps = [Double](repeating: 0, count: count)
    let half = count / 2
    for index in stride(from: 1, to: half, by: 2) {
      let tap =
        2 / Double.pi / Double(index)
        * (0.43 + 0.57 * cos(Double(index) * Double.pi / Double(half)))
      (taps[half + index], taps[half - index]) = (-tap, tap)
    }
    return taps
  }
}
