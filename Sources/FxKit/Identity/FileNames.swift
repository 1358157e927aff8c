import Glibc

/// A name in a folder.
package struct FolderEntry {
  /// With replacement characters when the name is not UTF-8. No path made of it can be opened then.
  package let name: String
  package let isReachable: Bool
  fileprivate let isFolder: Bool

  /// True for a folder that cannot be opened.
  package var isLostFolder: Bool { isFolder && !isReachable }
}

/// What is in a folder, in the order of the bytes of its names; nil where it cannot be read.
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

/// The names alone.
package func fileNames(in folder: String) -> [String]? {
  folderEntries(in: folder)?.map(\.name)
}
