import FxAudio
import FxEngine
package import FxMedia
import Synchronization

/// The inputs and outputs of a render in memory. It reads only files that the chain and the request
/// name, writes none, and uses no device.
package struct MemoryEndpoints: Sendable {
  /// Makes the source of an input without a file; nil if every input must have a file or samples.
  package let source: (@Sendable (_ input: String) -> any AudioSource)?
  /// Makes the source that replaces a sound device or standard input, with `channels` if the chain
  /// says so; nil if neither may be read.
  package var device: (@Sendable (_ channels: Int?) -> any AudioSource)?
  /// Whether outputs are kept; otherwise they are rendered and discarded.
  let keepsOutputs: Bool
  private let kept = KeptSinks()

  package init(
    keepsOutputs: Bool = true, source: (@Sendable (_ input: String) -> any AudioSource)? = nil
  ) {
    self.keepsOutputs = keepsOutputs
    self.source = source
  }

  /// The sound of each output after the render, in the order of the plan. The name is `main`,
  /// another output's name, or the name of the file in the chain.
  package var outputs: [(name: String, sink: MemorySink)] {
    kept.sinks.withLock { sinks in sinks.map { ($0.name, $0) } }
  }

  func sink(for endpoint: SinkEndpoint?, _ format: StreamFormat) -> any AudioSink {
    guard let endpoint, keepsOutputs else { return NullSink(format: format) }
    return switch endpoint.nature {
    case .bound: keep(endpoint.target, format)
    case .file:
      keep(endpoint.target.split(separator: "/").last.map(String.init) ?? endpoint.target, format)
    case .device, .stream: keep("main", format)
    case .discarded: NullSink(format: format)
    }
  }

  private func keep(_ name: String, _ format: StreamFormat) -> any AudioSink {
    let sink = MemorySink(name: name, format: format)
    kept.sinks.withLock { $0.append(sink) }
    return sink
  }

  private final class KeptSinks: Sendable {
    let sinks = Mutex<[MemorySink]>([])
  }
}
