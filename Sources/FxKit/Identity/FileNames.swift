import Glibc

/// A name in a folder.
package struct FolderEntry {
  /// Has replacement characters if the name is not UTF-8; then only its bytes lead to the file.
  package let name: String
  package let bytes: [UInt8]
  package let isReachable: Bool
  fileprivate let isFolder: Bool

  /// True for a folder that cannot be opened.
  package var isLostFolder: Bool { isFolder && !isReachable }
}

/// The entries of a folder, sorted by the bytes of their names; nil if it cannot be read.
package func folderEntries(in folder: String) -> [FolderEntry]? {
  folder.withCString(folderEntries)
}

/// The same for a folder whose name need not be UTF-8.
package func folderEntries(in folder: UnsafePointer<CChar>) -> [FolderEntry]? {
  guard let directory = opendir(folder) else { return nil }
  defer { closedir(directory) }
  var entries: [FolderEntry] = []
  while let entry = readdir(directory) {
    let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
    let found = withUnsafePointer(to: entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { name in
        FolderEntry(
          name: String(cString: name),
          bytes: Array(UnsafeRawBufferPointer(start: name, count: strlen(name))),
          isReachable: String(validatingCString: name) != nil, isFolder: isFolder)
      }
    }
    if found.name != ".", found.name != ".." { entries.append(found) }
  }
  return entries.sorted { PathKey($0.name) < PathKey($1.name) }
}

/// Only the names of the entries.
func fileNames(in folder: String) -> [String]? {
  folderEntries(in: folder)?.map(\.name)
}
