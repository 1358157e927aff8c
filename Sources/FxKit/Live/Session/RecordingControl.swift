import FxAudio
import FxEngine
import FxPlaying

/// Starts and stops recordings on request.
struct RecordingControl {
  private let driver: LiveDriver
  /// The names and indices of the sinks that can start and stop.
  private let sinks: [(name: String, index: Int)]

  init(_ compiled: CompiledChain, _ driver: LiveDriver) {
    self.driver = driver
    let nodes = compiled.resolved.graph.nodes
    sinks = compiled.plan.sinks.indices.filter(driver.isRecordable).map {
      (nodes[compiled.plan.sinks[$0].node].id, $0)
    }
  }

  /// `sink` is the sink's node; nil for all sinks.
  func record(_ starts: Bool, _ sink: String?) throws(ChainFailure) {
    guard !sinks.isEmpty else {
      throw ChainFailure(
        .request, code: .noRecording,
        "no output of the chain can be started and stopped: give a file \"record\": \"manual\" or --record manual"
      )
    }
    let chosen = sinks.filter { sink == nil || $0.name == sink }
    guard !chosen.isEmpty else {
      throw ChainFailure(
        .request, code: .noRecording,
        "'\(sink ?? "")' cannot be started and stopped; these outputs can be: "
          + sinks.map { "'\($0.name)'" }.joined(separator: ", "))
    }
    for sink in chosen { driver.record(starts, sink: sink.index) }
  }
}
