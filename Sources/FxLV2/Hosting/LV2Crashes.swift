import CRealtime

/// What happens to a process when a plugin crashes or exits in it.
package enum LV2Crashes {
  /// Keeps a copy of standard error for crash messages. Call it before the first thread starts.
  package static func keepErrorStream() { fx_boundary_keep_errors() }

  /// From now on a crash ends the process with an exit status and one line that names the plugin.
  /// Unfinished files are removed. For a command; a program that uses the library has its own
  /// handlers.
  package static func report(exitStatus: Int32) { fx_report_plugin_crashes(exitStatus) }

  /// From now on the message is a JSON object, written to this descriptor.
  package static func reportAsJSON(to descriptor: Int32) {
    fx_report_plugin_crashes_as_json(descriptor)
  }

  /// Call this in place of `_exit`.
  package static func exit(_ status: Int32) -> Never { fx_plugin_exits(status) }

  /// True when a plugin has closed files that are not its own.
  package static var hasLostFiles: Bool { fx_boundary_has_lost_files() != 0 }

  /// From now on unfinished files are kept as `NAME.partial.EXT`: otherwise a live recording would
  /// be lost.
  package static func keepFiles() { fx_crash_keeps_files() }
}
