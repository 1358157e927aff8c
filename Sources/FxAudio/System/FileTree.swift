import Glibc

/// Operations on folders with all of their contents.
package enum FileTree {
  /// Removes a file or a folder; symbolic links are removed, not followed.
  package static func remove(_ path: String) {
    if kind(path, follows: false) == S_IFDIR {
      for name in names(path) { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }

  /// Copies the subfolders of a folder to another folder, without their files.
  package static func makeFolders(of source: String, in target: String) {
    for name in names(source) where kind("\(source)/\(name)", follows: false) == S_IFDIR {
      mkdir("\(target)/\(name)", 0o755)
      makeFolders(of: "\(source)/\(name)", in: "\(target)/\(name)")
    }
  }

  /// Removes folders without files from a folder.
  package static func removeEmptyFolders(in folder: String) {
    for name in names(folder) where kind("\(folder)/\(name)", follows: false) == S_IFDIR {
      removeEmptyFolders(in: "\(folder)/\(name)")
      rmdir("\(folder)/\(name)")
    }
  }

  /// Replaces symbolic links in a folder with copies, so that the folder can be moved.
  ///
  /// Returns the path that cannot be copied, with the system's reason.
  package static func replaceLinks(in folder: String) -> (path: String, reason: String)? {
    for name in names(folder) {
      let path = "\(folder)/\(name)"
      switch kind(path, follows: false) {
      case S_IFDIR:
        if let failure = replaceLinks(in: path) { return failure }
      case S_IFLNK:
        let copy = "\(path).copy"
        guard self.copy(path, to: copy, depth: 0), rename(copy, path) == 0 || replace(copy, path)
        else { return (path, String(cString: strerror(errno))) }
      default: break
      }
    }
    return nil
  }

  /// `rename` cannot replace a link with a folder.
  private static func replace(_ copy: String, _ path: String) -> Bool {
    unlink(path) == 0 && rename(copy, path) == 0
  }

  private static func copy(_ source: String, to target: String, depth: Int) -> Bool {
    if kind(source, follows: true) == S_IFDIR {
      // A link may point to a parent folder.
      guard depth < 16, mkdir(target, 0o755) == 0 else { return false }
      return names(source).allSatisfy {
        copy("\(source)/\($0)", to: "\(target)/\($0)", depth: depth + 1)
      }
    }
    // Does not block on something that is not a file, such as a pipe.
    let input = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard input >= 0 else { return false }
    defer { close(input) }
    guard kind(source, follows: true) == S_IFREG else {
      errno = EINVAL
      return false
    }
    let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard output >= 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(input, &buffer, buffer.count)
      guard count > 0 else { return close(output) == 0 && count == 0 }
      var written = 0
      while written < count {
        let step = buffer.withUnsafeBytes { bytes in
          write(output, bytes.baseAddress.map { $0 + written }, count - written)
        }
        guard step > 0 else {
          close(output)
          return false
        }
        written += step
      }
    }
  }

  /// Writes a folder with its contents to the disk (`fsync`); errors are ignored.
  package static func sync(_ path: String) {
    if kind(path, follows: false) == S_IFDIR {
      for name in names(path) { sync("\(path)/\(name)") }
    }
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// The same for the folder that contains a path, so that its names are on the disk.
  package static func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  package static func names(_ folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package static func exists(_ path: String) -> Bool { kind(path, follows: false) != nil }

  package static func kind(_ path: String, follows: Bool) -> UInt32? {
    var status = stat()
    guard (follows ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    return status.st_mode & S_IFMT
  }
}
