import CRealtime
import FxAudio
import FxKit

/// Regular tasks during playback besides the display: notifies the service manager, and reports the
/// result of a changed chain.
struct Upkeep {
  private var manager = ServiceManager()
  private var waits = 1
  private let isQuiet: Bool

  init(isQuiet: Bool) { self.isQuiet = isQuiet }

  /// Called about ten times a second.
  mutating func look(_ session: LiveSession) {
    manager?.look(frame: session.progressCount, now: fx_monotonic_seconds())
    if session.stop.isStopped { manager?.stopping() }
  }

  /// Called about ten times a second while the device is missing; the service counts as started.
  mutating func wait() {
    waits += 1
    manager?.look(frame: -waits, now: fx_monotonic_seconds())
  }

  mutating func report(_ change: ChainChange) {
    switch change {
    case .loaded(let path, let summary):
      if !isQuiet { Output.error(ForeignText.visible("\(path): \(summary)")) }
      manager?.show(status: "playing \(path)")
    case .refused(let path, let failure):
      Output.error(FailureReport.words(failure))
      Output.error(
        "\(ForeignText.visible(path)) cannot replace the chain; it plays on as it was")
      manager?.show(status: "playing; \(path) was refused")
    }
  }

  func report(_ notice: DeviceNotice) { manager?.show(status: notice.description) }
}
