import CALSA
import CRealtime
import Synchronization

/// Measures how long the ends are not serviced, and finds the cause.
extension SoundDevice {
  /// True while fxrun changes the chain: it counts as the cause of xruns in this time. On the
  /// control thread.
  package var isChangingChain: Bool {
    get { Double(bitPattern: changingUntil.load(ordering: .relaxed)) == .infinity }
    set {
      guard newValue != isChangingChain else { return }
      let until = newValue ? .infinity : fx_monotonic_seconds()
      changingUntil.store(until.bitPattern, ordering: .relaxed)
    }
  }

  // MARK: - Render thread

  /// Reports a gap when a running end was serviced later than its buffer lasts. Call this before
  /// the next service, if the end has reported no xrun.
  func noteGap(_ stream: ALSAStream) {
    let late = service(stream.direction).pointee.lateness(at: fx_monotonic_seconds())
    guard late > 0, state.pointee.hasWaited, !state.pointee.isDraining,
      stream.state == SND_PCM_STATE_RUNNING
    else { return }
    let cause = lateCause(stream.direction)
    state.pointee.gapCount += 1
    events.push(.gap(stream.direction, cause, milliseconds: Int((late * 1000).rounded(.up))))
    // Both ends wait for the same thread.
    resetService()
  }

  /// The longest wait in seconds, before the next block, that leaves half of the device's reserve; so
  /// fxrun causes no xrun by it. `initial` before the device runs.
  package func patience(initial: Double) -> Double {
    var reserve = Int.max
    for stream in [state.pointee.playback, state.pointee.capture] {
      guard let stream else { continue }
      guard stream.state == SND_PCM_STATE_RUNNING else { return initial }
      let room = stream.available()
      reserve = min(reserve, room < 0 ? 0 : stream.agreement.bufferFrameCount - room)
    }
    return reserve == .max ? initial : Double(max(reserve, 0)) / sampleRate / 2
  }

  /// Records how long fxrun waited for its sources before a block, to find the cause of an xrun.
  package func note(waitedForSources seconds: Double, frameCount: Int) {
    state.pointee.waitedForSource = seconds * sampleRate > Double(frameCount) / 4
  }

  /// Records the time of a service, and how many more frames could have been transferred.
  func noteService(_ stream: ALSAStream, left: Int) {
    let agreement = stream.agreement
    service(stream.direction).pointee.serve(
      at: fx_monotonic_seconds(), reserve: agreement.bufferFrameCount - left,
      period: agreement.periodFrameCount, sampleRate: sampleRate)
  }

  /// Forgets the last service of both ends.
  func resetService() {
    services[0].reset()
    services[1].reset()
  }

  /// The reason why an end was serviced too late.
  func lateCause(_ direction: DeviceDirection) -> LateCause {
    if state.pointee.wasLate { return .slowChain }
    if state.pointee.waitedForSource { return .lateSource }
    let changed = Double(bitPattern: changingUntil.load(ordering: .relaxed))
    let served = service(direction).pointee.servedAt
    return changed == .infinity || served > 0 && changed >= served ? .chainChange : .system
  }

  private func service(_ direction: DeviceDirection) -> UnsafeMutablePointer<ServiceWatch> {
    direction == .capture ? services + 1 : services
  }
}
