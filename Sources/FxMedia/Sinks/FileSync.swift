import Glibc

/// Hands files to the disk, so that a loss of power does not take them.
package enum FileSync {
  /// Waits until a file with its length is on the disk. Returns 0 or an errno value: some file systems
  /// say only now that there was no room.
  package static func file(_ descriptor: Int32) -> Int32 {
    while fsync(descriptor) != 0 {
      switch errno {
      case EINTR: continue
      // What cannot be synced at all is no error.
      case EINVAL, ENOSYS, ENOTSUP, EROFS: return 0
      default: return errno
      }
    }
    return 0
  }

  /// The same for the names in the folder of a file; where that cannot be, they are as safe as they can be.
  package static func folder(of path: String) {
    let folder = PartialName.split(path).folder
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = file(descriptor)
    close(descriptor)
  }
}
