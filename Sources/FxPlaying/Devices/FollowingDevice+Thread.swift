import FxAudio
import Glibc
import Synchronization

/// The work of a following device on its own thread.
extension FollowingDevice {
  /// Plays the pushed frames until the end. False when the device is lost.
  func playToEnd() -> Bool {
    guard device.start() else { return false }
    var restarts = device.restartCount
    while !correction.isOver {
      // A device without a clock must not take frames faster than they are pushed.
      while !device.isPaced, !isStopping.load(ordering: .relaxed),
        correction.readableCount < correction.targetFrameCount
      {
        pause()
      }
      if !correction.pull(
        into: block.channels, frameCount: block.frameCount, waiting: waitingFrameCount,
        late: device.lateFrameCount), !isStopping.load(ordering: .relaxed)
      {
        noteGap()
      }
      guard device.write(block.readable, frameCount: block.frameCount) else { return false }
      if device.restartCount != restarts {
        restarts = device.restartCount
        correction.reset()
      }
    }
    return device.drain()
  }

  /// Records until it is stopped. False when the device is lost.
  func recordToEnd() -> Bool {
    guard device.start() else { return false }
    while !isStopping.load(ordering: .relaxed) {
      guard
        device.read(
          into: block.channels, width: block.channelCount, frameCount: block.frameCount)
      else { return false }
      _ = correction.push(block.readable, frameCount: block.frameCount)
      notePush()
      // A device without a clock must not record faster than its frames are used.
      while !device.isPaced, !isStopping.load(ordering: .relaxed),
        correction.readableCount > correction.targetFrameCount
      {
        pause()
      }
    }
    return device.drain()
  }

  /// Sleeps for half a block.
  private func pause() {
    let seconds = Double(block.frameCount) / device.sampleRate / 2
    usleep(UInt32(min(max(seconds * 1e6, 100), 100_000)))
  }
}
