/// Why a graph cannot be compiled. Every case names what the chain's author can find in the file.
package enum GraphError: Error, Equatable, Sendable {
  /// A loop in which no connection says `feedback`; the nodes in the order of the signal.
  case cycle([Int])
  /// A connection marked `feedback` that closes no loop.
  case feedbackClosesNoLoop(connection: Int)
  /// The loop's units are later than its delay allows; both in frames.
  case feedbackDelayTooShort(connection: Int, delay: Int, loopLatency: Int)
  /// Neither as many channels as the input takes, nor one.
  case channelsDoNotFit(connection: Int, from: Int, into: Int)
  /// A channel number beyond the width of the bus, both counted from 1.
  case noSuchChannel(connection: Int, channel: Int, width: Int)
  /// `wet` or `bypass` on a node that gives another width than it takes.
  case dryDoesNotFit(node: Int, input: Int, output: Int)
  /// A width beyond what the engine carries.
  case tooManyChannels(node: Int, width: Int)
  /// The verifier's word on a plan that does not do what the graph says. A defect of the compiler.
  case unsoundPlan(String)
}

/// Channels of one bus at most.
package let maximumBusWidth = 256
