import Glibc

/// Files that were begun by processes that were killed before they could remove them.
enum StaleFiles {
  /// Removes `BEGINNING` with a process number behind it, and perhaps another number, where nobody
  /// writes it any more: there is no such process here, and nobody on this machine holds the file's lock.
  static func remove(in folder: String, beginning: String) {
    guard let listing = opendir(folder.isEmpty ? "." : folder) else { return }
    defer { closedir(listing) }
    var found: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasPrefix(beginning), let process = process(name.dropFirst(beginning.count)),
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      found.append(folder + name)
    }
    for path in found where !isHeld(path) { unlink(path) }
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

  private static func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return true }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }
}
