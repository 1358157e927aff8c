import FxAudio
import FxChain
import FxEngine
import Glibc
import Synchronization

/// Records files with their stamps at the time of use. From any thread.
final class FileLedger: Sendable {
  private let stamps = Mutex<[String: FileStamp?]>([:])

  /// Records a file with its stamp now.
  func note(_ path: String) { note(path, as: FileStamp(path)) }

  /// The same, for a drive that may not answer; then nothing is recorded.
  func note(_ path: String, _ limits: OpeningLimits) {
    try? limits.call { () throws(Failure) in
      self.note(path)
    } givingUp: {
      limits.failure(path, $0, OpeningMonitor())
    }
  }

  /// Records a file with an earlier stamp.
  func note(_ path: String, as stamp: FileStamp?) { stamps.withLock { $0[path] = .some(stamp) } }

  /// The files that changed or disappeared since they were recorded, with their stamps now.
  var changes: [String: FileStamp?] {
    stamps.withLock { $0 }.reduce(into: [:]) { changes, entry in
      let now = FileStamp(entry.key)
      if now != entry.value { changes[entry.key] = .some(now) }
    }
  }

  /// The recorded files, in no order.
  var paths: [String] { stamps.withLock { Array($0.keys) } }

  /// Copies the entries of another ledger; they replace older entries.
  func adopt(_ other: FileLedger) {
    let noted = other.stamps.withLock { $0 }
    stamps.withLock { $0.merge(noted) { $1 } }
  }

  func isChanged(_ path: String) -> Bool {
    guard let noted = stamps.withLock({ $0[path] }) else { return false }
    return FileStamp(path) != noted
  }
}

/// The files of a chain.
struct ChainFiles: Sendable {
  /// The chain file, the files that it includes, and the sounds that its units load.
  let texts = FileLedger()
  /// The files and folders that its units are made with.
  let parts = FileLedger()
}

/// Detects that a chain's files have changed, once they are completely written.
struct ChainWatch {
  private var lastLook = -Double.infinity
  private var seen: [String: FileStamp?] = [:]

  /// Seconds between two checks.
  private static let interval = 0.1

  /// True if files have changed, but not again since the last check.
  mutating func sees(_ ledger: FileLedger, now: Double) -> Bool {
    guard now - lastLook >= Self.interval else { return false }
    lastLook = now
    let changes = ledger.changes
    defer { seen = changes }
    return !changes.isEmpty && changes == seen
  }
}

extension ChainEnvironment {
  /// Records in a ledger every file that the chain reads.
  mutating func note(into files: FileLedger) {
    let (read, limits) = (read, limits)
    self.read = { path throws(Failure) in
      files.note(path, limits)
      return try read(path)
    }
  }
}

extension CompiledChain.Settings {
  /// Records every chain file, and every sound that units load, when it is read. A change of any of
  /// them is a change of the chain.
  mutating func note(into files: FileLedger) {
    environment.note(into: files)
    willReadSound = { [limits = environment.limits] in files.note($0, limits) }
  }
}

extension UnitConfiguration {
  /// The files and folders that a unit is made with.
  var paths: [String] { setup.paths + soundPaths + modelPaths }
}

extension PluginSetup {
  /// The files and folders that a plugin is made with.
  fileprivate var paths: [String] {
    var paths = properties.compactMap { property -> String? in
      if case .file(let path) = property.value { path } else { nil }
    }
    if case .folder(let path)? = state { paths.append(path) }
    return paths
  }
}
