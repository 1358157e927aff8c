import FxAudio
import FxEngine
import FxMedia

/// Outputs that are written only while they are loud, or while a recording is requested.
extension RenderJob {
  /// Wraps a sink that starts and stops. The chain has the rule for its own files, the request for
  /// the other outputs.
  func recorded(_ sink: any AudioSink, _ index: Int) -> any AudioSink {
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
    case .bound, .device: recording
    case .stream, .discarded: nil
    }
  }
}
