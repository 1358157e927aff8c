import FxFrames
import FxGraph
import FxMedia

/// Outputs that are written while they are loud, or while somebody wants them.
extension RenderJob {
  /// A sink that starts and stops as the chain says for files that it names, and the request for those
  /// that it names itself.
  func recorded(
    _ sink: any AudioSink, _ index: Int, _ compiled: CompiledChain
  ) -> any AudioSink {
    guard let endpoint = compiled.endpoint(ofSink: compiled.plan.sinks[index]),
      let rule = request.recordingRule(of: endpoint)
    else { return sink }
    return RecordingSink(sink, rule)
  }
}

extension RenderRequest {
  func recordingRule(of endpoint: SinkEndpoint) -> RecordingRule? {
    switch endpoint.nature {
    case .file: RecordingRule(endpoint.options)
    case .bound, .device: recording?.rule
    case .stream, .discarded: nil
    }
  }
}
