import CRealtime
import FxAudio
import FxEngine
import FxMedia
import FxPlaying
import FxUnits

extension Chain {
  /// Renders the chain several times and measures its time and memory. Outputs are discarded.
  ///
  /// An input without a file is a test signal of voices, hiss and transients; it lasts
  /// `request.duration`, or 10 s by default.
  ///
  /// - Parameters:
  ///   - request: what to render; `threads` is the maximum to try, nil for one per processor.
  ///   - sampleRate: the sample rate in Hz of inputs without a file.
  ///   - channels: their number of channels.
  ///   - progress: called before each render, with its number from 0 and the number of renders.
  /// - Throws: `ChainFailure`.
  public func profile(
    _ request: RenderRequest, sampleRate: Double = 48000, channels: Int = 2,
    progress: ((_ render: Int, _ count: Int) -> Void)? = nil
  ) throws(ChainFailure) -> ChainProfile {
    try request.check()
    return try ChainProfiler(
      chain: self, request: request, sampleRate: sampleRate, channels: channels
    ).profile(progress)
  }
}

/// Measures the time of nodes in renders on one thread, then renders with more and more threads.
private struct ChainProfiler {
  let chain: Chain
  let request: RenderRequest
  let sampleRate: Double
  let channels: Int

  /// The number of renders of each kind; the median or the fastest is used.
  private static let rounds = 3

  func profile(
    _ progress: ((_ render: Int, _ count: Int) -> Void)?
  ) throws(ChainFailure) -> ChainProfile {
    let counts = threadCounts
    let total = Self.rounds * (1 + counts.count)
    var done = 0
    func next() {
      progress?(done, total)
      done += 1
    }
    var measured: [RenderSummary] = []
    var memory = (total: 0, nodes: [String: Int]())
    for _ in 0..<Self.rounds {
      next()
      var one = base
      one.threads = 1
      one.measuresNodes = true
      one.measuresSteps = true
      let job = try RenderJob(chain, one)
      measured.append(try job.render())
      memory = job.compiled.memoryByNode
    }
    var renders = [[RenderSummary]](repeating: [], count: counts.count)
    for _ in 0..<Self.rounds {
      for (index, count) in counts.enumerated() {
        next()
        var some = base
        some.threads = count
        renders[index].append(try RenderJob(chain, some).render())
      }
    }
    let quickest = measured.reduce(measured[0]) { time(of: $1) < time(of: $0) ? $1 : $0 }
    let costs = Dictionary(
      quickest.nodeCosts.map { ($0.node, $0.nanosecondsPerFrame) }
    ) { first, _ in first }
    var scaling: [ChainProfile.Scaling] = []
    for (index, count) in counts.enumerated() {
      let ordered = renders[index].sorted { $0.elapsedSeconds < $1.elapsedSeconds }
      scaling.append(
        try self.scaling(
          ordered[ordered.count / 2], threads: count, costs, whole: time(of: quickest)))
    }
    return ChainProfile(
      sampleRate: quickest.sampleRate, blockSize: quickest.blockSize,
      soundSeconds: quickest.seconds, nodes: nodes(quickest, memory.nodes),
      steps: quickest.stepCosts, memory: memory.total, scaling: scaling)
  }

  private var base: RenderRequest {
    var base = request
    let (rate, seconds, width) = (
      request.sampleRate ?? sampleRate, request.duration ?? 10, channels
    )
    var memory = MemoryEndpoints(keepsOutputs: false) { _ in
      SignalSource(
        TestSignal(.programme), sampleRate: rate, channels: width,
        frameCount: Int(seconds * rate))
    }
    memory.device = { channels in
      SignalSource(
        TestSignal(.programme), sampleRate: rate, channels: channels ?? width,
        frameCount: Int(seconds * rate))
    }
    base.memory = memory
    return base
  }

  /// 1, 2, 4 and so on, and the maximum.
  private var threadCounts: [Int] {
    let most = request.threads ?? Int(fx_usable_processor_count())
    var counts = [1]
    while let last = counts.last, last < most { counts.append(min(2 * last, most)) }
    return counts
  }

  /// Nanoseconds per frame of all nodes and steps.
  private func time(of summary: RenderSummary) -> Double {
    summary.nodeCosts.reduce(0) { $0 + $1.nanosecondsPerFrame }
      + summary.stepCosts.reduce(0) { $0 + $1.nanosecondsPerFrame }
  }

  private func nodes(
    _ summary: RenderSummary, _ memory: [String: Int]
  ) -> [ChainProfile.Node] {
    let total = time(of: summary)
    var nodes = summary.nodeCosts.map { cost in
      ChainProfile.Node(
        id: cost.node, unit: cost.unit, nanosecondsPerFrame: cost.nanosecondsPerFrame,
        share: total > 0 ? cost.nanosecondsPerFrame / total : 0, load: cost.load,
        memory: memory[cost.node] ?? 0)
    }
    let timed = Set(nodes.map(\.id))
    // Sources and sinks take memory but no measured time.
    let load = LiveSnapshot.Load(now: 0, mean: 0, p50: 0, p99: 0, p999: 0, maximum: 0)
    for (id, bytes) in memory.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) })
    where bytes > 0 && !timed.contains(id) {
      nodes.append(
        ChainProfile.Node(
          id: id, unit: "", nanosecondsPerFrame: 0, share: 0, load: load, memory: bytes))
    }
    return nodes
  }

  private func scaling(
    _ summary: RenderSummary, threads: Int, _ costs: [String: Double], whole: Double
  ) throws(ChainFailure) -> ChainProfile.Scaling {
    var live = base
    live.threads = threads
    live.nodeCosts = costs
    let plan = try RenderJob(chain, live).compiled.plan
    // The tasks' costs do not include sums and delays.
    let saving = plan.blockSaving(threads: threads, frames: summary.blockSize)
    let times = summary.threadTimes
    let elapsed = max(summary.elapsedSeconds, 1e-9)
    return ChainProfile.Scaling(
      threads: threads, seconds: summary.elapsedSeconds,
      periodShare: (whole - saving) * 1e-9 * summary.sampleRate,
      liveTaskCount: saving > 0 ? plan.tasks.count : 1,
      activities: [
        ChainProfile.Activity(
          kind: .reading, processorSeconds: times.reading, busy: min(times.reading / elapsed, 1)),
        ChainProfile.Activity(
          kind: .rendering, processorSeconds: times.rendering.reduce(0, +),
          busy: min((times.rendering.max() ?? 0) / elapsed, 1)),
      ])
  }
}

extension CompiledChain {
  /// The memory in bytes: in total, and of each node by name.
  fileprivate var memoryByNode: (total: Int, nodes: [String: Int]) {
    guard let memory else { return (0, [:]) }
    let ids = resolved.graph.nodes.map(\.id)
    return (
      memory.total, Dictionary(zip(ids, memory.nodes)) { first, _ in first }
    )
  }
}
