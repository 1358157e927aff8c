package import FxAudio

/// A destination for audio: a file, a pipe, or nothing.
///
/// Used by one thread at a time.
package protocol AudioSink: AnyObject {
  /// For messages: the path as the user wrote it.
  var name: String { get }
  var format: StreamFormat { get }
  /// Throws if the output cannot hold this many frames.
  func check(_ frameCount: Int) throws(Failure)
  /// Statistics of the frames so far.
  var statistics: SinkStatistics { get }
  /// The number of the next frame of the output.
  var nextFrame: Int { get }
  /// True if writing is fast and waits only for a disk.
  var isQuick: Bool { get }
  func write(
    _ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(Failure)
  /// Starts and stops the recording; nil if everything is recorded.
  var recording: RecordingSwitch? { get }
  /// Called about once a second while there is nothing to write.
  func rest() throws(Failure)
  /// Writes out everything except for the final name. Any write error is thrown here.
  func complete() throws(Failure)
  /// Completes the output. A file gets its final name now.
  func finish() throws(Failure)
  /// Gives up. With `keepingPartial` the written part is kept as a valid `NAME.partial.EXT`, and
  /// its path is returned. Otherwise, or if nothing was written, no file remains.
  func abandon(keepingPartial: Bool) throws(Failure) -> String?
  /// Permanently ends a write that waits for a pipe. From any thread.
  func interrupt()
}

extension AudioSink {
  package var recording: RecordingSwitch? { nil }
  package var isQuick: Bool { false }
  package var nextFrame: Int { statistics.frameCount }
  package func check(_ frameCount: Int) throws(Failure) {}
  package func rest() throws(Failure) {}
  package func complete() throws(Failure) {}
  package func interrupt() {}
}
