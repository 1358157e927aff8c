import CRealtime
import FxAudio
import Glibc

/// A file that is written beside its target under a hidden name, and renamed to the target when it
/// is complete. Until then the old file stays.
final class TargetFile {
  /// The path as the user wrote it.
  let path: String
  let descriptor: Int32
  /// nil if the target is written directly: a pipe or a device.
  private let temporaryPath: String?
  private let targetPath: String
  private let isRecording: Bool
  private var isSettled = false

  /// - Parameters:
  ///   - isRecording: the sound cannot be produced again, so it is kept even if the disk fails.
  ///   - wait: how to wait for the reader of a pipe.
  init(path: String, isRecording: Bool = false, wait: PipeWait = PipeWait()) throws(Failure) {
    self.path = path
    self.isRecording = isRecording
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw Failure(.unwritable, path, "this is not a file name")
    }
    var status = stat()
    let exists = stat(path, &status) == 0
    if !exists, errno == ENAMETOOLONG { throw .writing(path, errno: ENAMETOOLONG) }
    if exists, status.st_mode & S_IFMT == S_IFDIR || path.hasSuffix("/") {
      throw .writing(path, errno: EISDIR)
    }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      targetPath = path
      temporaryPath = nil
      descriptor = try wait.open(path, isPipe: status.st_mode & S_IFMT == S_IFIFO)
      return
    }
    guard !path.hasSuffix("/") else { throw .writing(path, errno: ENOENT) }
    // A symbolic link stays: the file that it leads to is replaced.
    targetPath = exists ? TargetFile.resolved(path) : path
    if exists, access(targetPath, W_OK) != 0 { throw .writing(path, errno: errno) }
    let hidden = HiddenName(targetPath)
    let temporary = "\(hidden.folder)\(hidden.beginning)\(getpid())"
    let mode = exists ? status.st_mode & 0o777 : 0o666
    var opened: Int32 = -1
    var chosen = temporary
    for attempt in 0..<100 {
      chosen = attempt == 0 ? temporary : "\(temporary).\(attempt)"
      opened = open(chosen, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if opened >= 0 || errno != EEXIST { break }
    }
    guard opened >= 0 else { throw .writing(path, errno: errno) }
    // The lock shows other processes that this one is still writing.
    flock(opened, LOCK_SH | LOCK_NB)
    if exists { fchmod(opened, mode) }
    descriptor = opened
    temporaryPath = chosen
    let partial = PartialName(targetPath)
    fx_crash_file_begins(chosen, partial.stem, partial.end)
  }

  /// False for a pipe or a device.
  var isFile: Bool { temporaryPath != nil }

  /// Removes what killed processes have written of a file.
  static func removeStale(_ path: String, isFresh: Bool) {
    guard canBeFile(path) else { return }
    let hidden = HiddenName(resolved(path))
    StaleFiles.remove(in: hidden.folder, beginning: hidden.beginning, isFresh: isFresh)
  }

  private static func canBeFile(_ path: String) -> Bool {
    !path.isEmpty && !path.utf8.contains(0) && !path.hasSuffix("/")
  }

  /// Keeps what killed processes have written of a file.
  static func recover(_ path: String) -> [RecoveredFile] {
    guard canBeFile(path) else { return [] }
    let targetPath = resolved(path)
    let hidden = HiddenName(targetPath)
    return StaleFiles.recover(
      in: hidden.folder, beginning: hidden.beginning, target: path, as: PartialName(targetPath))
  }

  /// The unfinished files in a folder, by their final paths.
  static func begun(in folder: String, where matches: (String) -> Bool) -> [String] {
    let names = HiddenFiles.names(in: folder, isFresh: true).compactMap(HiddenName.target)
    return Set(names.filter(matches)).sorted().map { folder + $0 }
  }

  /// Removes every incomplete file when the process must end quickly. Live recordings are kept.
  /// From any thread.
  static func leaveAll() { fx_crash_files_leave() }

  deinit { discard() }

  /// Renames the file to its target. Some file systems report only now that the disk is full.
  func commit() throws(Failure) {
    _ = try settle { (temporary) throws(Failure) in
      guard rename(temporary, self.targetPath) == 0 else {
        throw try self.kept(temporary, errno)
      }
      return self.targetPath
    }
  }

  /// Renames the file to `NAME.partial.EXT` and returns this path; nil for a pipe.
  func keepPartial() throws(Failure) -> String? {
    guard isFile else {
      discard()
      return nil
    }
    return try settle { (temporary) throws(Failure) in
      try PartialName(self.targetPath).take(temporary)
    }
  }

  /// Removes the written file.
  func discard() {
    guard !isSettled else { return }
    isSettled = true
    close(descriptor)
    if let temporaryPath {
      unlink(temporaryPath)
      fx_crash_file_ends(temporaryPath)
    }
  }

  /// Syncs the file to the disk before it is renamed. After a loss of power there is either the old
  /// file or all of the new one.
  private func settle(
    _ rename: (_ temporary: String) throws(Failure) -> String
  ) throws(Failure) -> String? {
    guard !isSettled else { return nil }
    isSettled = true
    var code = temporaryPath == nil ? 0 : FileSync.file(descriptor)
    if close(descriptor) != 0, code == 0 { code = errno }
    guard let temporaryPath else {
      if code != 0 { throw .writing(path, errno: code) }
      return nil
    }
    defer { fx_crash_file_ends(temporaryPath) }
    guard code == 0 else {
      if isRecording { throw try kept(temporaryPath, code) }
      unlink(temporaryPath)
      throw .writing(path, errno: code)
    }
    // If the rename fails, the file stays and is recovered at the next start.
    let name = try rename(temporaryPath)
    FileSync.folder(of: name)
    return name
  }

  /// The error for a complete file that could not be renamed, or that may not be on the disk.
  private func kept(_ temporary: String, _ code: Int32) throws(Failure) -> Failure {
    let error = Failure.writing(path, errno: code)
    let partial = try PartialName(targetPath).take(temporary)
    return Failure(error.code, error.path, "\(error.message); what was written is in \(partial)")
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}

/// The name of a file while it is written: `.take.wav.4711`, with the process number.
private struct HiddenName {
  /// The folder with its slash.
  let folder: String
  let beginning: String

  init(_ path: String) {
    let (folder, name) = PartialName.split(path)
    self.folder = folder
    // A long name has no room for the additions. It is replaced by its FNV-1a hash.
    let sum = name.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    beginning = name.utf8.count > 200 ? ".fxrun-\(String(sum, radix: 16))." : ".\(name)."
  }

  /// The final name for `.take.wav.4711` or `.take.wav.4711.2`; nil for any other name.
  static func target(_ hidden: String) -> String? {
    guard hidden.hasPrefix(".") else { return nil }
    var parts = hidden.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
    while let last = parts.last, !last.isEmpty, last.allSatisfy({ ("0"..."9").contains($0) }) {
      parts.removeLast()
    }
    let name = parts.joined(separator: ".")
    return name.isEmpty || name.utf8.count + 1 == hidden.utf8.count ? nil : name
  }
}
