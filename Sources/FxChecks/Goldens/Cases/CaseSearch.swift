import FxAudio
import FxChain
package import FxKit
import Glibc

/// Finds case files.
package enum CaseSearch {
  /// The case files in folders and their subfolders, sorted by name, and the files in `paths`.
  /// Hidden folders and links to folders are ignored.
  ///
  /// - Throws: `ChainFailure` of kind `request` with the paths if nothing was found.
  package static func files(in paths: [String]) throws(ChainFailure) -> [String] {
    var found: [String] = []
    var seen: Set<PathKey> = []
    for path in paths.isEmpty ? ["."] : paths {
      var status = stat()
      guard !path.isEmpty, stat(path, &status) == 0 else {
        throw ChainFailure(
          .request, code: .notFound,
          path == "none"
            ? "none: this is the chain that changes nothing, and has no cases"
            : "\(path): there is no such file or folder",
          path: path,
          hints: ["fxrun test takes files of cases (NAME.test.json), and folders with them"])
      }
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      for file in isFolder ? try search(path) : [path]
      where seen.insert(PathKey(real(file))).inserted {
        found.append(file)
      }
    }
    guard found.isEmpty else { return found }
    let places = paths.isEmpty ? "the current folder" : paths.joined(separator: ", ")
    throw ChainFailure(
      .request, code: .noCases,
      "no case files in \(places): looked for NAME\(CaseFile.ending), in folders too; beside a chain "
        + "voice.json, voice\(CaseFile.ending) with { \"version\": 1 } is one")
  }

  private static func search(_ folder: String) throws(ChainFailure) -> [String] {
    guard let entries = folderEntries(in: folder) else {
      throw ChainFailure(
        .request, code: .unreadable,
        "\(folder): the folder cannot be read: \(String(cString: strerror(errno)))", path: folder)
    }
    var files: [String] = []
    for entry in entries where !entry.name.hasPrefix(".") {
      let name = entry.name
      let path = joined(folder, name)
      guard entry.isReachable || !(entry.isLostFolder || name.hasSuffix(CaseFile.ending)) else {
        throw ChainFailure(
          .request, code: .notFound,
          "\(path): a name that is not UTF-8 cannot be opened; rename it", path: path)
      }
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        files += try search(path)
      } else if name.hasSuffix(CaseFile.ending) {
        files.append(path)
      }
    }
    return files
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    if folder == "." { return name }
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  private static func real(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
