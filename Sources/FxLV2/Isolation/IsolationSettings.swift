import Glibc

/// How plugins run in processes of their own, and how many seconds they may take there.
package struct IsolationSettings: Sendable, Hashable {
  /// To be loaded, made and activated.
  package var start = 30.0
  /// A block, live: longer, and the plugin counts as hung. Blocks that are merely late are bypassed one
  /// by one.
  package var liveBlock = 0.5
  /// A block, offline, where the render waits for it.
  package var offlineBlock = 10.0
  /// To be deactivated and cleaned up, before the process is killed.
  package var end = 2.0

  /// The program that is the process; nil for fxrun, wherever it is.
  package var host: String?

  package init() {}

  /// With `FXRUN_ISOLATION_TIMEOUT`, seconds a block may take, in place of both limits for blocks.
  package static var standard: IsolationSettings {
    var settings = IsolationSettings()
    if let text = getenv("FXRUN_ISOLATION_TIMEOUT"), let seconds = Double(String(cString: text)),
      seconds > 0, seconds <= 86400
    {
      settings.liveBlock = seconds
      settings.offlineBlock = seconds
    }
    return settings
  }
}
