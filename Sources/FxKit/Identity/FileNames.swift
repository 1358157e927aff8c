import Glibc

/// A name in a folder.
package struct FolderEntry {
  /// Has replacement characters if the name is not UTF-8; then a path with it cannot be opened.
  package let name: String
  package let isReachable: Bool
  fileprivate let isFolder: Bool

  /// True for a folder that cannot be opened.
  package var isLostFolder: Bool { isFolder && !isReachable }
}

/// The entries of a folder, sorted by the bytes of their names; nil if it cannot be read.
package func folderEntries(in folder: String) -> [FolderEntry]? {
  guard let directory = opendir(folder) else { return nil }
  defer { closedir(directory) }
  var entries: [FolderEntry] = []
  while let entry = readdir(directory) {
    let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
    let found = withUnsafePointer(to: entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { name in
        FolderEntry(
          name: String(cString: name), isReachable: String(validatingCString: name) != nil,
          isFolder: isFolder)
      }
    }
    if found.name != ".", found.name != ".." { entries.append(found) }
  }
  return entries.sorted { PathKey($0.name) < PathKey($1.name) }
}

/// Only the names of the entries.
package func fileNames(in folder: String) -> [String]? {
  folderEntries(in: folder)?.map(\.name)
}
