package import FxAudio
import FxLV2
import FxMedia

/// What a host program does at its start, at its end and when a plugin crashes.
package enum PluginHosting {
  /// Performs the task of a process for a plugin or for a file that may be damaged; returns for the
  /// task of another role.
  package static func serve(_ task: ReceivedTask) {
    if task.role == .sofa { SOFAHost.main(task) }
    LV2Hosting.serve(task)
  }

  /// Keeps standard error for the message of a crash. Call it before the first thread starts: the
  /// kernel enlarges the table of files, and waits 20 ms for that if threads share the table.
  package static func keepErrorStream() { LV2Crashes.keepErrorStream() }

  /// From now on, `end` cleans up plugins, and isolated plugins run in processes of this program. A
  /// crash of a plugin ends the process with this exit status and a line that names the plugin.
  package static func begin(exitStatus: Int32) {
    HostExecutable.declareSelf()
    LV2Endings.deferAll()
    LV2Crashes.report(exitStatus: exitStatus)
  }

  /// From now on, a crash is reported as a JSON object on this descriptor.
  package static func reportCrashesAsJSON(to descriptor: Int32) {
    LV2Crashes.reportAsJSON(to: descriptor)
  }

  /// From now on, a crash keeps unfinished files as `NAME.partial.EXT`, because live recordings
  /// would otherwise be lost.
  package static func keepFilesOverCrashes() { LV2Crashes.keepFiles() }

  /// True when a plugin has closed files that are not its own.
  package static var hasLostFiles: Bool { LV2Crashes.hasLostFiles }

  /// A mistake in the environment variables for isolated plugins; nil if there is none.
  package static var mistake: String? { IsolationSettings.mistake }

  /// Separates fxrun's output from text that plugins print. Returns a descriptor for the original
  /// standard output; nil if there is none.
  package static func reserveStandardOutput() -> Int32? { StandardOutput.reserve() }

  /// Removes unfinished state folders when the process ends early. From any thread.
  package static func removeDrafts() { StateDrafts.removeAll() }

  /// Cleans up plugins as the last step before the process ends with this status.
  package static func end(exitStatus: Int32) { LV2Endings.performAll(exitingWith: exitStatus) }

  /// Cleans up the plugins of one render, in a process that continues with another render.
  package static func endRender() {
    LV2Endings.performAll()
    LV2Endings.deferAll()
  }

  /// Must be called instead of `_exit`.
  package static func exit(_ status: Int32) -> Never { LV2Crashes.exit(status) }

  /// Makes a Turtle reader as `serd_reader_new` does, but each message is printed only once, with
  /// visible characters. For a program that replaces that function with this one.
  package static func makeTurtleReader(
    _ syntax: UInt32, _ handle: UnsafeMutableRawPointer?, _ free: UnsafeRawPointer?,
    _ base: UnsafeRawPointer?, _ prefix: UnsafeRawPointer?, _ statement: UnsafeRawPointer?,
    _ end: UnsafeRawPointer?
  ) -> UnsafeMutableRawPointer? {
    TurtleMessages.makeReader(syntax, handle, free, base, prefix, statement, end)
      .map { UnsafeMutableRawPointer($0) }
  }
}
