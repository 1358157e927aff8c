package import FxAudio

/// A compiled graph: a fixed list of steps over numbered mono buffers.
///
/// Plain data, comparable and printable; nothing in it can run. The engine makes it runnable and
/// does not use the graph any more.
package struct RenderPlan: Sendable, Equatable {
  /// One operation. Buffers are numbers below `bufferCount`; buffer 0 is silence and never written.
  package enum Step: Sendable, Equatable {
    /// `output = inputs[0] + inputs[1] + …`, each with its gain, in this order.
    case sum([Term], output: Int)
    /// Delays by the frames of `delayLines[line]`.
    case delay(line: Int, input: Int, output: Int)
    /// Reads what `feedbackWrite` wrote to the line, delayed.
    case feedbackRead(line: Int, output: Int)
    case feedbackWrite(line: Int, input: Int)
    /// Renders a unit.
    case run(node: Int, inputs: [Int], outputs: [Int])
    /// Mixes a node's dry and wet signals by its `wet` and `bypass`.
    case blend(node: Int, dry: [Int], wet: [Int], outputs: [Int])
  }

  package struct Term: Sendable, Equatable {
    /// What happens to a term during a crossfade.
    package enum Fade: Sendable, Equatable {
      case none
      /// From silence to its gain.
      case enters
      /// From its gain to silence.
      case leaves
      /// To its gain from a different one.
      case moves(from: Float)
      /// Stays until the removed nodes have ended, then fades out.
      case ringsOut
      /// Opens at the start of the crossfade, because the signal fades in upstream.
      case opens
    }

    package var input: Int
    package var gain: Float
    package var fade = Fade.none
    /// Frames by which the fade here is ahead of the fade at the end of the chain: the delay from
    /// here to there.
    package var lead = 0
  }

  /// The signal in a delay line: a channel of a node's output or of a node's input.
  package enum LineOrigin: Sendable, Hashable {
    case output(ChannelID)
    case input(ChannelID)
  }

  /// Steps that run together: over the whole block or, in a loop, slice by slice.
  package struct Section: Sendable, Equatable {
    package var steps: Range<Int>
    /// Frames of a slice: the shortest delay of the loop; nil for the whole block.
    package var slice: Int?
  }

  /// Sections that one thread runs for a block, in parallel with other tasks. A block can start
  /// when the tasks before have rendered it and this task has rendered the block before.
  package struct Task: Sendable, Equatable {
    package var sections: Range<Int>
    /// Earlier tasks whose buffers it reads.
    package var waitsFor: [Int]
    /// Nanoseconds per frame, estimated.
    package var cost: Double
  }

  package struct FeedbackLine: Sendable, Equatable {
    package var connection: Int
    /// The channel of the connection's source node, counted across its buses.
    package var channel: Int
    package var frames: Int
  }

  /// The path of events from one node to another.
  struct EventLine: Sendable, Equatable {
    package var connection: Int
    /// The delay of events.
    package var frames: Int
    /// The new graph does not have this line: notes started through it are ended.
    package var isCut = false
  }

  /// A source or a sink: its node and the buffers of its channels.
  package struct Port: Sendable, Equatable {
    package var node: Int
    package var buffers: [Int]
    /// The channel layout; nil in the plan of a crossfade, where nobody needs it.
    package var layout: ChannelLayout?
    /// The latency of the signal here, in frames.
    package var latency: Int
    /// The part of the latency that is the round trip of recorded sound.
    package var lateness = 0
  }

  /// What a reader of the plan needs to know about a node.
  package struct NodeSummary: Sendable, Equatable {
    package var id: String
    package var kind: String
    package var latency: Int
    /// The latency of its input in frames: the start of its own timeline.
    package var arrival: Int
    /// The largest latency while the plan runs; nil if the latency cannot change.
    package var latencyLimit: Int?
  }

  package var nodes: [NodeSummary]
  package var steps: [Step]
  package var sections: [Section]
  package var bufferCount: Int
  /// Frames of each latency-compensating delay line.
  package var delayLines: [Int]
  /// By delay line.
  var lineOrigins: [LineOrigin]
  package var feedbackLines: [FeedbackLine]
  /// In the order of their connections.
  var eventLines: [EventLine] = []
  package var sources: [Port]
  package var sinks: [Port]
  /// Delay lines whose frames follow changing latencies, with their largest delays. There is one
  /// wherever a changing latency could separate signals that must meet.
  var movingLines: [Int: Int] = [:]
  /// The largest latency of a sink in frames if latencies may change; 0 if none may.
  package var latencyLimit = 0
  /// Parts that may run in parallel; together all sections in order. None in a plan for one thread.
  package var tasks: [Task] = []
  /// Buffers written by one task, or by a source, and read by another task, or by a sink. Only one
  /// step writes each.
  var sharedBuffers: Set<Int> = []

  /// The latency of the latest sink in frames, without the round trip of recorded sound.
  package var latency: Int { sinks.map { $0.latency - $0.lateness }.max() ?? 0 }

  /// By node: the limits of the latencies that may change.
  package var latencyLimits: [Int: Int] {
    var limits: [Int: Int] = [:]
    for (node, summary) in nodes.enumerated() {
      if let limit = summary.latencyLimit { limits[node] = limit }
    }
    return limits
  }

  /// True if the other plan differs only in its delays.
  func differsInDelaysAlone(from other: RenderPlan) -> Bool {
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
  /// A plan without steps: the sources and sinks of a graph, with their final widths.
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
