import FxAudio

/// The ratio of a model's sample rate to that of the chain, in lowest terms.
struct ModelRate {
  let model: Int
  let chain: Int

  init(model: Double, chain: Double) {
    let (first, second) = (Int(model.rounded()), Int(chain.rounded()))
    var (divisor, rest) = (max(first, 1), max(second, 1))
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    self.model = max(first, 1) / divisor
    self.chain = max(second, 1) / divisor
  }

  var isOne: Bool { model == chain }

  /// The delay in frames of the chain after which the frames of both conversions are complete.
  var latency: Int {
    guard !isOne else { return 0 }
    let back = RateLine.reach(step: model, unit: chain)
    return RateLine.reach(step: chain, unit: model) + (back * chain + model - 1) / model + 1
  }

  /// The same time in frames of the chain, rounded up.
  func chainFrames(_ count: Int) -> Int { (count * chain + model - 1) / model }

  /// The most frames of the model for a number of frames of the chain.
  func modelFrames(_ count: Int) -> Int { count * model / chain + 2 }
}
