/// By how much an output is later than the input that it was made of.
package struct Latency: Sendable, Equatable {
  /// Whole frames; negative where the output is earlier.
  package let frames: Int
  /// From 0 to 1: how far the best lag stands out from the next one. A click or noise through a
  /// plain delay comes close to 1, a steady tone, which fits at every period, to 0.
  package let certainty: Double
  /// True when the output is like the input with its polarity inverted.
  package let isInverted: Bool

  /// By the cross-correlation's phase alone; see `LagSearch`. Of the first million frames or, of
  /// longer sounds, the loudest stretch. nil where either is silent.
  package init?(input: Sound, output: Sound) {
    guard let found = LagSearch(expected: input, actual: output).certainLag else { return nil }
    frames = found.lag
    certainty = found.certainty
    isInverted = found.isInverted
  }
}
