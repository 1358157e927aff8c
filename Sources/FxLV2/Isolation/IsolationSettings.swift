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

  private static let variable = "FXRUN_ISOLATION_TIMEOUT"

  /// Seconds that a block may be given.
  private static let limits = 0.001...86400

  /// What is wrong with `FXRUN_ISOLATION_TIMEOUT`; nil where it is not set, or good.
  package static var mistake: String? {
    guard let text = getenv(variable).map({ String(cString: $0) }), !text.isEmpty,
      seconds == nil
    else { return nil }
    return "\(variable) is seconds from 0.001 to 86400, not '\(text)'"
  }

  private static var seconds: Double? {
    guard let text = getenv(variable), let seconds = Double(String(cString: text)),
      limits.contains(seconds)
    else { return nil }
    return seconds
  }

  /// With `FXRUN_ISOLATION_TIMEOUT`, seconds a block may take, in place of both limits for blocks; a
  /// value that is none is for the caller to report.
  package static var standard: IsolationSettings {
    var settings = IsolationSettings()
    if let seconds {
      settings.liveBlock = seconds
      settings.offlineBlock = seconds
    }
    return settings
  }
}
