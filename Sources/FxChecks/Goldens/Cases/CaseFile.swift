import FxAudio
package import FxChain

/// A case file and its mistakes.
package struct CaseFile: Sendable {
  /// The path as the caller gave it.
  package let path: String
  /// Only the cases that could be read.
  package let cases: [TestCase]
  package let diagnostics: Diagnostics

  /// The ending of case files in a search.
  package static let ending = ".test.json"

  /// Reads a file. If it cannot be read, there are no cases and one diagnostic with the reason.
  package init(contentsOfFile path: String) {
    do throws(Failure) {
      self.init(bytes: try ChainFile.readNamed(path), path: path)
    } catch {
      self.init(
        path: path,
        mistake: Diagnostic(
          .unreadableFile, "the case file cannot be read: \(error.message)", origin: path))
    }
  }

  /// Reads a file's text. Paths in it are relative to the folder of `path`.
  package init(bytes: [UInt8], path: String) {
    self.path = path
    (cases, diagnostics) = CaseReader.read(bytes: bytes, path: path)
  }

  private init(path: String, mistake: Diagnostic) {
    self.path = path
    cases = []
    diagnostics = Diagnostics([mistake])
  }

  /// `voice` for `chains/voice.test.json`.
  package static func name(of path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    for ending in [ending, ".json"] where file.hasSuffix(ending) && file.count > ending.count {
      return String(file.dropLast(ending.count))
    }
    return file
  }
}
