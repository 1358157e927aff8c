package import FxKit
import Glibc

/// Finds the sound files for the arguments of a command line: files, folders and patterns.
package struct BatchSearch {
  /// The folder with the outputs of earlier runs, ignored when it is inside a searched folder.
  private let outputFolder: String

  package init(outputFolder: String) { self.outputFolder = Self.real(outputFolder) }

  /// The endings of sound files in a folder.
  static let endings: Set<String> = [
    "wav", "wave", "bwf", "flac", "aif", "aiff", "aifc", "caf", "w64", "rf64", "au", "snd", "ogg",
    "oga", "opus", "mp3", "mp2", "mpga", "m4a", "m4b", "aac", "wma", "ape", "wv", "mka",
  ]

  /// The files; those of folders and patterns are sorted by name. A file that is named twice
  /// appears once.
  ///
  /// - Throws: `ChainFailure` of kind `input` for an argument without a file.
  package func files(_ words: [String]) throws(ChainFailure) -> [BatchFile] {
    var found: [BatchFile] = []
    var seen: Set<PathKey> = []
    for word in words {
      for file in try files(word) where seen.insert(PathKey(file.path)).inserted {
        found.append(file)
      }
    }
    return found
  }

  private func files(_ word: String) throws(ChainFailure) -> [BatchFile] {
    var status = stat()
    if !word.isEmpty, stat(word, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { return [BatchFile(named: word)] }
      let files = try search(word, "")
      guard files.isEmpty else { return files }
      throw Self.nothing(word, "there is no sound file in this folder or in those within it")
    }
    let code = errno
    guard word.contains(where: { "*?[".contains($0) }) else {
      throw Self.nothing(word, code == ENOENT ? "no such file or folder" : systemMessage(code))
    }
    let matches = Self.matches(word)
    let root = word.prefix { !"*?[".contains($0) }
    let folder = root.lastIndex(of: "/").map { root.distance(from: root.startIndex, to: $0) + 1 }
    var files: [BatchFile] = []
    for path in matches {
      let isThere = stat(path, &status) == 0
      guard isThere || path.contains("\u{fffd}") else { continue }
      if isThere, status.st_mode & S_IFMT == S_IFDIR {
        files += try search(path, "")
      } else {
        files.append(BatchFile(path: path, relative: String(path.dropFirst(folder ?? 0))))
      }
    }
    guard files.isEmpty else { return files }
    throw Self.nothing(word, "the pattern matches no sound file")
  }

  /// The sound files in a folder and its subfolders. Hidden names and links to folders are ignored.
  private func search(_ folder: String, _ within: String) throws(ChainFailure) -> [BatchFile] {
    guard let entries = folderEntries(in: folder) else {
      throw Self.nothing(folder, "the folder cannot be read: \(systemMessage(errno))")
    }
    var files: [BatchFile] = []
    for entry in entries where !entry.name.hasPrefix(".") {
      let name = entry.name
      let path = folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      let relative = within.isEmpty ? name : "\(within)/\(name)"
      var status = stat()
      guard !entry.isLostFolder else {
        throw Self.nothing(path, "a folder whose name is not UTF-8 cannot be searched; rename it")
      }
      // A file with an unreachable name stays in the list, so that it fails and is reported.
      let isThere = lstat(path, &status) == 0
      guard isThere || !entry.isReachable else { continue }
      if isThere, status.st_mode & S_IFMT == S_IFDIR {
        if Self.real(path) != outputFolder { files += try search(path, relative) }
      } else if let dot = name.lastIndex(of: "."),
        Self.endings.contains(name[name.index(after: dot)...].lowercased())
      {
        files.append(BatchFile(path: path, relative: relative))
      }
    }
    return files
  }

  private static func matches(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0, let paths = found.gl_pathv else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { paths[$0].map { String(cString: $0) } }
      .sorted { PathKey($0) < PathKey($1) }
  }

  private static func nothing(_ path: String, _ problem: String) -> ChainFailure {
    ChainFailure(.input, code: "notFound", "\(path): \(problem)", path: path)
  }

  private func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }

  static func real(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
