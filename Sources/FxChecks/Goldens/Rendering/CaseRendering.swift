import FxAudio
import FxChain
package import FxEngine
package import FxKit
import FxMedia
package import FxUnits

/// A case rendered into memory.
package struct CaseRendering: Sendable {
  package struct Output: Sendable {
    /// `main`, another output's name, or the path of the file in the chain.
    package var name: String
    package var sound: Sound
    /// Of all channels, one after another.
    package var digest: UInt64
  }

  /// Options for rendering that are not in the case itself.
  package struct Options: Sendable {
    /// Records a fingerprint of each node, which costs about 5 ns per frame and channel of each
    /// node.
    package var wantsFingerprints = false
    /// Measures the cost of each node.
    package var measuresNodes = false
    /// Replaces the case's block size.
    package var blockSize: Int?
    /// Changes the graph before rendering.
    var change: (@Sendable (inout Graph) -> Void)?

    package init() {}
  }

  package var outputs: [Output]
  /// Empty if no fingerprints were requested.
  package var fingerprints: NodeFingerprints
  /// nil if no fingerprints were requested.
  package var environment: RenderEnvironment?
  package var summary: RenderSummary
  /// The facts of the chain's graph.
  package var graph: [GraphFact]
  /// The chain's nodes and connections.
  package let resolved: Graph

  /// The URIs of the chain's plugins.
  var plugins: [String] {
    resolved.nodes.compactMap { node in
      if case .unit(let unit) = node.content, case .lv2(let uri) = unit.kind { uri } else { nil }
    }
  }

  /// Renders a case.
  ///
  /// - Throws: `ChainFailure` for a mistake in the chain, an input or a plugin.
  package init(_ testCase: TestCase, _ options: Options = Options()) throws(ChainFailure) {
    let chain = try testCase.readChain()
    let memory = testCase.memory
    var request = RenderRequest()
    request.memory = memory
    request.inputs = testCase.files
    request.settings = testCase.settings
    request.scene = testCase.scene
    request.duration = testCase.files.isEmpty ? nil : testCase.duration
    request.blockSize = options.blockSize ?? testCase.blockSize
    request.takesFingerprints = options.wantsFingerprints
    request.measuresNodes = options.measuresNodes
    request.threads = testCase.threads
    request.change = options.change
    let job = try RenderJob(chain, request)
    try testCase.checkInputs(of: job.compiled)
    let (summary, fingerprints) = try job.renderWithFingerprints()
    self.summary = summary
    graph = GraphFact.facts(of: job.compiled)
    resolved = job.compiled.built.graph
    outputs = memory.outputs.map {
      Output(
        name: $0.name,
        sound: Sound(channels: $0.sink.channels, sampleRate: $0.sink.format.sampleRate),
        digest: $0.sink.digest)
    }
    self.fingerprints = NodeFingerprints(fingerprints, job.compiled)
    if options.wantsFingerprints {
      environment = RenderEnvironment(job.compiled, chain: chain, fingerprints: fingerprints)
    }
  }
}

extension TestCase {
  func readChain() throws(ChainFailure) -> Chain {
    if let loadedChain { return loadedChain }
    return try Chain(contentsOfFile: chain, variables: variables)
  }

  /// Throws for an input that the chain does not have.
  fileprivate func checkInputs(of compiled: CompiledChain) throws(ChainFailure) {
    var known: [String] = []
    for source in compiled.plan.sources {
      guard let name = compiled.endpoint(ofSource: source)?.inputName else { continue }
      if !known.contains(name) { known.append(name) }
    }
    guard let unknown = inputs.keys.sorted().first(where: { !known.contains($0) }) else { return }
    throw ChainFailure(
      .request, code: .unknownInput,
      "the chain has no input '\(unknown)' "
        + "(its inputs: \(known.isEmpty ? "none" : known.joined(separator: ", ")))")
  }

  /// The default duration of a signal in seconds.
  package static let signalDuration = 2.0

  /// Inputs that read a file.
  package var files: [String: String] {
    inputs.compactMapValues { input in if case .file(let path) = input { path } else { nil } }
  }

  /// The case with the signals of its golden, if that can be read.
  var hearingSignalsOfGolden: TestCase {
    guard WholeFile.exists(manifestPath),
      let manifest = try? Manifest(contentsOfFile: manifestPath)
    else { return self }
    var testCase = self
    testCase.defaultSignals = manifest.signals
    return testCase
  }

  /// The signal of an input without a file.
  package func signal(for input: String) -> TestSignal {
    if case .signal(let signal)? = inputs[input] { return signal }
    return defaultSignals.signal(forInput: input)
  }

  /// The signals and the memory that a render in memory uses.
  package var memory: MemoryEndpoints {
    MemoryEndpoints { input in
      SignalSource(
        signal(for: input), sampleRate: sampleRate, channels: channels, frameCount: signalFrameCount
      )
    }
  }

  /// The length of a signal in frames.
  var signalFrameCount: Int {
    let frames = ((duration ?? Self.signalDuration) * sampleRate).rounded()
    return frames >= 0 && frames < 1e12 ? Int(frames) : 0
  }
}
