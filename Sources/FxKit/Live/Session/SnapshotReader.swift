import CRealtime
import FxAudio
import FxChain
import FxEngine
import FxPlaying

/// Takes snapshots of a performance at regular intervals.
public final class LiveMetering {
  /// Seconds between two snapshots, at least 0.1.
  public let interval: Double
  private let show: (LiveSnapshot) -> Void
  private var nextAt = 0.0

  /// `show` is called on the thread that called `play`. It may take long: the render thread does
  /// not wait for it.
  public init(interval: Double = 0.1, show: @escaping (LiveSnapshot) -> Void) {
    self.interval = interval
    self.show = show
  }

  /// Shows a snapshot if the interval is over. Called more often than that.
  package func look(at session: LiveSession) {
    let now = session.snapshots.elapsedSeconds
    // The tolerance keeps an interval of 0.1 s from missing every second poll.
    guard now >= nextAt - 0.02 else { return }
    nextAt = max(nextAt + interval, now)
    show(session.snapshots.snapshot())
  }
}

/// Reads the state of a performance from its driver, its program and its device events.
final class SnapshotReader {
  private let playing: PlayingChain
  private let driver: LiveDriver
  /// Seconds skipped at the start of the file.
  private let fileStart: Double
  private let startSeconds = fx_monotonic_seconds()
  private var observer = LiveObserver()
  private var isWaiting = false
  private var ownXruns = 0
  /// Applies to later programs too.
  private var wantsNodeLevels = false

  init(_ playing: PlayingChain, _ driver: LiveDriver, fileStart: Double) {
    self.playing = playing
    self.driver = driver
    self.fileStart = fileStart
  }

  var elapsedSeconds: Double { fx_monotonic_seconds() - startSeconds }

  /// Records a device event. The performance waits only for the main device.
  func receive(_ event: DeviceEvent, count: Int, fromMain isMain: Bool) {
    switch event {
    case .lost: isWaiting = isWaiting || isMain
    case .returned: isWaiting = isWaiting && !isMain
    case .xrun(_, let cause): if cause != .system { ownXruns += count }
    case .gap, .suspended, .restarted, .unusable: break
    }
  }

  func measureNodeLevels(_ isWanted: Bool) {
    wantsNodeLevels = isWanted
    driver.program.measureNodeLevels(isWanted)
  }

  /// The state of the performance now.
  func snapshot() -> LiveSnapshot {
    let live = playing.compiled
    let now = driver.now
    let device = driver.device
    let agreement = device.playback ?? device.capture
    var snapshot = LiveSnapshot()
    snapshot.state = isWaiting ? .waiting : .playing
    snapshot.chain = live.built.name ?? playing.chain.path
    snapshot.device = device.name
    let capture = device.request.capture?.name
    snapshot.captureDevice = capture == device.name ? nil : capture
    snapshot.periodFrames = agreement?.periodFrameCount ?? 0
    snapshot.bufferFrames = agreement?.bufferFrameCount ?? 0
    driver.program.measureNodeLevels(wantsNodeLevels)
    observer.observe(driver.program, of: live, into: &snapshot)
    snapshot.elapsedSeconds = elapsedSeconds
    let rate = max(live.sampleRate, 1)
    snapshot.positionSeconds = fileStart + Double(now.frameCount) / rate
    let time = driver.program.musicalClock.now
    if time.isKnown {
      snapshot.tempo = time.tempo
      snapshot.bar = time.bar + 1
      snapshot.beat = time.beatInBar + 1
    }
    snapshot.lengthSeconds = now.total.map { fileStart + Double($0) / rate }
    snapshot.roundTripFrames = now.roundTripFrameCount
    snapshot.sources = streams(
      live.plan.sources, driver.sourceIndices, driver.sourceNames, now.sources)
    snapshot.sinks = streams(live.plan.sinks, driver.sinkIndices, driver.sinkNames, now.sinks)
    snapshot.counts.xruns = now.xrunCount
    snapshot.counts.ownXruns = min(ownXruns, now.xrunCount)
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
        name: playing.compiled.resolved.graph.nodes[ports[place.0].node].id, place: place.1,
        channels: levels.map { LiveSnapshot.Level($0) })
    }
  }
}
