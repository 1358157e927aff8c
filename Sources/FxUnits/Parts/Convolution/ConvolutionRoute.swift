/// A route through a convolution: from an input channel through an impulse channel to an output
/// channel.
struct ConvolutionRoute: BitwiseCopyable, Equatable {
  let input: Int
  let output: Int
  let impulse: Int

  /// Whether an impulse connects every input to every output.
  static func isMatrix(impulseCount: Int, channelCount: Int) -> Bool {
    channelCount > 1 && impulseCount == channelCount * channelCount
  }

  /// The routes of a signal, sorted by output.
  ///
  /// An impulse of one channel applies to every channel. An impulse as wide as the signal has one
  /// channel for each. An impulse with the square of the signal's channel count connects every
  /// input to every output. Its channels are sorted by input: left to left, left to right, right to
  /// left, right to right.
  package static func all(impulseCount: Int, channelCount: Int) -> [ConvolutionRoute] {
    if isMatrix(impulseCount: impulseCount, channelCount: channelCount) {
      return (0..<channelCount).flatMap { output in
        (0..<channelCount).map { input in
          ConvolutionRoute(
            input: input, output: output, impulse: input * channelCount + output)
        }
      }
    }
    return (0..<channelCount).map {
      ConvolutionRoute(input: $0, output: $0, impulse: impulseCount == 1 ? 0 : $0)
    }
  }
}
