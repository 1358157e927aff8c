import Glibc

/// Syncs files to the disk, so that a loss of power does not destroy them.
package enum FileSync {
  /// Waits until a file and its length are on the disk. Returns 0 or an errno value: some file
  /// systems report only now that the disk is full.
  package static func file(_ descriptor: Int32) -> Int32 {
    while fsync(descriptor) != 0 {
      switch errno {
      case EINTR: continue
      // A descriptor that cannot be synced at all is not an error.
      case EINVAL, ENOSYS, ENOTSUP, EROFS: return 0
      default: return errno
      }
    }
    return 0
  }

  /// Syncs the folder of a file, so that its new name is on the disk. Errors are ignored.
  package static func folder(of path: String) {
    let folder = PartialName.split(path).folder
    let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = file(descriptor)
    close(descriptor)
  }
}
