import FxAudio
import FxChain
import FxEngine
import FxKit
import FxMedia
import FxUnits

/// One render for a lint, with its measurements.
struct LintRender {
  let job: RenderJob
  let run: LintResult.Run
  private let task: LintTask
  private let fingerprints: [RenderFingerprint]
  private let summary: RenderSummary

  /// The most bytes for the recordings of all nodes.
  private static let recordingLimit = 256 << 20

  init(_ task: LintTask) throws(ChainFailure) {
    self.task = task
    let testCase = task.testCase
    let chain = try Chain(named: testCase.chain, variables: testCase.variables)
    var memory = testCase.memory
    memory.device = { channels in
      SignalSource(
        TestSignal(.programme), sampleRate: testCase.sampleRate,
        channels: channels ?? testCase.channels, frameCount: testCase.signalFrameCount)
    }
    var request = RenderRequest()
    request.memory = memory
    request.inputs = testCase.files
    request.settings = testCase.settings
    request.scene = testCase.scene
    request.duration = testCase.duration
    request.blockSize = task.blockSize
    request.takesFingerprints = true
    if task.isMeasured || task.recordedNode != nil {
      let outline = try chain.outline(
        .check(sampleRate: testCase.sampleRate, channels: testCase.channels))
      if task.isMeasured { request.tail = (outline.fixedTail ?? 0) + LintTask.extraSeconds }
      request.recordedFrameCount = Self.recordedFrameCount(outline, testCase)
    }
    job = try RenderJob(chain, request)
    (summary, fingerprints) = try job.renderWithFingerprints()
    run = LintResult.Run(
      digests: memory.outputs.map { hexadecimal($0.sink.digest) },
      fingerprints: NodeFingerprints(fingerprints, job.compiled), latency: summary.latencyFrames)
  }

  private static func recordedFrameCount(_ outline: CompiledChain, _ testCase: TestCase) -> Int {
    let seconds =
      (testCase.duration ?? 30) + min(outline.fixedTail ?? 0, 30) + LintTask.extraSeconds + 1
    let rate = outline.sampleRate
    let sides = max(2 * outline.resolved.graph.nodes.count, 1)
    let limit = recordingLimit / (sides * 2 * 4)
    return min(Int(min(max(seconds * rate, 0), 1e9)), limit)
  }

  /// The peak in the first second after a frame. 0 if the signal does not fade, such as a noise
  /// that a plugin makes by itself.
  private static func rest(of channels: [[Float]], from start: Int, second: Int) -> Double {
    func peak(_ frames: (ArraySlice<Float>) -> ArraySlice<Float>) -> Double {
      Double(channels.reduce(0) { frames($1.dropFirst(start)).reduce($0) { max($0, abs($1)) } })
    }
    let first = peak { $0.prefix(second) }
    return peak { $0.suffix(second) } < 0.5 * first ? first : 0
  }

  /// The recorded output of a node; for an output, its input.
  func output(ofNode id: String) -> [[Float]]? {
    let nodes = job.compiled.resolved.graph.nodes
    guard let fingerprint = fingerprints.first(where: { nodes[$0.node].id == id }) else {
      return nil
    }
    return (fingerprint.output ?? fingerprint.input)?.samples
  }

  /// Adds the facts of the whole render and its measurements.
  func describe(_ result: inout LintResult) {
    let compiled = job.compiled
    result.sampleRate = compiled.sampleRate
    result.blockSize = compiled.blockSize
    result.frameCount = summary.frames
    result.tailPolicy = summary.tailPolicy
    result.tailWasCut = summary.tailWasCut
    let mainFrameCount = summary.frames - summary.tailFrames
    for (output, port) in zip(summary.outputs, compiled.plan.sinks) {
      var sink = LintResult.Sink(
        node: port.node, peak: Double(output.peak), clippedCount: output.clippedSamples,
        sampleCount: output.frames * max(output.channels, 1),
        nonFiniteCount: output.nonFiniteSamples)
      if task.isMeasured, let tail = compiled.fixedTail,
        let side = fingerprints.first(where: { $0.node == port.node })?.input
      {
        let end = mainFrameCount + port.latency + Int(min(tail, 1e6) * compiled.sampleRate)
        sink.restPeak = Self.rest(of: side.samples, from: end, second: Int(compiled.sampleRate))
      }
      result.sinks.append(sink)
    }
    guard task.isMeasured else { return }
    let nodes = compiled.resolved.graph.nodes
    result.facts = fingerprints.map { fingerprint in
      let summary = compiled.plan.nodes[fingerprint.node]
      var measuresDelay = false
      if case .unit(let unit) = nodes[fingerprint.node].content {
        measuresDelay = unit.latencyOverride != nil
        if case .lv2 = unit.kind { measuresDelay = true }
      }
      return NodeFacts(
        fingerprint, latency: summary.latency, arrival: summary.arrival,
        measuresDelay: measuresDelay)
    }
  }
}

extension CompiledChain {
  /// Seconds after the sound at which the chain ends its tail, audible or not; nil if the tail ends
  /// at silence.
  var fixedTail: Double? {
    switch built.tail {
    case .none: 0
    case .seconds(let seconds): seconds
    case .auto: nil
    }
  }
}

extension LintRender {
  /// Throws the mistakes of a chain, found in this process. Only for a chain that another process
  /// has built without a crash.
  static func check(_ testCase: TestCase) throws(ChainFailure) {
    let chain = try Chain(named: testCase.chain, variables: testCase.variables)
    var request = RenderRequest()
    request.memory = testCase.memory
    request.inputs = testCase.files
    request.settings = testCase.settings
    request.scene = testCase.scene
    request.duration = testCase.duration
    _ = try RenderJob(chain, request)
  }
}
