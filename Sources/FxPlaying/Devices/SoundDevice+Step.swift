import CALSA
import CRealtime
import FxAudio
import Glibc
import Synchronization

/// The drift correction and the buffers for two devices with two clocks.
final class TwoClocks {
  let correction: DriftCorrection
  /// Frames from the recording end, and frames for the chain.
  let taken: PlanarBuffer
  let given: PlanarBuffer

  /// nil without memory.
  init?(width: Int, capture: ALSAAgreement, blockFrameCount: Int) {
    guard
      let correction = DriftCorrection.make(
        width: width, from: capture.sampleRate, pushed: capture.periodFrameCount,
        to: capture.sampleRate, pulled: blockFrameCount)
    else { return nil }
    self.correction = correction
    taken = PlanarBuffer(channelCount: width, frameCount: capture.bufferFrameCount)
    given = PlanarBuffer(channelCount: width, frameCount: max(blockFrameCount, 8192))
  }

  deinit { correction.destroy() }
}

/// Records from one card in sync with another card that plays: the playing one sets the pace.
///
/// On the render thread.
extension SoundDevice {
  /// Waits until the playing end has room for a block, and returns a block of recorded frames,
  /// resampled to the playing clock. False when a device is lost.
  func readInStep(
    _ clocks: TwoClocks, into channels: UnsafePointer<UnsafeMutablePointer<Float>>, width: Int,
    frameCount: Int
  ) -> Bool {
    var waitedSince = 0.0
    var heardSince = fx_monotonic_seconds()
    while true {
      guard let playback = state.pointee.playback, let capture = state.pointee.capture else {
        return false
      }
      var failing = DeviceDirection.capture
      let count = take(capture, clocks)
      var code = Int32(clamping: min(count, 0))
      let now = fx_monotonic_seconds()
      if count > 0 { heardSince = now }
      if code == 0, now - heardSince > 2 { code = -ETIME }
      if code == 0 {
        failing = .playback
        let room = playback.available()
        if room >= frameCount { break }
        code = room < 0 ? Int32(clamping: room) : wait(playback, frameCount - room, &waitedSince)
      }
      guard code < 0 else { continue }
      guard recover(code, failing) else { return false }
      waitedSince = 0
      heardSince = fx_monotonic_seconds()
    }
    // Reads both positions as closely in time as possible.
    let room = state.pointee.playback?.available() ?? 0
    let waiting = state.pointee.capture?.available() ?? 0
    _ = clocks.correction.pull(
      into: clocks.given.channels, frameCount: frameCount, waiting: Double(max(waiting, 0)),
      late: max(room - frameCount, 0))
    clocks.given.copy(into: channels, width: width, frameCount: frameCount)
    return true
  }

  /// Takes the frames that have been recorded so far. Returns their number, or a code.
  ///
  /// Frames that arrive meanwhile stay: a card that is faster than these calls would never be
  /// empty.
  private func take(_ capture: ALSAStream, _ clocks: TwoClocks) -> Int {
    let ready = capture.available()
    let wanted = min(ready, clocks.taken.frameCount)
    var total = 0
    while total < wanted {
      let count = capture.get(
        into: clocks.taken.channels, width: clocks.taken.channelCount, offset: 0,
        frameCount: wanted - total)
      if count < 0 { return count }
      if count == 0 { break }
      _ = clocks.correction.push(clocks.taken.readable, frameCount: count)
      state.pointee.recordedCount += count
      total += count
    }
    return ready < 0 ? ready : total
  }
}

extension PlanarBuffer {
  /// Copies frames into buffers that may have more channels. One channel goes to all of them;
  /// otherwise the extra channels are silent.
  func copy(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, width: Int, frameCount: Int
  ) {
    for channel in 0..<width {
      if channel < channelCount || channelCount == 1 {
        let source = channel < channelCount ? channel : 0
        channels[channel].update(from: self[source], count: frameCount)
      } else {
        channels[channel].update(repeating: 0, count: frameCount)
      }
    }
  }
}
