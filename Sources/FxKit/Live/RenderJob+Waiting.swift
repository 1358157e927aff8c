import CRealtime
import FxAudio
import FxPlaying

/// Waits for a device that is missing at the start.
extension RenderJob {
  /// Opens the device. With `--on-lost wait`, waits until it is there and calls `waiting` about ten
  /// times a second.
  func waitForDevice(
    _ asked: SoundDevice.Request, _ control: LiveControl, _ stop: StopSignal,
    _ waiting: (() -> Void)?,
    report: (DeviceNotice) -> Void
  ) throws(ChainFailure) -> SoundDevice {
    let start = fx_monotonic_seconds()
    var reported: String?
    let limits = OpeningLimits(seconds: request.openingSeconds) { stop.isStopped }
    while true {
      do throws(Failure) {
        let device = try SoundDevice.open(asked, limits)
        if reported != nil {
          report(DeviceNotice(appeared: device.name, after: fx_monotonic_seconds() - start))
        }
        return device
      } catch {
        guard request.live.waitsForDevice == true, let reason = error.absence else {
          throw failure(error)
        }
        waiting?()
        if reported != "\(error.path) \(reason)" {
          reported = "\(error.path) \(reason)"
          report(DeviceNotice(absent: error.path, reason))
        }
      }
      control.wakeEvent.wait(seconds: 0.1)
      if control.takeStop() { throw .stoppedWaiting(for: asked) }
    }
  }
}

extension ChainFailure {
  fileprivate static func stoppedWaiting(for asked: SoundDevice.Request) -> ChainFailure {
    let name = asked.playback?.name ?? asked.capture?.name ?? ""
    return ChainFailure(
      .device, code: .deviceUnavailable,
      "fxrun was stopped before the sound device '\(name)' was there; nothing was played",
      path: name)
  }
}
