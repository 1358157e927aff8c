import CRealtime
import FxAudio
import FxChain
import FxMedia
import Glibc

/// Writes a log while a chain plays, in whole lines, so that the file can be read at any time.
/// On the thread that called `play`; the render thread does not wait for it.
final class LiveLogWriter {
  private let path: String
  private let descriptor: Int32
  /// The first error of a write; nothing is written after it.
  private(set) var error: Failure?
  private var waiting: [UInt8] = []
  private var lastFrame = 0
  private var lastSync = fx_monotonic_seconds()
  /// The minimum time between two syncs to the disk, in seconds.
  private static let syncInterval = 2.0

  /// Replaces a file with the same name.
  init(_ path: String, _ wait: PipeWait, _ header: LiveLog.Header) throws(ChainFailure) {
    self.path = path
    do throws(Failure) {
      descriptor = try wait.create(path)
    } catch {
      throw ChainFailure(error, .output)
    }
    // If a pipe's reader stops reading, the log ends with an error; the chain does not wait.
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else {
      throw ChainFailure(Failure.writing(path, errno: errno), .output)
    }
    waiting = Array("\(header.json.text(indented: false))\n".utf8)
    flush()
    if let error {
      throw ChainFailure(error, .output)
    }
  }

  deinit {
    flush()
    close(descriptor)
  }

  func write(_ entry: LiveLog.Entry) {
    lastFrame = max(lastFrame, entry.frame)
    waiting += Array("\(entry.json.text(indented: false))\n".utf8)
  }

  /// The last line: where the performance ended.
  func writeEnd(at frame: Int) {
    // The last change may belong to a frame after the end.
    let end = JSONOutput.members([
      "frame": .integer(max(frame, lastFrame)), "end": .bool(true),
    ])
    waiting += Array("\(end.text(indented: false))\n".utf8)
    flush()
    fsync(descriptor)
  }

  /// Writes the waiting lines to the file, and syncs it to the disk at intervals.
  func flush() {
    guard !waiting.isEmpty else { return }
    defer {
      if fx_monotonic_seconds() - lastSync >= LiveLogWriter.syncInterval {
        fdatasync(descriptor)
        lastSync = fx_monotonic_seconds()
      }
    }
    var start = 0
    while start < waiting.count, error == nil {
      let count = waiting.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start)
      }
      if count > 0 {
        start += count
      } else if errno != EINTR {
        error = Failure.writing(path, errno: errno)
      }
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
