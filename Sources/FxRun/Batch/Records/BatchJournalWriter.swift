import CRealtime
import FxAudio
import FxChain
import FxChecks
import FxKit
import FxMedia
import Glibc
import Synchronization

/// Adds lines to a journal, each with one write, so that a killed process leaves at most one
/// incomplete line. From any thread.
final class BatchJournalWriter: Sendable {
  /// The contents when the journal was opened.
  package let journal: BatchJournal
  private let descriptor: Int32
  private let state = Mutex(State())

  private struct State {
    var lastSync = fx_monotonic_seconds()
    /// The `errno` of the first write that failed.
    var failure: Int32?
  }

  /// Seconds between two syncs to disk.
  private static let syncInterval = 2.0

  /// Opens a journal and locks it. An incomplete line of a killed process is removed.
  ///
  /// - Throws: `ChainFailure` with the code `journal-busy` if another process writes to it.
  package init(_ path: String) throws(ChainFailure) {
    try WholeFile.makeFolder(of: path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    do throws(ChainFailure) {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw ChainFailure(
          .output, code: .journalBusy,
          "\(path): another fxrun batch is writing these records; wait for it, or give --log",
          path: path)
      }
      guard Self.isJournal(descriptor) else {
        throw ChainFailure(
          .request, code: .usage,
          "\(path) holds something else than records of a batch; give --log another name",
          path: path)
      }
      journal = try BatchJournal(contentsOfFile: path)
      if journal.isTorn, ftruncate(descriptor, off_t(journal.byteCount)) != 0 {
        throw Self.failure(path, errno)
      }
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  /// True for an empty file, and for one that begins as each line of a journal does.
  private static func isJournal(_ descriptor: Int32) -> Bool {
    var start: [UInt8] = [0, 0]
    let count = pread(descriptor, &start, 2, 0)
    return count <= 0
      || start[0] == UInt8(ascii: "{") && (count < 2 || start[1] == UInt8(ascii: "\""))
  }

  deinit { close(descriptor) }

  private static func failure(_ path: String, _ code: Int32) -> ChainFailure {
    ChainFailure(
      .output, code: code == ENOSPC ? .diskFull : .unwritable,
      "\(path): the records cannot be written: \(String(cString: strerror(code)))", path: path)
  }

  /// Adds a line. False after a failed write.
  package func append(_ line: JSONOutput) -> Bool { append([line]) }

  /// Adds lines that belong together: lines of other threads do not come between them.
  package func append(_ lines: [JSONOutput]) -> Bool {
    let bytes = Array(lines.map { "\($0.text(indented: false))\n" }.joined().utf8)
    return state.withLock { state in
      guard state.failure == nil else { return false }
      var count = 0
      repeat {
        count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      } while count < 0 && errno == EINTR
      guard count == bytes.count else {
        state.failure = count < 0 ? errno : ENOSPC
        return false
      }
      if fx_monotonic_seconds() - state.lastSync >= Self.syncInterval {
        fdatasync(descriptor)
        state.lastSync = fx_monotonic_seconds()
      }
      return true
    }
  }

  /// Waits until the data is on disk.
  package func sync() { _ = FileSync.file(descriptor) }
}
