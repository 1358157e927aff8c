import FxAudio
import FxGraph
package import FxMedia
import Synchronization

/// Where a render in memory takes its sound from and leaves it: no file is read but those that the
/// chain and the request name, none is written, and no device is touched.
package struct MemoryEndpoints: Sendable {
  /// Makes what an input without a file reads.
  package let source: @Sendable (_ input: String) -> any AudioSource
  /// Makes what is read in place of a sound device and of standard input, so wide where the chain
  /// says; nil where neither is to be read.
  package var device: (@Sendable (_ channels: Int?) -> any AudioSource)?
  /// Whether outputs are kept; otherwise they are rendered and discarded.
  package let keepsOutputs: Bool
  private let kept = KeptSinks()

  package init(
    keepsOutputs: Bool = true, source: @escaping @Sendable (_ input: String) -> any AudioSource
  ) {
    self.keepsOutputs = keepsOutputs
    self.source = source
  }

  /// What each output was sent, in the order of the plan, once the render has ended: `main`, another
  /// output's name, or the file that the chain would have written.
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
