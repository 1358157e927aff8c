import Glibc

/// A file that a process was writing when it was killed, kept under a partial name.
package struct RecoveredFile: Sendable, Hashable {
  /// Where it is now.
  package let path: String
  /// What it was to be.
  package let target: String
  /// Seconds of sound in it; nil where its header is damaged.
  package let seconds: Double?

  /// Its length, for people.
  package var length: String {
    seconds.map { clockSeconds(Int(($0 * 1000).rounded()), 1000) } ?? "its header is damaged"
  }
}

/// Files that were begun by processes that were killed before they could complete them.
enum StaleFiles {
  /// Keeps those that hold sound, as `partial`, with a header that says how much, and removes the others.
  ///
  /// - Parameter beginning: of the hidden names; the number of a process follows, and perhaps another.
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
      // Where it cannot have another name it stays as it is.
      guard let name = try? partial.take(path) else { continue }
      kept.append(RecoveredFile(path: name, target: target, seconds: seconds))
    }
    if let path = kept.first?.path { FileSync.folder(of: path) }
    return kept
  }

  /// Removes them, where they can be made again.
  ///
  /// - Parameter isFresh: True looks into the folder now, false may have done so a few seconds ago.
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

  /// `4711` and `4711.2` are of process 4711.
  private static func process(_ text: Substring) -> pid_t? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ part in !part.isEmpty && part.allSatisfy { ("0"..."9").contains($0) } }),
      let process = parts.first.flatMap({ pid_t($0) }), process > 0
    else { return nil }
    return process
  }

  /// After a restart of the machine another process may have the number: a file that has not been
  /// written for a while is not its own. The lock decides in any case.
  private static func isGone(_ process: pid_t, _ path: String) -> Bool {
    // On a busy machine a process that was killed has to wait for its turn to end.
    for _ in 0..<100 where isKilled(process) && !hasEnded(process) { usleep(10000) }
    if kill(process, 0) != 0 ? errno == ESRCH : hasEnded(process) { return true }
    var status = stat()
    return lstat(path, &status) == 0 && time(nil) - status.st_mtim.tv_sec > 10
  }

  /// True for a process that has ended and whose status nobody has taken yet.
  private static func hasEnded(_ process: pid_t) -> Bool {
    // Its name may hold anything, parentheses too; its state follows.
    guard let text = text(process, "stat"), let end = text.lastIndex(of: ")") else { return false }
    return ["Z", "X"].contains(text[end...].dropFirst(2).first)
  }

  /// True for a process that has been sent SIGKILL and has not ended yet.
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

  /// Opens and locks a file that nobody on this machine is writing.
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
