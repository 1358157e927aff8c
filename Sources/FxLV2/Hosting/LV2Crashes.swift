import CRealtime

/// What becomes of a process in which a plugin crashes, or that a plugin ends.
package enum LV2Crashes {
  /// Keeps standard error for the message of a crash; before the first thread.
  package static func keepErrorStream() { fx_boundary_keep_errors() }

  /// From here on it ends with an exit status and one line that names the plugin, and leaves no
  /// file that is begun. For a command; a program that uses the library has handlers of its own.
  package static func report(exitStatus: Int32) { fx_report_plugin_crashes(exitStatus) }

  /// From here on what is said is a JSON object, written to this descriptor.
  package static func reportAsJSON(to descriptor: Int32) {
    fx_report_plugin_crashes_as_json(descriptor)
  }

  /// To be called in place of `_exit`.
  package static func exit(_ status: Int32) -> Never { fx_plugin_exits(status) }

  /// True when a plugin has closed files that are not its own.
  package static var hasLostFiles: Bool { fx_boundary_has_lost_files() != 0 }

  /// From here on files that are begun stay, as `NAME.partial.EXT`: what is recorded live would be
  /// lost.
  package static func keepFiles() { fx_crash_keeps_files() }
}
