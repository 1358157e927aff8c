package import FxAudio
import FxEngine

/// The environment that a chain is built for: settings of the command line and the machine.
package struct ChainEnvironment: Sendable {
  /// The kinds of sources and sinks that a chain may use.
  package var endpoints: EndpointCatalog
  /// Replaces the sample rate of the chain or its main input.
  package var sampleRate: Double?
  /// Replaces the chain's setting.
  package var resampling: RateConversion.Quality?
  /// Used if neither the chain nor a source gives a rate; ranges follow it.
  package var fallbackSampleRate = 48000.0
  /// Names of bound inputs and outputs; nil if this does not matter (a check).
  package var inputs: Set<String>?
  package var outputs: Set<String>?
  /// True if a single unbound input is recorded live.
  package var recordsUnboundInput = false
  /// `--set comp.threshold=-18`.
  package var overrides: [ParameterSetting]
  package var bypassed: [String]
  /// The start scene; replaces the chain's own.
  package var scene: String?
  /// `--tap comp=comp.wav`.
  package var taps: [NodeTap] = []
  package var tapEncoding = FileEncoding()
  /// Repeated `-o`: more files for the main output.
  package var copies: [(path: String, encoding: FileEncoding)] = []
  /// How the main input is played, in addition to the chain's own settings.
  package var mainInput = InputEdit()
  /// The loudness of the main output in LUFS, set after the chain's own nodes.
  package var loudness: Double?
  /// A gain of the main output in decibels, set after the chain's own nodes.
  package var gain: Double?
  /// Every node that can do so keeps its dry signal, so that `wet` and `bypass` may change while it
  /// runs.
  package var keepsDry: Bool
  /// More nodes than any real chain has; nested `use` could create an unlimited number.
  var nodeLimit = 100_000
  /// Seconds of the input that the render skips, at a sample rate.
  package var start: @Sendable (_ sampleRate: Double) -> Double = { _ in 0 }
  /// Known facts of a source; nil for one that was not opened. It reads no file.
  package var sourceFacts: @Sendable (SourceEndpoint) -> SourceFacts?
  /// Reads the file of a `use` node, or of a node's MIDI.
  package var read: @Sendable (String) throws(Failure) -> [UInt8]
  /// How long a file that the chain names may take, and whether it is still wanted.
  package private(set) var limits = OpeningLimits()

  package init(
    endpoints: EndpointCatalog = EndpointCatalog(), sampleRate: Double? = nil,
    inputs: Set<String>? = nil, outputs: Set<String>? = nil,
    overrides: [ParameterSetting] = [], bypassed: [String] = [], keepsDry: Bool = false,
    sourceFacts: @escaping @Sendable (SourceEndpoint) -> SourceFacts? = { _ in nil },
    read: @escaping @Sendable (String) throws(Failure) -> [UInt8] = {
      path throws(Failure) in try ChainFile.readNamed(path)
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

  /// From now on, files are read within these limits.
  package mutating func read(within limits: OpeningLimits) {
    self.limits = limits
    read = { path throws(Failure) in try ChainFile.readNamed(path, limits) }
  }
}
