package import FxAudio
package import FxChain
package import FxEngine
import FxPlaying

extension CompiledChain {
  /// The settings for compiling a chain.
  package struct Settings: Sendable {
    /// The units and plugins; nil for those of the chain.
    package var catalog: (any UnitCatalog)?
    package var environment = ChainEnvironment(endpoints: .all)
    /// Replaces the chain's own block size.
    package var blockSize: Int?
    package var isLive = false
    /// Measures the time of each node offline too.
    package var measuresNodes = false
    /// Measures the time of each sum and delay too, on one thread.
    package var measuresSteps = false
    /// Measured costs of nodes in nanoseconds per frame, by name; the others are estimated.
    package var nodeCosts: [String: Double] = [:]
    /// Makes fingerprints of each node's signals.
    package var takesFingerprints = false
    /// The maximum number of frames kept of each input and output of a node, in addition to its
    /// fingerprint.
    package var recordedFrameCount = 0
    /// The number of render threads.
    package var threads = 1
    /// True if the user set the number of threads.
    var areThreadsRequested = false
    /// Changes the graph, keeping the number of nodes.
    package var change: (@Sendable (inout Graph) -> Void)?
    /// Joins several blocks into one if the chain has no plugin.
    var joinsBlocks = false
    /// False if a caller may render less than a block.
    var hasWholeBlocks = true

    /// The memory limit for the chain's sound in bytes.
    package var memoryLimit = MemoryBudget.standard
    /// The results of measuring passes, by node.
    var measured: [Int: [Double]] = [:]

    /// Called with the file of every sound that a unit loads, before it is read.
    var willReadSound: @Sendable (_ path: String) -> Void = { _ in }

    /// The channel counts of device sinks, by endpoint.
    package var sinkWidths: [SinkEndpoint: Int] = [:]

    /// The round trip to remove from recorded files; nil if nothing is recorded during playback.
    package var recording: RecordingLatency?
    /// Frames from a device's recording to its playback of it.
    var roundTrip = 0
    /// The frames that the playback device holds before they sound.
    var playbackFrames = 0
    /// The sink that plays on the clock device.
    var playedSink: Int?
    /// The pre-roll in seconds of outputs that the caller names.
    var preRoll = 0.0

    package init() {}

    /// The units and plugins of a chain that was read with these settings.
    var units: any UnitCatalog { catalog ?? UnitLibrary.shared }
  }
}

extension CompiledChain.Settings {
  /// The graph with the sinks' channel counts set to their devices', and with `change` applied.
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
