import CALSA
import CRealtime
import FxAudio
import Glibc
import Synchronization

/// Starts a device: at the beginning, after an error, and after its return.
///
/// On the render thread, which has nothing to render without a device.
extension SoundDevice {
  /// Starts; a device that only plays starts by itself when its buffer is full.
  package func start() -> Bool {
    state.pointee.fadeIn = capture == nil ? 0 : fadeFrameCount
    guard capture != nil else { return true }
    let code = startAnew()
    return code >= 0 || recover(code, .capture)
  }

  /// Restarts: stops both ends, fills the playing one with silence, and starts both at the same
  /// frame, or as closely as possible. Returns a code.
  func startAnew() -> Int32 {
    let ends = [state.pointee.playback, state.pointee.capture].compactMap { $0 }
    state.pointee.restartCount += 1
    state.pointee.playedSinceStart = 0
    state.pointee.recordedSinceStart = 0
    state.pointee.lead = .min
    state.pointee.playbackDelay = 0
    state.pointee.captureDelay = .max
    state.pointee.lookCount = 0
    clocks?.correction.reset()
    if capture != nil { state.pointee.fadeIn = fadeFrameCount }
    for end in ends where end.state != SND_PCM_STATE_PREPARED { end.stop() }
    for end in ends {
      let code = end.prepare()
      if code < 0 { return code }
    }
    guard let capture = state.pointee.capture else { return 0 }
    if let playback = state.pointee.playback {
      let code = put(silence: SoundDevice.queuedFrameCount(playback.agreement), playback)
      if code < 0 { return code }
    }
    let code = capture.start()
    if code < 0 { return code }
    guard let playback = state.pointee.playback else { return 0 }
    if playback.state == SND_PCM_STATE_PREPARED {
      let code = playback.start()
      if code < 0 { return code }
    }
    return state.pointee.alignsEnds && !isLinked ? settle() : 0
  }

  /// Restarts the device after an error. False when it is lost for good.
  func recover(_ code: Int32, _ direction: DeviceDirection) -> Bool {
    let now = state.pointee
    let cause = lateCause(direction)
    resetService()
    let moved = now.playedCount + now.recordedCount
    let buffer = (playback?.bufferFrameCount ?? 0) + (capture?.bufferFrameCount ?? 0)
    if moved - now.framesAtRecovery > 4 * buffer { state.pointee.recoveries = 0 }
    state.pointee.framesAtRecovery = moved
    state.pointee.recoveries += 1
    // A dead server returns errors endlessly.
    guard state.pointee.recoveries <= 100 else { return lose(-EPIPE, direction) }
    // Without a pause, one short failure would use up all attempts.
    if state.pointee.recoveries > 10 { pause(10000) }
    switch code {
    case -EPIPE:
      if direction == .capture {
        state.pointee.captureXrunCount += 1
      } else {
        state.pointee.xrunCount += 1
      }
      if cause != .system { state.pointee.ownXrunCount += 1 }
      if cause == .chainChange { state.pointee.changeXrunCount += 1 }
      noteWakeup()
      events.push(.xrun(direction, cause))
      return restart(direction)
    case -ESTRPIPE:
      state.pointee.suspendCount += 1
      return resume(direction)
    case -EBADFD where stream(direction)?.state == SND_PCM_STATE_SETUP,
      -EBADFD where stream(direction)?.state == SND_PCM_STATE_PREPARED:
      return restart(direction)
    case -EIO, -ETIME, -EPROTO, -EBADFD:
      // Tries one restart. Filling the buffer again does not prove that the device runs.
      guard now.framesAtRestart < 0 || moved - now.framesAtRestart > buffer else {
        return lose(code, direction)
      }
      state.pointee.framesAtRestart = moved
      guard startAnew() >= 0 else { return lose(code, direction) }
      events.push(.restarted(direction, code: code))
      return true
    default:
      return lose(code, direction)
    }
  }

  func pause(_ microseconds: UInt32) {
    state.pointee.waitCount += 1
    usleep(microseconds)
  }

  private func stream(_ direction: DeviceDirection) -> ALSAStream? {
    direction == .capture ? state.pointee.capture : state.pointee.playback
  }

  private func restart(_ direction: DeviceDirection) -> Bool {
    var code = startAnew()
    // One end had an underrun while the other was prepared: try again.
    if code == -EPIPE { code = startAnew() }
    return code >= 0 || lose(code, direction)
  }

