import CRealtime
import FxDevices
import FxFrames
import FxPlaying

/// Waiting for a device that is not there at the start.
extension RenderJob {
  /// Opens the device; with `--on-lost wait` as soon as it is there. `waiting` is called about ten
  /// times a second until then.
  func waitForDevice(
    _ asked: SoundDevice.Request, _ control: LiveControl, _ stop: StopSignal,
    _ waiting: (() -> Void)?,
    report: (DeviceNotice) -> Void
  ) throws(ChainFailure) -> SoundDevice {
    let start = fx_monotonic_seconds()
    var reported: String?
    let limits = OpeningLimits(seconds: request.openingSeconds) { stop.isStopped }
    while true {
      do throws(IOError) {
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
      .device, code: "deviceUnavailable",
      "fxrun was asked to end before the sound device '\(name)' was there; nothing was played",
      path: name)
  }
}
