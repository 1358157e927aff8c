import Glibc

/// An unfinished file of a killed process, kept under a partial name.
package struct RecoveredFile: Sendable, Hashable {
  /// Its current path.
  package let path: String
  /// The path that it was written for.
  package let target: String
  /// The duration of its sound in seconds; nil if its header is damaged.
  package let seconds: Double?

  /// Its duration as text for messages.
  package var length: String {
    seconds.map { clockSeconds(Int(($0 * 1000).rounded()), 1000) } ?? "its header is damaged"
  }
}

/// Unfinished files of processes that were killed.
enum StaleFiles {
  /// Keeps the files with sound under `partial` names, with the right length in their headers.
  /// Removes the others.
  ///
  /// - Parameter beginning: the beginning of the hidden names; a process number follows, and
  ///   perhaps a second number.
  static func recover(
    in folder: String, beginning: String, target: String, as partial: PartialName
  ) -> [RecoveredFile] {
    var kept: [RecoveredFile] = []
    for path in paths(in: folder, beginning: beginning, isFresh: true) {
      guard let descriptor = claim(path) else { continue }
      // Closing it unlocks it.
      defer { close(descriptor) }
      var seconds: Double?
      switch SoundRepair.repair(descriptor) {
      case .nothing:
        unlink(path)
        continue
      case .unknown: break
      case .sound(let frameCount, let sampleRate): seconds = Double(frameCount) / sampleRate
      }
      _ = FileSync.file(descriptor)
      // If it cannot be renamed, it keeps its hidden name.
      guard let name = try? partial.take(path) else { continue }
      kept.append(RecoveredFile(path: name, target: target, seconds: seconds))
    }
    if let path = kept.first?.path { FileSync.folder(of: path) }
    return kept
  }

  /// Removes unfinished files that can be rendered again.
  ///
  /// - Parameter isFresh: true lists the folder now; false may use a list that is a few seconds
  ///   old.
  static func remove(in folder: String, beginning: String, isFresh: Bool) {
    for path in paths(in: folder, beginning: beginning, isFresh: isFresh) {
      guard let descriptor = claim(path) else { continue }
      unlink(path)
      close(descriptor)
    }
  }

  private static func paths(in folder: String, beginning: String, isFresh: Bool) -> [String] {
    HiddenFiles.names(in: folder, isFresh: isFresh).compactMap { name in
      guard name.hasPrefix(beginning), let process = process(name.dropFirst(beginning.count)),
        isGone(process, folder + name)
      else { return nil }
      return folder + name
    }.sorted()
  }

  /// `4711` and `4711.2` belong to process 4711.
  private static func process(_ text: Substring) -> pid_t? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ part in !part.isEmpty && part.allSatisfy { ("0"..."9").contains($0) } }),
      let process = parts.first.flatMap({ pid_t($0) }), process > 0
    else { return nil }
    return process
  }

  /// After a reboot another process may have the same number. A file that was not written for a
  /// while cannot belong to that process. The lock decides in any case.
  private static func isGone(_ process: pid_t, _ path: String) -> Bool {
    // On a busy machine a killed process may need time to end.
    for _ in 0..<100 where isKilled(process) && !hasEnded(process) { usleep(10000) }
    if kill(process, 0) != 0 ? errno == ESRCH : hasEnded(process) { return true }
    var status = stat()
    return lstat(path, &status) == 0 && time(nil) - status.st_mtim.tv_sec > 10
  }

  /// True for a zombie: a process that has ended but was not waited for.
  private static func hasEnded(_ process: pid_t) -> Bool {
    // The process name may contain parentheses; the state follows the last one.
    guard let text = text(process, "stat"), let end = text.lastIndex(of: ")") else { return false }
    return ["Z", "X"].contains(text[end...].dropFirst(2).first)
  }

  /// True for a process that has received SIGKILL but has not ended yet.
  private static func isKilled(_ process: pid_t) -> Bool {
    let pending = text(process, "status")?.split(separator: "\n").filter {
      $0.hasPrefix("SigPnd:") || $0.hasPrefix("ShdPnd:")
    }
    return pending?.contains { line in
      line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
        .map { $0 >> UInt64(SIGKILL - 1) & 1 == 1 } ?? false
    } ?? false
  }

  private static func text(_ process: pid_t, _ name: String) -> String? {
    guard let file = fopen("/proc/\(process)/\(name)", "re") else { return nil }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    return String(decoding: buffer[0..<fread(&buffer, 1, buffer.count, file)], as: UTF8.self)
  }

  /// Opens and locks a file that no process on this machine is writing.
  private static func claim(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0, lstat(path, &status) == 0
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
