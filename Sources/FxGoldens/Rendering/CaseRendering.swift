package import FxAnalysis
import FxAudio
import FxChain
package import FxGraph
package import FxKit
import FxMedia
package import FxSignals

/// A case, rendered into memory.
package struct CaseRendering: Sendable {
  package struct Output: Sendable {
    /// `main`, another output's name, or the file that the chain would have written.
    package var name: String
    package var sound: Sound
    /// Of all channels, one after the other.
    package var digest: UInt64
  }

  /// How a case is rendered beside what it says itself.
  package struct Options: Sendable {
    /// What passes each node is pictured, which costs some 5 ns a frame and channel of every node.
    package var wantsFingerprints = false
    /// What each node takes is measured.
    package var measuresNodes = false
    /// In place of the case's own.
    package var blockSize: Int?
    /// Another graph in place of the chain's.
    var change: (@Sendable (inout Graph) -> Void)?

    package init() {}
  }

  package var outputs: [Output]
  /// Empty where none were asked for.
  package var fingerprints: NodeFingerprints
  /// nil where no fingerprints were asked for.
  package var environment: RenderEnvironment?
  package var summary: RenderSummary
  /// What the chain comes to.
  package var graph: [GraphFact]
  /// The chain's nodes and connections.
  package let resolved: Graph

  /// Renders a case.
  ///
  /// - Throws: `ChainFailure` with what is wrong with the chain, an input or a plugin.
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
  package func readChain() throws(ChainFailure) -> Chain {
    if let loadedChain { return loadedChain }
    return try Chain(contentsOfFile: chain, variables: variables)
  }

  /// Refuses an input that the chain does not have.
  fileprivate func checkInputs(of compiled: CompiledChain) throws(ChainFailure) {
    var known: [String] = []
    for source in compiled.plan.sources {
      guard let name = compiled.endpoint(ofSource: source)?.inputName else { continue }
      if !known.contains(name) { known.append(name) }
    }
    guard let unknown = inputs.keys.sorted().first(where: { !known.contains($0) }) else { return }
    throw ChainFailure(
      .request, code: "unknown-input",
      "the chain has no input '\(unknown)' "
        + "(its inputs: \(known.isEmpty ? "none" : known.joined(separator: ", ")))")
  }

  /// Seconds of a signal where the case does not say.
  package static let signalDuration = 2.0

  /// Inputs that read a file.
  package var files: [String: String] {
    inputs.compactMapValues { input in if case .file(let path) = input { path } else { nil } }
  }

  /// The case with the signals that its golden was made with, where that can be read.
  package var hearingSignalsOfGolden: TestCase {
    guard WholeFile.exists(manifestPath),
      let manifest = try? Manifest(contentsOfFile: manifestPath)
    else { return self }
    var testCase = self
    testCase.defaultSignals = manifest.signals
    return testCase
  }

  /// What an input hears that no file is given.
  package func signal(for input: String) -> TestSignal {
    if case .signal(let signal)? = inputs[input] { return signal }
    return defaultSignals.signal(forInput: input)
  }

  /// Where a render of it in memory reads its signals from.
  package var memory: MemoryEndpoints {
    MemoryEndpoints { input in
      SignalSource(
        signal(for: input), sampleRate: sampleRate, channels: channels, frameCount: signalFrameCount
      )
    }
  }

  /// Frames of a signal.
  package var signalFrameCount: Int {
    let frames = ((duration ?? Self.signalDuration) * sampleRate).rounded()
    return frames >= 0 && frames < 1e12 ? Int(frames) : 0
  }
}
