/// Why a graph cannot be compiled. Every case names something that the author can find in the chain
/// file.
package enum GraphError: Error, Equatable, Sendable {
  /// A loop in which no connection says `feedback`. The nodes are in signal order.
  case cycle([Int])
  /// A connection marked `feedback` that closes no loop.
  case feedbackClosesNoLoop(connection: Int)
  /// The latency of the loop's units is longer than its delay; both in frames.
  case feedbackDelayTooShort(connection: Int, delay: Int, loopLatency: Int)
  /// The number of channels is neither 1 nor that of the input.
  case channelsDoNotFit(connection: Int, from: Int, into: Int)
  /// A channel number beyond the width of the bus, both counted from 1.
  case noSuchChannel(connection: Int, channel: Int, width: Int)
  /// `wet` or `bypass` on a node whose output width differs from its input width.
  case dryDoesNotFit(node: Int, input: Int, output: Int)
  /// A width above the engine's limit.
  case tooManyChannels(node: Int, width: Int)
  /// The verifier found that a plan does not do what the graph says. A defect of the compiler.
  case unsoundPlan(String)
}
