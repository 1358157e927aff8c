import CRealtime

/// What becomes of a process in which a plugin crashes.
package enum LV2Crashes {
  /// From here on it ends with an exit status and one line that names the plugin, and leaves no
  /// file that is begun. For a command; a program that uses the library has handlers of its own.
  package static func report(exitStatus: Int32) { fx_report_plugin_crashes(exitStatus) }

  /// From here on files that are begun stay, as `NAME.partial.EXT`: what is recorded live would be
  /// lost.
  package static func keepFiles() { fx_crash_keeps_files() }
}
