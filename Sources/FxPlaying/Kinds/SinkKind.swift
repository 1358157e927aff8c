package import FxAudio
import FxEngine

/// A kind of sink, declared once in a file of its own and listed in `SinkKind.all`.
package struct SinkKind: Sendable {
  package let spec: EndpointSpec
  package let nature: SinkNature

  init(_ spec: EndpointSpec, _ nature: SinkNature) {
    self.spec = spec
    self.nature = nature
  }

  /// Every kind that a chain may name, in the order of the reference page.
  package static let all: [SinkKind] = [.output, .file, .standardOutput, .device, .discarded]
}
