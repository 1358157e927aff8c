import CRealtime
import FxAudio
import FxChain
import FxDevices
import FxEngine
import FxGraph
import FxPlaying

/// Shows how a performance stands, again and again.
public final class LiveMetering {
  /// Seconds between two snapshots; a tenth at least.
  public let interval: Double
  private let show: (LiveSnapshot) -> Void
  private var nextAt = 0.0

  /// `show` is called on the thread that plays the chain, which may take its time: the sound does not
  /// wait for it.
  public init(interval: Double = 0.1, show: @escaping (LiveSnapshot) -> Void) {
    self.interval = interval
    self.show = show
  }

  /// Called more often than it is due.
  package func look(at session: LiveSession) {
    let now = session.watch.elapsedSeconds
    // Who looks ten times a second is not to miss every second look.
    guard now >= nextAt - 0.02 else { return }
    nextAt = max(nextAt + interval, now)
    show(session.snapshot())
  }
}

/// What is known of a performance beside its driver.
struct LiveWatch {
  var observer = LiveObserver()
  var isWaiting = false
  var ownXruns = 0
  /// Seconds of the file that were left out.
  var fileStart = 0.0
  /// Also of programs that take over.
  var wantsNodeLevels = false
  private let startSeconds = fx_monotonic_seconds()

  var elapsedSeconds: Double { fx_monotonic_seconds() - startSeconds }

  /// Hears of the device.
  mutating func hear(_ event: DeviceEvent, count: Int) {
    switch event {
    case .lost: isWaiting = true
    case .returned: isWaiting = false
    case .xrun(_, let cause): if cause != .system { ownXruns += count }
    case .gap, .suspended, .restarted, .unusable: break
    }
  }
}

extension LiveSession {
  /// How the performance stands now.
  func snapshot() -> LiveSnapshot {
    let now = driver.now
    let device = driver.device
    let agreement = device.playback ?? device.capture
    var snapshot = LiveSnapshot()
    snapshot.state = watch.isWaiting ? .waiting : .playing
    snapshot.chain = live.built.name ?? reload.chain.path
    snapshot.device = device.name
    let capture = device.request.capture?.name
    snapshot.captureDevice = capture == device.name ? nil : capture
    snapshot.periodFrames = agreement?.periodFrameCount ?? 0
    snapshot.bufferFrames = agreement?.bufferFrameCount ?? 0
    driver.program.measureNodeLevels(watch.wantsNodeLevels)
    watch.observer.observe(driver.program, of: live, into: &snapshot)
    snapshot.elapsedSeconds = watch.elapsedSeconds
    let rate = max(live.sampleRate, 1)
    let start = watch.fileStart
    snapshot.positionSeconds = start + Double(now.frameCount) / rate
    snapshot.lengthSeconds = now.total.map { start + Double($0) / rate }
    snapshot.roundTripFrames = now.roundTripFrameCount
    snapshot.sources = streams(
      live.plan.sources, driver.sourceIndices, driver.sourceNames, now.sources)
    snapshot.sinks = streams(live.plan.sinks, driver.sinkIndices, driver.sinkNames, now.sinks)
    snapshot.counts.xruns = now.xrunCount
    snapshot.counts.ownXruns = min(watch.ownXruns, now.xrunCount)
    snapshot.counts.gaps = now.gapCount
    snapshot.counts.suspensions = now.suspendCount
    snapshot.counts.returns = now.returnCount
    snapshot.counts.lostFrames = now.overrunFrameCount
    return snapshot
  }

  private func streams(
    _ ports: [RenderPlan.Port], _ indices: [Int], _ places: [String?],
    _ levels: [[LevelBoard.Level]]
  ) -> [LiveSnapshot.Stream] {
    zip(zip(indices, places), levels).compactMap { place, levels in
      guard ports.indices.contains(place.0) else { return nil }
      return LiveSnapshot.Stream(
        name: live.resolved.graph.nodes[ports[place.0].node].id, place: place.1,
        channels: levels.map { LiveSnapshot.Level($0) })
    }
  }
}
