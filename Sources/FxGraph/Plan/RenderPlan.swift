package import FxAudio

/// A compiled graph: a fixed list of steps over numbered mono buffers.
///
/// Plain data, comparable and printable, with nothing in it that can run. The engine makes it
/// runnable and never looks at the graph again.
package struct RenderPlan: Sendable, Equatable {
  /// One operation. Buffers are numbers below `bufferCount`; buffer 0 is silence and never written.
  package enum Step: Sendable, Equatable {
    /// `output = inputs[0] + inputs[1] + …`, each times its gain, in this order.
    case sum([Term], output: Int)
    /// Delays by the frames of `delayLines[line]`.
    case delay(line: Int, input: Int, output: Int)
    /// Reads what `feedbackWrite` put on the line its delay ago.
    case feedbackRead(line: Int, output: Int)
    case feedbackWrite(line: Int, input: Int)
    /// Renders a unit.
    case run(node: Int, inputs: [Int], outputs: [Int])
    /// Mixes a node's dry and wet signals by its `wet` and `bypass`.
    case blend(node: Int, dry: [Int], wet: [Int], outputs: [Int])
  }

  package struct Term: Sendable, Equatable {
    /// What happens to a term while one graph becomes another.
    package enum Fade: Sendable, Equatable {
      case none
      /// From silence to its gain.
      case enters
      /// From its gain to silence.
      case leaves
      /// To its gain from another one.
      case moves(from: Float)
      /// Stays until what sounds on has come to an end, and leaves then.
      case ringsOut
      /// There from the beginning: what it brings has faded in before.
      case opens
    }

    package var input: Int
    package var gain: Float
    package var fade = Fade.none
    /// Frames that a fade is ahead of the one at the end of the chain: as long as what is heard here
    /// takes to get there.
    package var lead = 0
  }

  /// What a delay line is written: a channel of a node's output, or of what a node hears.
  package enum LineOrigin: Sendable, Hashable {
    case output(ChannelID)
    case input(ChannelID)
  }

  /// Steps that are run together: over the whole block, or, in a loop, slice by slice.
  package struct Section: Sendable, Equatable {
    package var steps: Range<Int>
    /// Frames of a slice: the shortest delay of the loop; nil for the whole block.
    package var slice: Int?
  }

  /// Sections that one thread at a time runs for a block, beside the other tasks: for a block whose
  /// tasks before it are done, once it has done the block before.
  package struct Task: Sendable, Equatable {
    package var sections: Range<Int>
    /// Earlier tasks whose buffers it reads.
    package var waitsFor: [Int]
    /// Nanoseconds a frame, estimated.
    package var cost: Double
  }

  package struct FeedbackLine: Sendable, Equatable {
    package var connection: Int
    /// The channel of the connection's source node, counted across its buses.
    package var channel: Int
    package var frames: Int
  }

  /// The way of events from one node to another.
  package struct EventLine: Sendable, Equatable {
    package var connection: Int
    /// By which they come later than they left.
    package var frames: Int
    /// It is not there in the graph that comes: what sounds by it is ended.
    package var isCut = false
  }

  /// A source or a sink: its node and the buffers that stand for its channels.
  package struct Port: Sendable, Equatable {
    package var node: Int
    package var buffers: [Int]
    /// What its channels are for; nil in the plan of a passage, where nobody asks.
    package var layout: ChannelLayout?
    /// Frames by which the signal is late here.
    package var latency: Int
    /// Those of them that are the round trip of what is recorded.
    package var lateness = 0
  }

  /// What a reader wants to know of a node.
  package struct NodeSummary: Sendable, Equatable {
    package var id: String
    package var kind: String
    package var latency: Int
    /// Frames by which its input is late: where its own time line starts.
    package var arrival: Int
    /// How far its latency may grow while the plan runs; nil for one that stays.
    package var latencyLimit: Int?
  }

  package var nodes: [NodeSummary]
  package var steps: [Step]
  package var sections: [Section]
  package var bufferCount: Int
  /// Frames of each latency-compensating delay line.
  package var delayLines: [Int]
  /// By delay line.
  package var lineOrigins: [LineOrigin]
  package var feedbackLines: [FeedbackLine]
  /// In the order of their connections.
  package var eventLines: [EventLine] = []
  package var sources: [Port]
  package var sinks: [Port]
  /// Delay lines whose frames follow latencies that move, and the most they can have. There is one
  /// wherever such a latency could make signals meet at different times.
  package var movingLines: [Int: Int] = [:]
  /// Frames by which a sink may become late, where latencies move; 0 where none does.
  package var latencyLimit = 0
  /// What may run beside one another, all sections in their order; none in a plan for one thread.
  package var tasks: [Task] = []
  /// Buffers that are written in one task, or by a source, and read in another one, or by a sink. Each
  /// is written by one step alone.
  package var sharedBuffers: Set<Int> = []

  /// Frames by which the latest sink is late, the round trip of what is recorded left out.
  package var latency: Int { sinks.map { $0.latency - $0.lateness }.max() ?? 0 }

  /// The latencies that move, as far as they may, by node.
  package var latencyLimits: [Int: Int] {
    var limits: [Int: Int] = [:]
    for (node, summary) in nodes.enumerated() {
      if let limit = summary.latencyLimit { limits[node] = limit }
    }
    return limits
  }

  /// True when the other plan does the same with other delays.
  package func differsInDelaysAlone(from other: RenderPlan) -> Bool {
    func bare(_ plan: RenderPlan) -> RenderPlan {
      var plan = plan
      for index in plan.nodes.indices {
        (plan.nodes[index].latency, plan.nodes[index].arrival) = (0, 0)
      }
      for index in plan.delayLines.indices where plan.movingLines[index] != nil {
        plan.delayLines[index] = 0
      }
      for index in plan.feedbackLines.indices { plan.feedbackLines[index].frames = 0 }
      for index in plan.eventLines.indices { plan.eventLines[index].frames = 0 }
      for index in plan.sections.indices where plan.sections[index].slice != nil {
        plan.sections[index].slice = 0
      }
      for index in plan.sinks.indices { plan.sinks[index].latency = 0 }
      return plan
    }
    return bare(self) == bare(other)
  }
}

extension RenderPlan {
  /// A plan that does nothing yet: the sources and sinks of a graph, as wide as they will be.
  package init(portsOf graph: ResolvedGraph) {
    self.init(
      nodes: [], steps: [], sections: [], bufferCount: 1, delayLines: [], lineOrigins: [],
      feedbackLines: [],
      sources: [], sinks: [])
    for (index, node) in graph.graph.nodes.enumerated() {
      switch node.content {
      case .source:
        sources.append(
          Port(
            node: index, buffers: Array(repeating: 0, count: graph.outputCount(index)),
            layout: graph.layouts.output(index, channelCount: graph.outputCount(index)),
            latency: 0))
      case .sink:
        sinks.append(
          Port(
            node: index, buffers: Array(repeating: 0, count: graph.inputCount(index)),
            layout: graph.layouts.input(index, channelCount: graph.inputCount(index)), latency: 0))
      case .unit: break
      }
    }
  }
}
