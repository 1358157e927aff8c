import FxAudio
import FxEngine
import FxMedia

/// The report of a finished playback.
extension LiveDriver {
  /// Completes files and figures. If a file failed during playback, the error is thrown here.
  func complete(_ report: inout RenderSummary) throws(Failure) {
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
    report.mainFrames = outputStage.mainFrameCount ?? figures.renderedFrameCount
    report.tailFrames = max(outputStage.outputFrameCount - report.mainFrames, 0)
    report.tailWasCut = outputStage.tailWasCut
    report.renderedFrames = figures.renderedFrameCount
    report.pageFaults = measures.report.pageFaultCount
    report.outputs = destinations.enumerated().map { index, destination in
      RenderSummary.Output(
        sinkNames[index] ?? "null",
        destination.feed?.statistics
          ?? destination.following?.device.report.statistics
          ?? (index == deviceSink ? played.statistics : SinkStatistics(channelCount: 0)),
        channels: program.sinkWidths[places[index]],
        latency: destination.feed == nil ? 0 : latencies[index], partialPath: partials[index],
        overrunFrames: destination.feed?.overrunFrameCount ?? 0,
        gaps: destination.feed?.gaps ?? [], takes: destination.feed?.recording?.takes)
    }
    let agreement = device.playback ?? device.capture
    let blockSeconds = Double(program.maximumFrameCount) / program.sampleRate
    let use = measures.report
    report.live = RenderSummary.Live(
      device: device.name, playback: device.playback.map(RenderSummary.DeviceSettings.init),
      captureDevice: device.request.capture?.name,
      capture: device.capture.map(RenderSummary.DeviceSettings.init),
      differences: device.differences,
      roundTripFrames: device.roundTripFrameCount.flatMap { frames in
        deviceSink.map { frames + latencies[$0] }
      },
      removedRoundTripFrames: program.plan.sinks.map(\.lateness).max().flatMap {
        $0 > 0 ? $0 : nil
      },
      driftPartsPerMillion: device.driftPartsPerMillion,
      xruns: played.xrunCount + played.captureXrunCount, captureXruns: played.captureXrunCount,
      ownXruns: played.ownXrunCount, changeXruns: played.changeXrunCount,
      latestWakeupSeconds: played.latestWakeup, gaps: played.gapCount,
      suspensions: played.suspendCount, returns: played.returnCount,
      starvedFrames: figures.starvedFrameCount, periodFrames: agreement?.periodFrameCount ?? 0,
      bufferFrames: agreement?.bufferFrameCount ?? 0,
      meanBlockSeconds: figures.totalBlockTime / Double(max(figures.blockCount, 1)),
      maximumBlockSeconds: figures.maximumBlockTime, blockSeconds: blockSeconds,
      blockTimes: BlockLoad(measures.blockTimes.summary, blockSeconds: blockSeconds),
      voluntarySwitches: use.voluntarySwitchCount, involuntarySwitches: use.involuntarySwitchCount,
      otherWaits: use.otherWaitCount, following: following.devices.compactMap(Self.report))
  }

  private static func report(_ following: FollowingDevice) -> RenderSummary.FollowingDevice? {
    let report = following.device.report
    return (following.device.playback ?? following.device.capture).map { agreement in
      RenderSummary.FollowingDevice(
        device: following.name, isRecording: following.direction == .capture,
        settings: RenderSummary.DeviceSettings(agreement),
        driftPartsPerMillion: following.driftPartsPerMillion, latencySeconds: following.latency,
        xruns: report.xrunCount + report.captureXrunCount,
        gaps: report.gapCount + following.gapCount, suspensions: report.suspendCount,
        returns: report.returnCount)
    }
  }
}
