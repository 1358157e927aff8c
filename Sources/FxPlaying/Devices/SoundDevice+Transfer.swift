import CALSA
import CRealtime
import FxAudio
import Glibc
import Synchronization

/// Transfers blocks to and from a device, on the render thread.
extension SoundDevice {
  // MARK: - Render thread
  // These call alsa-lib, which the realtime checker cannot inspect. So none of them is marked, and
  // the render itself never calls them.

  /// False for a device without a clock: it has moved more frames than it can hold without a wait
  /// or an xrun.
  package var isPaced: Bool {
    let now = state.pointee
    if now.hasWaited || now.xrunCount + now.captureXrunCount > 0 { return true }
    let held = (playback?.bufferFrameCount ?? 0) + (capture?.bufferFrameCount ?? 0)
    return max(now.playedCount, now.recordedCount) < held
  }

  /// Records how long the last block took, to find the cause of an xrun.
  package func note(blockTook seconds: Double, frameCount: Int) {
    state.pointee.wasLate = seconds * sampleRate > Double(frameCount)
  }

  /// Plays a block; waits for room, at most two seconds plus the buffer's duration. False when the
  /// device is lost. `soundFrame` is the position of its first frame in a file of the sound, for
  /// the dither; nil for the number of frames played so far.
  package func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int, soundFrame: Int? = nil
  ) -> Bool {
    measure(channels, frameCount)
    let first = soundFrame ?? state.pointee.playedCount
    var done = 0
    while done < frameCount {
      guard let stream = state.pointee.playback else { return false }
      let count = min(frameCount - done, stream.agreement.periodFrameCount)
      stream.stage(
        channels, width: format.channelCount, offset: done, frameCount: count,
        frame: first &+ done)
      switch put(stream, count) {
      case .done: done += count
      case .lost: return false
      case .restarted:
        // After a restart its buffer is already full; the rest would only add latency.
        if isDuplex { return true }
      }
    }
    return true
  }

  /// Records a block; waits for it, at most two seconds plus the buffer's duration. False when the
  /// device is lost.
  package func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, width: Int, frameCount: Int
  ) -> Bool {
    if let clocks {
      guard readInStep(clocks, into: channels, width: width, frameCount: frameCount) else {
        return false
      }
      fadeIn(channels, width, frameCount)
      return true
    }
    var done = 0
    var waitedSince = 0.0
    while done < frameCount {
      guard let stream = state.pointee.capture else { return false }
      let wanted = min(frameCount - done, stream.agreement.periodFrameCount)
      let ready = stream.available()
      var code = Int32(clamping: min(ready, 0))
      if ready >= wanted {
        noteGap(stream)
        let count = stream.get(
          into: channels, width: width, offset: done, frameCount: frameCount - done)
        code = Int32(clamping: min(count, 0))
        if count > 0 {
          noteService(stream, left: ready - count)
          done += count
          state.pointee.recordedCount += count
          state.pointee.recordedSinceStart += count
          waitedSince = 0
          continue
        }
      }
      if code == 0 { code = wait(stream, wanted - ready, &waitedSince) }
      guard code < 0 else { continue }
      guard recover(code, .capture) else { return false }
      waitedSince = 0
      // New frames are later than those already read; a block of both would shift all later ones.
      if isDuplex { done = 0 }
    }
    fadeIn(channels, width, frameCount)
    if isDuplex { look() }
    return true
  }

  private func measure(_ channels: UnsafePointer<UnsafePointer<Float>>, _ frameCount: Int) {
    for channel in 0..<format.channelCount {
      let level = BlockLevel(channels[channel], frameCount: frameCount)
      if level.peak > peaks[channel] { peaks[channel] = level.peak }
      state.pointee.clipped += level.clippedCount
      state.pointee.nonFinite += level.nonFiniteCount
    }
  }

  enum Progress { case done, restarted, lost }

  /// Writes the staged frames.
  func put(_ stream: ALSAStream, _ frameCount: Int) -> Progress {
    var done = 0
    var waitedSince = 0.0
    while done < frameCount {
      let wanted = frameCount - done
      let room = stream.available()
      var code = Int32(clamping: min(room, 0))
      // A device that does not run takes as many frames as it has room for.
      if room >= wanted || room > 0 && stream.state != SND_PCM_STATE_RUNNING {
        noteGap(stream)
        let count = stream.put(from: done, frameCount: wanted)
        code = Int32(clamping: min(count, 0))
        if count > 0 {
          noteService(stream, left: room - count)
          done += count
          state.pointee.playedCount += count
          state.pointee.playedSinceStart += count
          waitedSince = 0
          continue
        }
      }
      if code == 0 { code = wait(stream, wanted - room, &waitedSince) }
      guard code < 0 else { continue }
      let returns = state.pointee.returnCount
      guard recover(code, .playback) else { return .lost }
      waitedSince = 0
      // A reopened stream has its own staging buffer.
      if isDuplex || returns != state.pointee.returnCount { return .restarted }
    }
    return .done
  }

  /// Waits a while for `missing` more frames. Returns 0 to try again, or a code.
  func wait(_ stream: ALSAStream, _ missing: Int, _ since: inout Double) -> Int32 {
    state.pointee.hasWaited = true
    // Without a full buffer, playback does not start by itself.
    if !isDuplex, stream.state == SND_PCM_STATE_PREPARED {
      let code = stream.start()
      if code < 0 { return code }
    }
    let time = fx_monotonic_seconds()
    if missing > 0, since == 0 || state.pointee.due == 0 {
      state.pointee.due = time + Double(missing) / sampleRate
    }
    if since == 0 { since = time }
    let limit = 2 + Double(stream.agreement.bufferFrameCount) / sampleRate
    if isStopping.load(ordering: .relaxed), time - since > 0.5 { return -ECANCELED }
    guard time - since < limit else { return -ETIME }
    state.pointee.waitCount += 1
    let code = stream.wait(milliseconds: 100)
    if code != 0 { noteWakeup() }
    return min(code, 0)
  }

  /// Records how late this thread was woken.
  func noteWakeup() {
    guard state.pointee.due > 0 else { return }
    let late = fx_monotonic_seconds() - state.pointee.due
    if late > state.pointee.latestWakeup { state.pointee.latestWakeup = late }
    state.pointee.due = 0
  }

  /// Fades in the first hundredth of a second after a start.
  private func fadeIn(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ width: Int, _ frameCount: Int
  ) {
    let left = state.pointee.fadeIn
    guard left > 0 else { return }
    let length = fadeFrameCount
    for channel in 0..<width {
      for frame in 0..<min(frameCount, left) {
        channels[channel][frame] *= Float(length - left + frame) / Float(length)
      }
    }
    state.pointee.fadeIn = max(left - frameCount, 0)
  }

  var fadeFrameCount: Int { max(1, Int(clamping: sampleRate / 100)) }

  /// Measures the offset between the ends, and each end's delay beyond its buffer.
  ///
  /// Both positions belong to the same time, to a frame, only if the recording end has not moved in
  /// between. A move between reading a position and its delay lowers the delay of a playing end,
  /// and raises that of a recording one.
  func look() {
    // A device without a clock has no positions.
    guard state.pointee.hasWaited, state.pointee.lookCount < 64,
      let playback = state.pointee.playback,
      let capture = state.pointee.capture
    else { return }
    state.pointee.lookCount += 1
    let before = capture.available()
    let room = playback.available()
    guard before >= 0, room >= 0, capture.available() == before else { return }
    let queued = playback.agreement.bufferFrameCount - room
    let played = state.pointee.playedSinceStart - queued
    let recorded = state.pointee.recordedSinceStart + before
    state.pointee.lead = max(state.pointee.lead, played - recorded)
    state.pointee.playbackDelay = max(state.pointee.playbackDelay, playback.delay - queued)
    state.pointee.captureDelay = min(state.pointee.captureDelay, capture.delay - before)
  }
}