  /// Tries to resume for up to two seconds, then restarts. An ALSA plugin may report success
  /// although it is still suspended. So the state decides; after half a second of such reports, it
  /// restarts.
  private func resume(_ direction: DeviceDirection) -> Bool {
    guard let stream = stream(direction) else { return false }
    let start = fx_monotonic_seconds()
    var isResumed = false
    while fx_monotonic_seconds() - start < 2, !isStopping.load(ordering: .relaxed) {
      let code = stream.resume()
      isResumed = code == 0 && stream.state != SND_PCM_STATE_SUSPENDED
      if isResumed || code < 0 && code != -EAGAIN { break }
      if code == 0, fx_monotonic_seconds() - start > 0.5 { break }
      pause(5000)
    }
    // Two ends have lost their alignment.
    let isGoing = isResumed && !isDuplex || restart(direction)
    if isGoing { events.push(.suspended(seconds: fx_monotonic_seconds() - start)) }
    return isGoing
  }

  private func lose(_ code: Int32, _ direction: DeviceDirection) -> Bool {
    state.pointee.lossCode = code
    state.pointee.lossDirection = direction
    guard request.waitsForReturn, !state.pointee.isDraining,
      !isStopping.load(ordering: .relaxed)
    else { return false }
    events.push(.lost(direction, code: code))
    return reopen()
  }

  /// Waits until the device can be opened again. False when playing is stopped before that.
  private func reopen() -> Bool {
    let start = fx_monotonic_seconds()
    var refused: DeviceChange?
    closeEnds()
    while !isStopping.load(ordering: .relaxed) {
      attempts.add(1, ordering: .relaxed)
      switch openAgain() {
      case .absent: refused = nil
      case .unusable(let change):
        if change != refused { events.push(.unusable(change)) }
        refused = change
      case .opened(let ends, let change):
        state.pointee.playback = ends.playback
        state.pointee.capture = ends.capture
        if startAnew() >= 0 {
          state.pointee.returnCount += 1
          state.pointee.recoveries = 0
          let seconds = fx_monotonic_seconds() - start
          events.push(.returned(seconds: seconds, change: change))
          return true
        }
        closeEnds()
      }
      // In short steps, so that a stop is not delayed.
      for _ in 0..<(refused == nil ? 5 : 50) where !isStopping.load(ordering: .relaxed) {
        pause(20000)
      }
    }
    return false
  }

  private enum Reopening {
    case absent
    /// The device has changed, and cannot be converted.
    case unusable(DeviceChange)
    case opened(Ends, DeviceChange)
  }

  /// Opens the device with its old parameters. Where its rate or its channels have changed, alsa-lib
  /// converts them, so that the chain and its files keep theirs.
  private func openAgain() -> Reopening {
    let request = reopening
    var change = DeviceChange()
    do throws(Failure) {
      let ends = try SoundDevice.open(request)
      change = self.change(to: ends)
      if change == DeviceChange() { return .opened(ends, change) }
      ends.close()
    } catch {
      // It does not exist, or somebody else uses it.
      if error.absence != nil { return .absent }
      if let ends = try? SoundDevice.open(request.withAnyChannels) {
        change = self.change(to: ends)
        ends.close()
      }
    }
    guard let ends = try? SoundDevice.open(request.converted) else { return .unusable(change) }
    guard self.change(to: ends) == DeviceChange() else {
      ends.close()
      return .unusable(change)
    }
    return .opened(ends, change)
  }

  /// How opened ends differ from those at the first opening.
  private func change(to ends: Ends) -> DeviceChange {
    var change = DeviceChange()
    let agreement = (ends.playback ?? ends.capture)?.agreement
    if let agreement, agreement.sampleRate != sampleRate {
      change.sampleRate = agreement.sampleRate
    }
    // More channels than before stay silent.
    if let count = ends.playback?.agreement.channelCount, let playback,
      count < min(playback.channelCount, request.playback?.channelCount ?? 0)
    {
      change.channelCount = count
    }
    if let count = ends.capture?.agreement.channelCount, let capture,
      count < min(capture.channelCount, request.capture?.channelCount ?? 0)
    {
      change.recordedChannelCount = count
    }
    return change
  }

  /// The request for opening the device again: the parameters that it had.
  private var reopening: Request {
    var again = request
    again.sampleRate = sampleRate
    if let agreement = playback ?? capture { again.periodFrameCount = agreement.periodFrameCount }
    return again
  }
}

extension SoundDevice.Request {
  /// The same devices with alsa-lib's conversion.
  fileprivate var converted: Self {
    var request = self
    request.convertsRate = true
    request.playback?.name = Self.converted(playback?.name ?? "")
    request.capture?.name = Self.converted(capture?.name ?? "")
    return request
  }

  /// The same devices with the channels that they have.
  fileprivate var withAnyChannels: Self {
    var request = self
    request.acceptsFewerChannels = true
    return request
  }

  private static func converted(_ name: String) -> String {
    let quote = name.contains("'") ? "\"" : "'"
    return "plug:\(quote)\(name)\(quote)"
  }
}
