import FxDevices
package import FxEngine
import Synchronization

/// What can be asked of a performance while it goes on. On the control thread; the render thread is
/// not disturbed.
extension LiveDriver {
  package struct Now: Sendable, Hashable {
    /// Frames rendered.
    package let frameCount: Int
    /// Frames of the sound without its tail; nil for what has no end of its own.
    package let total: Int?
    /// By source and by sink, a level a channel.
    package let sources: [[LevelBoard.Level]]
    package let sinks: [[LevelBoard.Level]]
    /// Frames from what is recorded to what is heard of it, the chain's latency included.
    package let roundTripFrameCount: Int?
    package let xrunCount: Int
    /// Times that the device was served later than its buffer lasts, and reported no xrun.
    package let gapCount: Int
    package let suspendCount: Int
    package let returnCount: Int
    /// Frames that files could not keep up with.
    package let overrunFrameCount: Int
  }

  /// The file or the device behind each source and sink; nil for silence and what is discarded.
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

  /// By source and sink, the playing program's number of it.
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
