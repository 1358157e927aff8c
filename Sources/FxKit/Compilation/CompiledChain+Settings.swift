import FxAudio
package import FxChain
package import FxGraph
import FxPlaying

extension CompiledChain {
  /// How a chain is compiled.
  package struct Settings: Sendable {
    package var environment = ChainEnvironment(endpoints: .all)
    /// In place of the chain's own.
    package var blockSize: Int?
    /// Where neither the chain nor a source says.
    package var fallbackSampleRate: Double {
      get { environment.fallbackSampleRate }
      set { environment.fallbackSampleRate = newValue }
    }
    package var isLive = false
    /// What each node takes is measured where it is not played, too.
    package var measuresNodes = false
    /// So is what each sum and delay takes, on one thread.
    package var measuresSteps = false
    /// Nanoseconds a frame that nodes took when they were measured, by their names; others are estimated.
    package var nodeCosts: [String: Double] = [:]
    /// What passes each node is pictured.
    package var takesFingerprints = false
    /// Frames of each side of every node that are kept beside its fingerprint, at most.
    package var recordedFrameCount = 0
    /// Threads that render.
    package var threads = 1
    /// The user named their number.
    package var areThreadsRequested = false
    /// Another graph in place of the chain's, with as many nodes.
    package var change: (@Sendable (inout Graph) -> Void)?
    /// Blocks that no plugin sees may be rendered several at once.
    var joinsBlocks = false
    /// False where a caller may render less than a block.
    package var hasWholeBlocks = true

    /// Bytes that the chain may need for its sound.
    package var memoryLimit = MemoryBudget.standard
    /// False for a check, which makes plugins alone: they say what they are once they are made.
    package var makesUnits = true

    /// What passes before the render have measured, by node.
    var measured: [Int: [Double]] = [:]

    /// Is called with the file of every sound that a unit is made with, before it is read.
    var willReadSound: @Sendable (_ path: String) -> Void = { _ in }

    /// The widths that sinks take, by their endpoint: a device's.
    package var sinkWidths: [SinkEndpoint: Int] = [:]

    /// The round trip that files of what is recorded are freed of; nil where nothing is recorded to
    /// what is heard.
    package var recording: RecordingLatency?
    /// Frames from what a device records to what it plays of it.
    var roundTrip = 0
    /// The sink that is heard.
    var playedSink: Int?
    /// Seconds before a start that are kept of outputs that the caller names.
    var preRoll = 0.0

    package init() {}

    /// For a check: any input is there, as wide as this, but for those that are known.
    package static func check(
      sampleRate: Double = 48000, channels: Int = 2,
      knowing known: @escaping @Sendable (SourceEndpoint) -> SourceFacts? = { _ in nil }
    ) -> Settings {
      var settings = Settings()
      settings.fallbackSampleRate = sampleRate
      settings.environment.sourceFacts = { endpoint in
        known(endpoint)
          ?? SourceFacts(
            StreamFormat(sampleRate: sampleRate, channelCount: endpoint.channels ?? channels),
            .assumed)
      }
      return settings
    }
  }
}

extension CompiledChain.Settings {
  /// The graph with sinks as wide as their devices, and changed where it is to be.
  func fitted(_ graph: Graph) -> (graph: Graph, asHeard: [Int]) {
    guard !sinkWidths.isEmpty || change != nil else { return (graph, []) }
    var graph = graph
    change?(&graph)
    let asHeard = recording.map { graph.setLateness($0) } ?? []
    for index in graph.nodes.indices {
      guard case .sink(let endpoint, _) = graph.nodes[index].content,
        let width = sinkWidths[endpoint]
      else { continue }
      graph.nodes[index].inputs = [InputBusSpec("in", width: .exactly(width))]
    }
    return (graph, asHeard)
  }
}
