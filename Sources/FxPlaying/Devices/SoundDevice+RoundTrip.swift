import CALSA
import CRealtime
import FxAudio
import Glibc

/// Measures the round trip before anything is played, and keeps it the same after every start.
extension SoundDevice {
  /// Runs both ends in silence for a moment, to find the delays that their drivers report beyond
  /// their buffers. Returns the frames from the recorded to the played signal; nil unless it does
  /// both.
  ///
  /// On the thread that opened it, before the render thread starts. An error is ignored here; it
  /// occurs again when the performance starts.
  package func fixRoundTrip() -> Int? {
    guard clocks == nil, !hidesRoundTrip, state.pointee.playback != nil,
      state.pointee.capture != nil
    else {
      return roundTripFrameCount
    }
    let before = state.pointee
    state.pointee.alignsEnds = true
    var code = startAnew()
    if code >= 0, isLinked { code = settle() }
    let frames = roundTripFrameCount
    for end in [state.pointee.playback, state.pointee.capture] { end?.stop() }
    state.pointee = before
    state.pointee.alignsEnds = true
    return frames
  }

  /// Runs both ends in silence to measure the offset between them, and drops the frames by which
  /// the recording end is ahead. Returns a code.
  func settle() -> Int32 {
    guard let playback = state.pointee.playback, let capture = state.pointee.capture else {
      return 0
    }
    state.pointee.hasWaited = true
    let period = capture.agreement.periodFrameCount
    let dropped = PlanarBuffer(channelCount: 1, frameCount: period)
    let length = min(max(SoundDevice.settlingTime, 4 * Double(period) / sampleRate), 0.25)
    let start = fx_monotonic_seconds()
    while fx_monotonic_seconds() - start < length {
      let ready = capture.available()
      if ready < 0 { return Int32(clamping: ready) }
      if ready >= period {
        let count = capture.get(into: dropped.channels, width: 1, offset: 0, frameCount: period)
        if count < 0 { return Int32(clamping: count) }
        state.pointee.recordedSinceStart += count
        let code = put(silence: count, playback)
        if code < 0 { return code }
      }
      state.pointee.lookCount = 0
      look()
      pause(300)
    }
    guard !isLinked, state.pointee.lead > .min, state.pointee.lead < 0 else { return 0 }
    // Not counted as recorded, so that both ends count from the same frame.
    var left = -state.pointee.lead
    let limit = start + 1
    while left > 0 {
      let ready = capture.available()
      if ready < 0 { return Int32(clamping: ready) }
      guard fx_monotonic_seconds() < limit else { return -ETIME }
      let count = capture.get(
        into: dropped.channels, width: 1, offset: 0, frameCount: min(left, max(ready, 0), period))
      if count < 0 { return Int32(clamping: count) }
      left -= count
      if count == 0 { pause(300) }
    }
    state.pointee.lead = 0
    return 0
  }

  /// In seconds.
  private static let settlingTime = 0.03

  /// Writes silence; waits up to half a second for room. Returns a code.
  func put(silence count: Int, _ playback: ALSAStream) -> Int32 {
    playback.stageSilence()
    var left = count
    let limit = fx_monotonic_seconds() + 0.5
    while left > 0 {
      let done = playback.put(
        from: 0, frameCount: min(left, playback.agreement.periodFrameCount))
      if done < 0 { return Int32(clamping: done) }
      guard done > 0 || playback.state == SND_PCM_STATE_RUNNING && fx_monotonic_seconds() < limit
      else { return -EIO }
      left -= done
      state.pointee.playedSinceStart += done
      if done == 0 { pause(300) }
    }
    return 0
  }
}
