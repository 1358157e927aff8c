import Glibc
import Synchronization

/// A file in the user's cache folder that is read and replaced as a whole.
///
/// Read errors count as an empty file, and write errors are ignored: nothing depends on the cache.
package struct CacheFile: Sendable {
  /// nil where there is no cache folder.
  package let path: String?

  /// The number of drafts of this process: each has its own name, because two threads may write one
  /// file.
  private static let draftCount = Atomic<Int>(0)

  package init(path: String?) { self.path = path }

  /// `fxrun/NAME` in `XDG_CACHE_HOME` or `~/.cache`.
  package static func standardPath(_ name: String) -> String? {
    if let folder = getenv("XDG_CACHE_HOME"), folder.pointee == UInt8(ascii: "/") {
      return String(cString: folder) + "/fxrun/" + name
    }
    guard let home = getenv("HOME"), home.pointee != 0 else { return nil }
    return String(cString: home) + "/.cache/fxrun/" + name
  }

  package func contents() -> [UInt8]? {
    guard let path else { return nil }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (1...(64 << 20)).contains(status.st_size)
    else { return nil }
    let size = Int(status.st_size)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let got = read(file, buffer.baseAddress.map { $0 + count }, size - count)
        guard got > 0 else { break }
        count += got
      }
    }
  }

  /// Writes a temporary file next to the cache file and renames it, so that nobody reads half of
  /// it. False when it could not be written.
  package func replace(with bytes: [UInt8]) -> Bool {
    guard let path else { return false }
    makeFolders(of: path)
    let number = CacheFile.draftCount.add(1, ordering: .relaxed).newValue
    let draft = "\(path).\(getpid()).\(number)"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { return false }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { break }
      rest = rest.dropFirst(max(count, 0))
    }
    close(file)
    guard rest.isEmpty, rename(draft, path) == 0 else {
      unlink(draft)
      return false
    }
    return true
  }

  private func makeFolders(of path: String) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o755)
    }
  }
}
