import FxAudio
import FxEngine
import FxMedia

/// The report of a finished playback.
extension LiveDriver {
  /// Completes files and figures. If a file failed during playback, the error is thrown here.
  func complete(
    _ report: inout RenderReport, isRealtime: Bool
  ) throws(Failure) {
    let sourceFailure = report.wasStopped ? nil : sourceFailure
    for feed in sources.feeds { feed.stop() }
    report.warnings += sources.warnings
    var partials: [String?] = destinations.map { _ in nil }
    if let sourceFailure {
      let kept = abandon(keepingPartial: true).compactMap { $0 }
      throw sourceFailure.keeping(
        kept, frameCount: outputStage.mainFrameCount ?? figures.renderedFrameCount,
        sampleRate: program.sampleRate)
    }
    var failure: Failure?
    if report.wasStopped, expectedFrameCount != nil {
      partials = abandon(keepingPartial: true)
    } else {
      for destination in destinations {
        guard let feed = destination.feed else { continue }
        do throws(Failure) {
          try feed.finish()
        } catch {
          failure = failure ?? error
        }
      }
    }
    if let failure { throw failure }
    let played = device.report
    let places = program.view.sinkIndices
    let latencies = destinations.indices.map { program.sinkLatencies[places[$0]] }
    report.sampleRate = program.sampleRate
    report.mainFrameCount = outputStage.mainFrameCount ?? figures.renderedFrameCount
    report.tailFrameCount = max(outputStage.outputFrameCount - report.mainFrameCount, 0)
    report.tailWasCut = outputStage.tailWasCut
    report.renderedFrameCount = figures.renderedFrameCount
    report.pageFaultCount = measures.report.pageFaultCount
    report.sinks = destinations.enumerated().map { index, destination in
      RenderReport.Sink(
        name: sinkNames[index] ?? "null",
        statistics: destination.feed?.statistics
          ?? destination.following?.device.report.statistics
          ?? (index == deviceSink ? played.statistics : SinkStatistics(channelCount: 0)),
        latency: destination.feed == nil ? 0 : latencies[index], partialPath: partials[index],
        overrunFrameCount: destination.feed?.overrunFrameCount ?? 0,
        gaps: destination.feed?.gaps ?? [], takes: destination.feed?.recording?.takes)
    }
    let blocks = max(figures.blockCount, 1)
    report.live = RenderReport.Live(
      device: device.name, playback: device.playback, captureDevice: device.request.capture?.name,
      capture: device.capture, differences: device.differences,
      roundTripFrameCount: device.roundTripFrameCount.flatMap { frames in
        deviceSink.map { frames + latencies[$0] }
      },
      removedRoundTripFrameCount: program.plan.sinks.map(\.lateness).max().flatMap {
        $0 > 0 ? $0 : nil
      },
      driftPartsPerMillion: device.driftPartsPerMillion, xrunCount: played.xrunCount,
      captureXrunCount: played.captureXrunCount, ownXrunCount: played.ownXrunCount,
      changeXrunCount: played.changeXrunCount, gapCount: played.gapCount,
      latestWakeup: played.latestWakeup, suspendCount: played.suspendCount,
      returnCount: played.returnCount,
      starvedFrameCount: figures.starvedFrameCount,
      meanBlockTime: figures.totalBlockTime / Double(blocks),
      maximumBlockTime: figures.maximumBlockTime, blockTimes: measures.blockTimes.summary,
      threadUse: measures.report,
      blockDuration: Double(program.maximumFrameCount) / program.sampleRate,
      isRealtime: isRealtime, following: following.devices.compactMap(Self.report))
  }

  private static func report(_ following: FollowingDevice) -> RenderReport.Following? {
    let report = following.device.report
    return (following.device.playback ?? following.device.capture).map { agreement in
      RenderReport.Following(
        name: following.name, direction: following.direction, agreement: agreement,
        driftPartsPerMillion: following.driftPartsPerMillion, latency: following.latency,
        xrunCount: report.xrunCount + report.captureXrunCount,
        gapCount: report.gapCount + following.gapCount, suspendCount: report.suspendCount,
        returnCount: report.returnCount)
    }
  }
}
