package import FxAudio
package import FxGraph

/// What a chain is built for: what the command line and the machine say.
package struct ChainEnvironment: Sendable {
  /// `--set comp.threshold=-18`: a parameter as chains spell it, a value as text.
  package struct Override: Sendable, Equatable {
    package var parameter: String
    package var value: String

    package init(parameter: String, value: String) {
      self.parameter = parameter
      self.value = value
    }

    /// Splits `comp.threshold=-18 dB`; nil without a name or a `=`.
    package init?(_ text: String) {
      guard let sign = text.firstIndex(of: "="), sign > text.startIndex else { return nil }
      parameter = String(text[..<sign]).trimmed
      value = String(text[text.index(after: sign)...]).trimmed
    }
  }

  /// `--tap comp=comp.wav`: a node's output into a file of its own.
  package struct Tap: Sendable, Equatable {
    package var node: String
    package var path: String
    package var encoding: FileEncoding

    package init(node: String, path: String, encoding: FileEncoding = FileEncoding()) {
      self.node = node
      self.path = path
      self.encoding = encoding
    }
  }

  /// `-o` again: a further file of the main output.
  package struct Copy: Sendable, Equatable {
    package var path: String
    package var encoding: FileEncoding

    package init(path: String, encoding: FileEncoding) {
      self.path = path
      self.encoding = encoding
    }
  }

  /// The kinds of source and sink that a chain may name.
  package var endpoints: EndpointCatalog
  /// In place of what the chain or its main input says.
  package var sampleRate: Double?
  /// In place of what the chain says.
  package var resampling: RateConversion.Quality?
  /// Where neither the chain nor a source says; ranges follow it.
  package var fallbackSampleRate = 48000.0
  /// Names that something is bound to; nil when that does not matter (a check).
  package var inputs: Set<String>?
  package var outputs: Set<String>?
  /// The one input that nothing is bound to is recorded live.
  package var recordsUnboundInput = false
  package var overrides: [Override]
  package var bypassed: [String]
  /// The scene to begin with, in place of the chain's.
  package var scene: String?
  package var taps: [Tap] = []
  package var copies: [Copy] = []
  /// How the main input is played, beside what the chain says of it.
  package var mainInput = InputEdit()
  /// In LUFS: what the main output is brought to, behind the chain's own nodes.
  package var loudness: Double?
  /// Every node that can keeps its dry signal, so that `wet` and `bypass` can be changed while it
  /// runs.
  package var keepsDry: Bool
  /// More nodes than any chain has; `use` could multiply them without end.
  package var nodeLimit = 100_000
  /// Seconds of the input that the render leaves out, at a sample rate.
  package var start: @Sendable (_ sampleRate: Double) -> Double = { _ in 0 }
  /// What is known of a source; nil for one that nobody has opened. It touches no file.
  package var sourceFacts: @Sendable (SourceEndpoint) -> SourceFacts?
  /// Reads the file of a `use` node, or of a node's MIDI.
  package var read: @Sendable (String) throws(ChainFileError) -> [UInt8]

  package init(
    endpoints: EndpointCatalog = EndpointCatalog(), sampleRate: Double? = nil,
    inputs: Set<String>? = nil, outputs: Set<String>? = nil,
    overrides: [Override] = [], bypassed: [String] = [], keepsDry: Bool = false,
    sourceFacts: @escaping @Sendable (SourceEndpoint) -> SourceFacts? = { _ in nil },
    read: @escaping @Sendable (String) throws(ChainFileError) -> [UInt8] = {
      path throws(ChainFileError) in try ChainFile.readNamed(path)
    }
  ) {
    self.endpoints = endpoints
    self.sampleRate = sampleRate
    self.inputs = inputs
    self.outputs = outputs
    self.overrides = overrides
    self.bypassed = bypassed
    self.keepsDry = keepsDry
    self.sourceFacts = sourceFacts
    self.read = read
  }
}

extension String {
  /// Without spaces at both ends.
  var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
