import FxChain
import FxIO
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

  /// Takes the place of a file of that name.
  init(_ path: String, _ header: LiveLog.Header) throws(ChainFailure) {
    self.path = path
    // A pipe without a reader is refused, and one whose reader stands still ends the log: the chain
    // waits for neither.
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o644)
    guard descriptor >= 0 else {
      guard errno != ENXIO else {
        throw ChainFailure(
          .output, code: "unwritable", "\(path): nobody reads this pipe; start its reader first",
          path: path)
      }
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
  }

  /// Hands what was written to the system.
  func flush() {
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
