package import FxEngine
import Synchronization

/// The state of playback, readable while it runs. On the control thread; the render thread is not
/// disturbed.
extension LiveDriver {
  package struct Now: Sendable, Hashable {
    /// Frames rendered.
    package let frameCount: Int
    /// Frames of the sound without its tail; nil if it has no end of its own.
    package let total: Int?
    /// One level for each channel, by source and by sink.
    package let sources: [[LevelBoard.Level]]
    package let sinks: [[LevelBoard.Level]]
    /// Frames from the recording input to the playback output, the chain's latency included.
    package let roundTripFrameCount: Int?
    package let xrunCount: Int
    /// How often the device was served too late for its buffer but reported no xrun.
    package let gapCount: Int
    package let suspendCount: Int
    package let returnCount: Int
    /// Frames that files lost because the disk was too slow.
    package let overrunFrameCount: Int
  }

  /// The file or the device of each source and sink; nil for silence and for discarded output.
  package var sourceNames: [String?] {
    sources.feedOfSource.enumerated().map { index, feed in
      feed?.name ?? recorders.first { $0.sources.contains(index) }?.device.name
        ?? device.request.capture?.name
    }
  }
  package var sinkNames: [String?] {
    destinations.enumerated().map { index, destination in
      destination.feed?.name ?? destination.following?.name
        ?? (index == deviceSink ? device.name : nil)
    }
  }

  /// The playing program's index of each source and sink.
  package var sourceIndices: [Int] {
    let view = program.view
    return (0..<view.sourceCount).map { view.sourceIndices[$0] }
  }
  package var sinkIndices: [Int] {
    let view = program.view
    return (0..<view.sinkCount).map { view.sinkIndices[$0] }
  }

  package var now: Now {
    let latencies = program.sinkLatencies
    let places = sinkIndices
    let counts = following.devices.reduce(into: device.counts) { counts, other in
      let more = other.device.counts
      counts.xruns &+= more.xruns
      counts.gaps &+= more.gaps &+ other.gapCount
      counts.suspends &+= more.suspends
      counts.returns &+= more.returns
    }
    return Now(
      frameCount: framesDone.load(ordering: .relaxed), total: expectedFrameCount,
      sources: levels.sourceLevels, sinks: levels.sinkLevels,
      roundTripFrameCount: device.roundTripFrameCount.flatMap { frames in
        deviceSink.map { frames + latencies[places[$0]] }
      },
      xrunCount: counts.xruns, gapCount: counts.gaps, suspendCount: counts.suspends,
      returnCount: counts.returns,
      overrunFrameCount: destinations.reduce(0) { $0 + ($1.feed?.overrunFrameCount ?? 0) })
  }
}
