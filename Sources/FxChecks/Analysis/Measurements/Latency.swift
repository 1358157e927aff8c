/// The latency of an output against its input.
package struct Latency: Sendable, Equatable {
  /// Whole frames; negative when the output is earlier.
  package let frames: Int
  /// From 0 to 1: how much the best lag is better than the next one. A click or noise through a
  /// pure delay gives almost 1. A steady tone, which matches at every period, gives almost 0.
  package let certainty: Double
  /// True when the output matches the input with inverted polarity.
  package let isInverted: Bool

  /// Uses only the phase of the cross-correlation; see `LagSearch`. Of sounds longer than about a
  /// million frames, it uses only the loudest stretch. nil when either sound is silent.
  package init?(input: Sound, output: Sound) {
    guard let found = LagSearch(expected: input, actual: output).certainLag else { return nil }
    frames = found.lag
    certainty = found.certainty
    isInverted = found.isInverted
  }
}
