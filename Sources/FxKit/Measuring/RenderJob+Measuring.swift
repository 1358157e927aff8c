import FxAudio
import FxChain
import FxEngine
import FxMedia
import FxPlaying

/// Measuring passes before the render: the part of the chain before the measuring nodes is rendered
/// only for them.
///
/// Nodes that depend on one another are measured one after another. Results are cached by a digest
/// of everything that they depend on.
extension RenderJob {
  /// The results of measurements, by node of the plan.
  typealias Measurements = [Int: [Double]]

  /// The job with its units made, and the results of its measuring passes.
  ///
  /// A stop ends a pass; the render that follows then ends before its first frame.
  func measured(
    _ stop: StopSignal, _ progress: ((RenderingProgress) -> Void)?
  ) throws(ChainFailure) -> (job: RenderJob, found: Measurements) {
    var open = Set(measuringNodes.keys)
    guard !open.isEmpty else { return (self, [:]) }
    let graph = compiled.resolved.graph
    var cache = MeasurementCache()
    var found: Measurements = [:]
    while !open.isEmpty, !stop.isStopped {
      let ready = open.filter { node in
        graph.nodes(leadingTo: [node]).isDisjoint(with: open.subtracting([node]))
      }
      let keys = keys(of: ready)
      let known = keys.compactMapValues { cache.values(of: $0) }
      if known.count == ready.count {
        found.merge(known) { $1 }
      } else {
        let analyzers = analyzers(of: ready)
        var isWhole = try pass(to: analyzers, knowing: found, stop, progress)
        while isWhole, !stop.isStopped, analyzers.values.contains(where: \.needsAnotherPass) {
          let unfinished = analyzers.filter { $0.value.needsAnotherPass }
          unfinished.values.forEach { $0.beginPass() }
          isWhole = try pass(to: unfinished, knowing: found, stop, progress)
        }
        let measured = analyzers.mapValues(\.result)
        found.merge(measured) { $1 }
        if isWhole {
          for (node, key) in keys {
            if let values = measured[node] { cache.keep(values, of: key) }
          }
        }
      }
      open.subtract(ready)
      guard !ready.isEmpty else { break }
    }
    cache.write()
    try sources.rewind()
    return (try job(knowing: found) { _ in }, found)
  }

  /// The job with its graph changed and its units made.
  private func job(
    knowing found: Measurements, change: @escaping @Sendable (inout Graph) -> Void
  ) throws(ChainFailure) -> RenderJob {
    var settings = compiled.settings
    let first = settings.change
    settings.change = { graph in
      first?(&graph)
      change(&graph)
    }
    settings.measured = found
    return with(try read.builder.outline(settings).completed())
  }

  /// The analyzers for the inputs of some nodes.
  private func analyzers(of nodes: Set<Int>) -> [Int: any Analyzer] {
    nodes.reduce(into: [:]) { analyzers, node in
      analyzers[node] =
        compiled.analyzer(ofNode: node)
        ?? PeakAnalyzer(channelCount: compiled.resolved.inputWidths[node].first ?? 0)
    }
  }

  /// Renders the part of the chain before some nodes into their analyzers. False if it was stopped.
  private func pass(
    to analyzers: [Int: any Analyzer], knowing found: Measurements, _ stop: StopSignal,
    _ progress: ((RenderingProgress) -> Void)?
  ) throws(ChainFailure) -> Bool {
    let targets = Set(analyzers.keys)
    try sources.rewind()
    let job = try job(knowing: found) { $0 = $0.cut(at: targets) }
    let pass = job.compiled
    let feeds = try job.feeds()
    var options = try job.options()
    options.acceptsFailedSources = true
    let changes = try job.replayedChanges()
    stop.hear()
    let report: RenderSummary
    let rate = pass.sampleRate
    do throws(Failure) {
      var sinks: [SinkFeed] = []
      for (index, port) in pass.plan.sinks.enumerated() {
        let format = StreamFormat(sampleRate: rate, channelCount: port.buffers.count)
        var sink: any AudioSink = NullSink(format: format)
        if let analyzer = analyzers[port.node] {
          let name = pass.resolved.graph.nodes[port.node].id
          sink = job.levelled(AnalysisSink(name: name, format: format, analyzer), index)
        }
        sinks.append(try SinkFeed(sink, blockFrameCount: pass.renderSize, isLive: false))
      }
      let driver = try OfflineDriver(
        pass.program(startFrame: job.startFrame, isInteractive: request.replay != nil),
        sources: feeds.compactMap { $0 }, sinks: sinks, options: options, changes: changes,
        transport: job.replayedTransport)
      report = try driver.run(stop: stop) {
        var measuring = $0
        measuring.isMeasuring = true
        progress?(measuring)
      }
    } catch {
      throw ChainFailure(error, kind(of: error, feeds))
    }
    if let fault = report.fault {
      throw ChainFailure(fault)
    }
    return !report.wasStopped
  }
}
