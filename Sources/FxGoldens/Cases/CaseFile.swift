import FxChain
package import FxDiagnostics

/// A case file and what is wrong with it.
package struct CaseFile: Sendable {
  /// As it was given.
  package let path: String
  /// Without the cases that cannot be read.
  package let cases: [TestCase]
  package let diagnostics: Diagnostics

  /// The ending of case files that are looked for.
  package static let ending = ".test.json"

  /// Reads a file; one that cannot be read has no cases and a message that says why.
  package init(contentsOfFile path: String) {
    do throws(ChainFileError) {
      self.init(bytes: try ChainFile.readNamed(path), path: path)
    } catch {
      self.init(
        path: path,
        mistake: Diagnostic(
          .unreadableFile, "the case file cannot be read: \(error.message)", origin: path))
    }
  }

  /// Takes a file's text; what it names is relative to the folder of `path`.
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
