import CALSA
import CRealtime
package import FxAudio
import Glibc

/// Plays to the end, and describes how a performance ended.
extension SoundDevice {
  /// Plays all written frames to the end, which takes at most a little longer than their duration,
  /// and stops recording. False when the device fails meanwhile. That does not count as a loss of
  /// the device, as it has received all frames.
  package func drain() -> Bool {
    state.pointee.isDraining = true
    if let capture = state.pointee.capture {
      // Stopping one linked end stops both.
      if isLinked { capture.unlink() }
      capture.stop()
    }
    guard let stream = state.pointee.playback else { return playback == nil }
    if stream.state == SND_PCM_STATE_XRUN { return true }
    let period = stream.agreement.periodFrameCount
    // Completes the last period, and adds a period of silence, which plays until the stop.
    stream.stageSilence()
    let rest = (period - state.pointee.playedCount % period) % period
    let played = state.pointee.playedCount
    defer { state.pointee.playedCount = played }
    guard putSilence(stream, rest), putSilence(stream, period) else { return false }
    if stream.state == SND_PCM_STATE_PREPARED { _ = stream.start() }
    let queued = Double(max(stream.delay, stream.agreement.bufferFrameCount))
    let deadline = fx_monotonic_seconds() + min(queued / sampleRate, 10) + 0.25
    let pause = UInt32(max(500, min(Double(period) / sampleRate * 5e5, 20000)))
    defer { stream.stop() }
    while fx_monotonic_seconds() < deadline {
      let available = stream.available()
      if available < 0 {
        // An underrun is the expected end.
        if available == -EPIPE { return true }
        state.pointee.lossCode = Int32(clamping: available)
        return available == -EBADFD && stream.state != SND_PCM_STATE_DISCONNECTED
      }
      if stream.state == SND_PCM_STATE_DISCONNECTED {
        state.pointee.lossCode = -ENODEV
        return false
      }
      if available >= stream.agreement.bufferFrameCount, stream.delay <= 0 { break }
      usleep(pause)
    }
    return true
  }

  private func putSilence(_ stream: ALSAStream, _ frameCount: Int) -> Bool {
    switch put(stream, frameCount) {
    case .lost: false
    case .done, .restarted: true
    }
  }

  /// The reason why it ended, after `start`, `read`, `write` or `drain` has returned false.
  package var loss: Failure {
    let end = state.pointee.lossDirection
    let name = (end == .capture ? request.capture?.name : request.playback?.name) ?? name
    return Failure(
      .deviceLost, name,
      "the sound device '\(name)' is lost: \(SoundDevice.reason(state.pointee.lossCode, end)); "
        + "start again, or write a file with -o")
  }

  /// The warning for a device that failed after it had received every frame. `isHanging`: a call to
  /// it has not returned.
  func endingWarning(isHanging: Bool) -> String {
    let reason =
      isHanging
      ? "its driver or server does not answer"
      : SoundDevice.reason(state.pointee.lossCode, state.pointee.lossDirection)
    return
      "the sound device '\(name)' failed at the very end; the last part of the sound may be "
      + "missing: \(reason)"
  }

  /// The error for a call to the device that never returned.
  package var hang: Failure {
    Failure(
      .deviceLost, name,
      "the sound device '\(name)' hangs: its driver or server does not answer; "
        + "start again, or write a file with -o")
  }

  /// The meaning of an alsa-lib code for a device that was in use.
  package static func reason(_ code: Int32, _ direction: DeviceDirection) -> String {
    switch code {
    case -ETIME where direction == .capture: "it has given no sound for two seconds"
    case -ETIME: "it has taken no sound for two seconds"
    case -EPIPE: "it reports one xrun after another without playing"
    case -ENODEV, -EBADFD: "it was unplugged or its server has ended"
    case -EIO: "it reports an input/output error; it may have been unplugged"
    case -EPROTO: "its driver returns impossible numbers"
    default: ALSALibrary.message(code)
    }
  }
}
