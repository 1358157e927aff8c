package import FxAudio
package import FxFrames

/// Where audio goes: a file, a pipe, nowhere.
///
/// Used by one thread at a time.
package protocol AudioSink: AnyObject {
  /// For messages: the path as the user wrote it.
  var name: String { get }
  var format: StreamFormat { get }
  /// Refuses more frames than it takes.
  func check(_ frameCount: Int) throws(IOError)
  /// What has passed so far.
  var statistics: SinkStatistics { get }
  /// The frame of the output that comes next.
  var nextFrame: Int { get }
  /// True where writing takes little time and waits for nothing but a disk.
  var isQuick: Bool { get }
  func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(IOError)
  /// Starts and stops what is written; nil where everything is.
  var recording: RecordingSwitch? { get }
  /// Called about once a second while nothing comes to be written.
  func rest() throws(IOError)
  /// Writes out everything, so that only the name is missing: what can go wrong, goes wrong here.
  func complete() throws(IOError)
  /// Completes the output; a file takes its name now.
  func finish() throws(IOError)
  /// Gives up. With `keepingPartial` what was written stays as a valid `NAME.partial.EXT`, whose
  /// path comes back; otherwise, or when nothing was written, nothing stays.
  func abandon(keepingPartial: Bool) throws(IOError) -> String?
  /// Ends a write that waits for a pipe, now and for ever. From any thread.
  func interrupt()
}

extension AudioSink {
  package var recording: RecordingSwitch? { nil }
  package var isQuick: Bool { false }
  package var nextFrame: Int { statistics.frameCount }
  package func check(_ frameCount: Int) throws(IOError) {}
  package func rest() throws(IOError) {}
  package func complete() throws(IOError) {}
  package func interrupt() {}
}
