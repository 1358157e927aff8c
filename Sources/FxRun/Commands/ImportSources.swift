import FxAudio
import FxChain
import FxKit

/// The configurations that `fxrun import` was given: files, and what folders have.
struct ImportSources {
  struct Source {
    let path: String
    let bytes: [UInt8]
    /// nil for a format that the content tells.
    var format: ForeignFormat?

    /// The name of its chain in a folder.
    var chainName: String {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
      return "\(stem.isEmpty ? name : stem).json"
    }
  }

  let all: [Source]
  /// True if the chains go into a folder.
  let isSeveral: Bool

  /// Reads the files. In a folder, a file of no known format is left out.
  ///
  /// - Parameter texts: effects that the command line gives, with their format.
  /// - Throws: `ChainFailure` of kind `input` for a file that cannot be read, and for a folder without
  ///   configurations; of kind `request` for two that would have one name.
  init(
    _ paths: [String], texts: [(format: ForeignFormat, text: String)] = []
  ) throws(ChainFailure) {
    var all: [Source] = []
    var isSeveral = paths.count + texts.count > 1
    for (format, text) in texts {
      all.append(
        Source(path: "--\(format.rawValue)", bytes: Array(text.utf8), format: format))
    }
    for path in paths {
      guard let entries = folderEntries(in: path) else {
        all.append(Source(path: path, bytes: try Self.read(path)))
        continue
      }
      isSeveral = true
      let before = all.count
      for entry in entries where entry.isReachable && !entry.name.hasPrefix(".") {
        let file = path.hasSuffix("/") ? path + entry.name : "\(path)/\(entry.name)"
        guard folderEntries(in: file) == nil else { continue }
        let bytes = try Self.read(file)
        if ForeignFormat(recognizing: bytes) != nil { all.append(Source(path: file, bytes: bytes)) }
      }
      guard all.count > before else {
        throw ChainFailure(
          .input, code: .unsupportedFormat,
          "\(path): this folder has no configuration that fxrun can import", path: path)
      }
    }
    let names = Dictionary(grouping: all, by: \.chainName)
    if isSeveral, let (name, same) = names.first(where: { $0.value.count > 1 }) {
      throw ChainFailure(
        .request, code: .usage,
        "\(same.map(\.path).joined(separator: " and ")) would both become \(name)")
    }
    (self.all, self.isSeveral) = (all, isSeveral)
  }

  static func read(_ path: String) throws(ChainFailure) -> [UInt8] {
    do throws(Failure) {
      return try ChainFile.read(path)
    } catch {
      throw ChainFailure(
        .input, code: .unreadable, "\(path): the file cannot be read: \(error.message)", path: path)
    }
  }
}
