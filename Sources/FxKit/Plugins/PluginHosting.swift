import FxLV2
import FxProcesses

/// What a program that is the host of plugins does at its start, at its end and when one crashes.
package enum PluginHosting {
  /// For the program whose arguments these are: when they ask for a process with a plugin in it, this
  /// is one and nothing else, and the call does not return.
  package static func serve(_ arguments: [String]) {
    guard arguments.first == HostExecutable.command else { return }
    IsolationHost.main(Array(arguments.dropFirst()))
  }

  /// Keeps standard error for the message of a crash. Before the first thread starts: the kernel makes the
  /// table of files larger for it, and waits 20 ms for that where threads share the table.
  package static func keepErrorStream() { LV2Crashes.keepErrorStream() }

  /// From here on plugins are cleaned up by `end`, their processes run this program, and a crash of one
  /// ends the process with an exit status and one line that names the plugin.
  package static func begin(exitStatus: Int32) {
    HostExecutable.declareSelf()
    LV2Endings.deferAll()
    LV2Crashes.report(exitStatus: exitStatus)
  }

  /// From here on what is said of a crash is a JSON object, written to this descriptor.
  package static func reportCrashesAsJSON(to descriptor: Int32) {
    LV2Crashes.reportAsJSON(to: descriptor)
  }

  /// From here on a crash leaves files that are begun, as `NAME.partial.EXT`: what is recorded live
  /// would be lost.
  package static func keepFilesOverCrashes() { LV2Crashes.keepFiles() }

  /// True when a plugin has closed files that are not its own.
  package static var hasLostFiles: Bool { LV2Crashes.hasLostFiles }

  /// What is wrong with the environment's settings for processes with plugins.
  package static var mistake: String? { IsolationSettings.mistake }

  /// Takes standard output for ourselves, away from what plugins print: a descriptor that leads to where
  /// it has led. nil when there is none.
  package static func reserveStandardOutput() -> Int32? { StandardOutput.reserve() }

  /// Removes folders of states that are begun, when the process ends in a hurry. From any thread.
  package static func removeDrafts() { StateDrafts.removeAll() }

  /// Cleans plugins up, as the last thing before the process ends with this status.
  package static func end(exitStatus: Int32) { LV2Endings.performAll(exitingWith: exitStatus) }

  /// Cleans up the plugins of one render, in a process that goes on to the next.
  package static func endRender() {
    LV2Endings.performAll()
    LV2Endings.deferAll()
  }

  /// To be called in place of `_exit`.
  package static func exit(_ status: Int32) -> Never { LV2Crashes.exit(status) }

  /// Makes a reader of Turtle as `serd_reader_new` does, with messages that are printed once and
  /// visibly. For a program that puts this in the place of that function.
  package static func makeTurtleReader(
    _ syntax: UInt32, _ handle: UnsafeMutableRawPointer?, _ free: UnsafeRawPointer?,
    _ base: UnsafeRawPointer?, _ prefix: UnsafeRawPointer?, _ statement: UnsafeRawPointer?,
    _ end: UnsafeRawPointer?
  ) -> UnsafeMutableRawPointer? {
    TurtleMessages.makeReader(syntax, handle, free, base, prefix, statement, end)
      .map { UnsafeMutableRawPointer($0) }
  }
}
