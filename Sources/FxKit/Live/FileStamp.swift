import FxAudio
import FxChain
import FxGraph
import Glibc
import Synchronization

/// What tells that a file is another one than before: nothing of its contents.
struct FileStamp: Sendable, Hashable {
  private let device: UInt
  private let inode: UInt
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// nil where there is no such file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

/// Files that something was made of, and how they were then. From any thread.
final class FileLedger: Sendable {
  private let stamps = Mutex<[String: FileStamp?]>([:])

  /// Notes a file as it is now.
  func note(_ path: String) { note(path, as: FileStamp(path)) }

  /// Notes a file as it was.
  func note(_ path: String, as stamp: FileStamp?) { stamps.withLock { $0[path] = .some(stamp) } }

  /// The files that have changed since they were recorded, or are gone, as they are now.
  var changes: [String: FileStamp?] {
    stamps.withLock { $0 }.reduce(into: [:]) { changes, entry in
      let now = FileStamp(entry.key)
      if now != entry.value { changes[entry.key] = .some(now) }
    }
  }

  /// The files that were noted, in no order.
  var paths: [String] { stamps.withLock { Array($0.keys) } }

  /// Takes over what another ledger has noted.
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
  /// The chain itself, and those that it uses.
  let texts = FileLedger()
  /// What its plugins are made with.
  let parts = FileLedger()
}

/// Notices that a chain's files have been written, once the writing has come to an end.
struct ChainWatch {
  private var lastLook = -Double.infinity
  private var seen: [String: FileStamp?] = [:]

  /// Seconds between two looks.
  private static let interval = 0.1

  /// True when files have changed, and not any more since the last look.
  mutating func sees(_ ledger: FileLedger, now: Double) -> Bool {
    guard now - lastLook >= Self.interval else { return false }
    lastLook = now
    let changes = ledger.changes
    defer { seen = changes }
    return !changes.isEmpty && changes == seen
  }
}

extension ChainEnvironment {
  /// Notes every file that the chain uses in a ledger as it is read.
  mutating func note(into files: FileLedger) {
    let read = read
    self.read = { path throws(ChainFileError) in
      files.note(path)
      return try read(path)
    }
  }
}

extension CompiledChain.Settings {
  /// Notes every text that the chain uses, and every sound that its units are made with, as it is
  /// read: a change of any of them is a change of the chain.
  mutating func note(into files: FileLedger) {
    environment.note(into: files)
    willReadSound = { files.note($0) }
  }
}

extension UnitConfiguration {
  /// The files and folders that a unit is made with.
  var paths: [String] { setup.paths + soundPaths }
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
