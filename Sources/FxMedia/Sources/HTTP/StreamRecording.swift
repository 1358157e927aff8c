import CRealtime
package import FxFrames
import Synchronization

/// Keeps the bytes of a stream in a file, as they came and without the titles among them.
///
/// Complete, it takes its name; otherwise it stays as `NAME.partial.EXT`.
package final class StreamRecording: @unchecked Sendable {
  // Sendable: the file is used under a lock.
  package let path: String
  private let file: TargetFile
  private let drain: ByteDrain
  private let isComplete = Atomic<Bool>(false)
  private let isUnending = Atomic<Bool>(false)
  private let isFinished = Mutex(false)
  private let source = Mutex<String?>(nil)

  package init(_ path: String) throws(IOError) {
    self.path = path
    file = try TargetFile(path: path, isRecording: true)
    drain = ByteDrain(descriptor: file.descriptor, name: path, isOwner: false)
  }

  /// For the first stream that asks.
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

  /// Of a station, whose recording is whole whenever it ends.
  func markUnending() { isUnending.store(true, ordering: .relaxed) }

  /// Ends the file; nothing is written any more. Returns what the listener should know.
  package func finish() throws(IOError) -> String? {
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
      "\(stream) was not read to its end; what came of it is in \($0)"
    }
  }
}
