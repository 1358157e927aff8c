import Glibc

/// Settings for plugins in separate processes. Times are in seconds.
package struct IsolationSettings: Sendable, Hashable {
  /// Limit for loading, instantiating and activating a plugin.
  package var start = 30.0
  /// Limit for a live block; after it the plugin counts as hung. A block that is only late is
  /// bypassed.
  var liveBlock = 0.5
  /// Limit for an offline block, for which the render waits.
  var offlineBlock = 10.0
  /// Limit for deactivating and cleaning up, before the process is killed.
  package var end = 2.0

  /// The program of the process; nil for fxrun itself.
  package var host: String?

  package init() {}

  private static let variable = "FXRUN_ISOLATION_TIMEOUT"

  /// The allowed seconds for a block.
  private static let limits = 0.001...86400

  /// The problem with the value of `FXRUN_ISOLATION_TIMEOUT`; nil where it is valid or not set.
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

  /// The default settings. `FXRUN_ISOLATION_TIMEOUT`, in seconds per block, replaces both block
  /// limits; the caller reports an invalid value.
  package static var standard: IsolationSettings {
    var settings = IsolationSettings()
    if let seconds {
      settings.liveBlock = seconds
      settings.offlineBlock = seconds
    }
    return settings
  }
}
