import CRealtime
import FxAudio
import FxKit
import Glibc

/// Finds the sound files for the arguments of a command line: files, folders and patterns.
struct BatchSearch {
  /// The folder with the outputs of earlier runs, ignored when it is inside a searched folder.
  private let outputFolder: String
  private let endings: Set<String>

  /// - Parameter isRaw: finds the sound files without a header in folders.
  package init(outputFolder: String, isRaw: Bool = false) {
    self.outputFolder = Self.real(outputFolder)
    endings = isRaw ? Self.rawEndings : Self.endings
  }

  /// The endings of sound files in a folder.
  static let endings: Set<String> = [
    "wav", "wave", "bwf", "flac", "aif", "aiff", "aifc", "caf", "w64", "rf64", "au", "snd", "ogg",
    "oga", "opus", "mp3", "mp2", "mpga", "m4a", "m4b", "aac", "wma", "ape", "wv", "mka",
  ]

  static let rawEndings: Set<String> = ["raw", "pcm"]

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
    let path = Self.argument(word)
    if let kind = Self.kind(path) {
      guard kind == S_IFDIR else { return [BatchFile(named: path)] }
      let files = try search(path, RawPath(""))
      guard files.isEmpty else { return files }
      throw Self.nothing(word, "there is no sound file in this folder or in those within it")
    }
    let code = errno
    guard word.contains(where: { "*?[".contains($0) }) else {
      throw Self.nothing(word, code == ENOENT ? "no such file or folder" : systemMessage(code))
    }
    let root = word.prefix { !"*?[".contains($0) }
    let folder = root.utf8.lastIndex(of: UInt8(ascii: "/")).map { root[...$0].utf8.count } ?? 0
    var files: [BatchFile] = []
    for path in Self.matches(word) {
      guard let kind = Self.kind(path) else { continue }
      if kind == S_IFDIR {
        files += try search(path, RawPath(""))
      } else {
        files.append(BatchFile(path, relative: RawPath(path.bytes.dropFirst(folder))))
      }
    }
    guard files.isEmpty else { return files }
    throw Self.nothing(word, "the pattern matches no sound file")
  }

  /// The bytes of an argument, which the command line parser repairs if they are not UTF-8.
  private static func argument(_ word: String) -> RawPath {
    guard word.unicodeScalars.contains("\u{fffd}") else { return RawPath(word) }
    for index in 1..<max(fx_argument_count(), 1) {
      if let text = fx_argument(index), String(cString: text) == word { return RawPath(text) }
    }
    return RawPath(word)
  }

  /// The kind of a file; nil if it does not exist.
  private static func kind(_ path: RawPath, follows: Bool = true) -> mode_t? {
    guard !path.bytes.isEmpty else {
      errno = ENOENT
      return nil
    }
    var status = stat()
    let code = path.withCString { follows ? stat($0, &status) : lstat($0, &status) }
    return code == 0 ? status.st_mode & S_IFMT : nil
  }

  /// The sound files in a folder and its subfolders. Hidden names and links to folders are ignored.
  private func search(_ folder: RawPath, _ within: RawPath) throws(ChainFailure) -> [BatchFile] {
    guard let entries = folder.withCString({ folderEntries(in: $0) }) else {
      throw Self.nothing(folder.text, "the folder cannot be read: \(systemMessage(errno))")
    }
    var files: [BatchFile] = []
    for entry in entries where !entry.name.hasPrefix(".") {
      let (path, relative) = (folder.appending(entry.bytes), within.appending(entry.bytes))
      guard let kind = Self.kind(path, follows: false) else { continue }
      if kind == S_IFDIR {
        if Self.real(path.text) != outputFolder { files += try search(path, relative) }
      } else if let dot = entry.name.lastIndex(of: "."),
        endings.contains(entry.name[entry.name.index(after: dot)...].lowercased())
      {
        files.append(BatchFile(path, relative: relative))
      }
    }
    return files
  }

  private static func matches(_ pattern: String) -> [RawPath] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0, let paths = found.gl_pathv else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { paths[$0].map { RawPath(UnsafePointer($0)) } }
      .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  private static func nothing(_ path: String, _ problem: String) -> ChainFailure {
    ChainFailure(.input, code: .notFound, "\(path): \(problem)", path: path)
  }

  private func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }

  static func real(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
