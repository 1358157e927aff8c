import CRealtime
import FxDiagnostics
import FxFrames
import FxMedia
import Glibc

/// Writes a log while a chain plays, a line at a time, so that what is there is whole at any moment.
/// On the thread that plays the chain, which the sound does not wait for.
final class LiveLogWriter {
  private let path: String
  private let descriptor: Int32
  /// The first error of a write; nothing is written after it.
  private(set) var error: IOError?
  private var waiting: [UInt8] = []
  private var lastFrame = 0
  private var lastSync = fx_monotonic_seconds()
  /// Seconds, at least.
  private static let syncInterval = 2.0

  /// Takes the place of a file of that name.
  init(_ path: String, _ wait: PipeWait, _ header: LiveLog.Header) throws(ChainFailure) {
    self.path = path
    do throws(IOError) {
      descriptor = try wait.create(path)
    } catch {
      throw ChainFailure(error, .output)
    }
    // A pipe whose reader stands still ends the log; the chain does not wait for it.
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0 else {
      throw ChainFailure(IOError.writing(path, errno: errno), .output)
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
    // What was asked for last may have been on its way.
    let end = JSONOutput.members([
      "frame": .integer(max(frame, lastFrame)), "end": .bool(true),
    ])
    waiting += Array("\(end.text(indented: false))\n".utf8)
    flush()
    fsync(descriptor)
  }

  /// Hands what was written to the system, and from time to time to the disk.
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
        error = IOError.writing(path, errno: errno)
      }
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
