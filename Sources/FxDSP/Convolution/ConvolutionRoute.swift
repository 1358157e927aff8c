/// A way through a convolution: a channel of the input, heard through a channel of the impulse, in a
/// channel of the output.
package struct ConvolutionRoute: BitwiseCopyable, Equatable {
  let input: Int
  let output: Int
  let impulse: Int

  /// The ways of a signal, by output.
  ///
  /// An impulse of one channel serves every channel, and one as wide as the signal gives each channel
  /// its own. One of as many channels as the signal has pairs of channels leads every channel to every
  /// other, the first input to all outputs first: left to left, left to right, right to left, right to
  /// right.
  package static func all(impulseCount: Int, channelCount: Int) -> [ConvolutionRoute] {
    if channelCount > 1, impulseCount == channelCount * channelCount {
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
