import Glibc

/// Files named in a chain.
package enum ChainFile {
  /// The largest allowed file.
  private static let byteLimit = 1 << 28

  /// The bytes of a chain file. It may be a pipe: the user who started fxrun waits for it.
  package static func read(_ path: String) throws(ChainFileError) -> [UInt8] {
    try read(path, folderHint: "; name the chain file in it", isFile: false)
  }

  /// The bytes of a file named in a chain, or of a chain that replaces a running one. It must be a
  /// regular file, so that fxrun never waits for a pipe without a writer.
  package static func readNamed(_ path: String) throws(ChainFileError) -> [UInt8] {
    try read(path, folderHint: "; name the file in it", isFile: true)
  }

  private static func read(
    _ path: String, folderHint: String, isFile: Bool
  ) throws(ChainFileError) -> [UInt8] {
    guard !path.utf8.contains(0) else { throw ChainFileError(message: reason(ENOENT, folderHint)) }
    let waiting = isFile ? O_NONBLOCK : 0
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | waiting)
    guard descriptor >= 0 else { throw ChainFileError(message: reason(errno, folderHint)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw ChainFileError(message: reason(errno, folderHint))
    }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFDIR { throw ChainFileError(message: reason(EISDIR, folderHint)) }
    if isFile, kind != S_IFREG { throw ChainFileError(message: notAFile) }
    if kind == S_IFREG, Int(status.st_size) > byteLimit { throw tooLarge }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw ChainFileError(message: reason(errno, folderHint)) }
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
      guard bytes.count <= byteLimit else { throw tooLarge }
    }
  }

  private static let notAFile = "it is a pipe or a device, not a file"

  private static var tooLarge: ChainFileError {
    ChainFileError(message: "it is larger than 256 MiB, the limit for such a file")
  }

  private static func reason(_ code: Int32, _ folderHint: String) -> String {
    switch code {
    case ENOENT: "there is no such file; check the name and the folder"
    case EISDIR: "it is a folder\(folderHint)"
    case EACCES: "reading it is not permitted"
    default: String(cString: strerror(code))
    }
  }

  /// Resolves a path in a chain, relative to the chain's folder.
  package static func path(_ path: String, relativeTo chain: String) -> String {
    let plain = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    guard !path.hasPrefix("/"), let slash = chain.lastIndex(of: "/") else { return plain }
    return chain[...slash] + plain
  }

  /// The absolute path, for a process with another working folder.
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  /// Why a property's file cannot be read; nil if it can.
  static func obstacle(_ path: String) -> String? {
    let hint = "; name the file in it"
    guard access(path, R_OK) == 0 else { return reason(errno, hint) }
    var status = stat()
    guard stat(path, &status) == 0 else { return reason(errno, hint) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: return reason(EISDIR, hint)
    default: return notAFile
    }
  }

  /// A path without `.` components, and with `..` components resolved.
  static func normalized(_ path: some StringProtocol) -> String {
    var steps: [Substring] = []
    for step in String(path)[...].split(separator: "/") where step != "." {
      if step == "..", let last = steps.last, last != ".." {
        steps.removeLast()
      } else {
        steps.append(step)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + steps.joined(separator: "/")
  }
}

/// Why a chain file cannot be read.
package struct ChainFileError: Error, Sendable {
  package let message: String

  package init(message: String) { self.message = message }
}
