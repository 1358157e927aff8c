import CRealtime
package import FxAudio
import Synchronization

/// Stores the bytes of a stream in a file, as received but without the titles.
///
/// If complete, the file gets its final name; otherwise it becomes `NAME.partial.EXT`.
package final class StreamRecording: @unchecked Sendable {
  // Sendable: the file is used under a lock.
  package let path: String
  private let file: TargetFile
  private let drain: ByteDrain
  private let isComplete = Atomic<Bool>(false)
  private let isUnending = Atomic<Bool>(false)
  private let isFinished = Mutex(false)
  private let source = Mutex<String?>(nil)

  package init(_ path: String) throws(Failure) {
    self.path = path
    file = try TargetFile(path: path, isRecording: true)
    drain = ByteDrain(descriptor: file.descriptor, name: path, isOwner: false)
  }

  /// Returns the recording to the first stream that asks for it; nil for later ones.
  func claimed(for stream: String) -> StreamRecording? {
    source.withLock { source in
      guard source == nil else { return nil }
      source = stream
      return self
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    isFinished.withLock { isFinished in
      if !isFinished { _ = drain.write(start, bytes.count) }
    }
  }

  func complete() { isComplete.store(true, ordering: .relaxed) }

  /// Marks a station. Its recording is complete wherever it ends.
  func markUnending() { isUnending.store(true, ordering: .relaxed) }

  /// Ends the file; nothing is written afterwards. Returns a warning for the user.
  package func finish() throws(Failure) -> String? {
    let wasFinished = isFinished.withLock { isFinished in
      defer { isFinished = true }
      return isFinished
    }
    guard !wasFinished else { return nil }
    guard let stream = source.withLock({ $0 }) else {
      file.discard()
      return "\(path) is not written: no stream was opened"
    }
    guard drain.flush() else {
      _ = try file.keepPartial()
      throw drain.error
    }
    if isUnending.load(ordering: .relaxed) || isComplete.load(ordering: .relaxed) {
      try file.commit()
      return nil
    }
    return try file.keepPartial().map {
      "\(stream) was not read to its end; the part that arrived is in \($0)"
    }
  }
}
