import FxAudio
import FxChain
import Glibc

/// The example chains that are installed with fxrun. The command line finds them by their names.
package struct ShippedChains: Sendable {
  /// Those in `share/fxrun/chains`, beside the folder of the program.
  package static let installed = ShippedChains(
    folder: (Installation.prefix ?? "") + "/share/fxrun/chains")

  package let folder: String

  /// The names without `.json`, sorted.
  package let names: [String]

  package init(folder: String) {
    self.folder = folder
    names = FileTree.names(folder).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
      // Cases and goldens have two endings.
      .filter { !$0.isEmpty && !$0.contains(".") }
  }

  /// The file of a chain; nil if there is none of this name.
  package func path(of name: String) -> String? {
    names.contains(name) ? "\(folder)/\(name).json" : nil
  }

  /// The chain file that a word of the command line means: a file, or the file of a shipped chain.
  /// A word that means neither is returned as it is.
  package func file(_ word: String) -> String {
    Self.canBeName(word) ? path(of: word) ?? word : word
  }

  /// True for a word that means a shipped chain.
  package func means(_ word: String) -> Bool { Self.canBeName(word) && path(of: word) != nil }

  /// An existing file comes first, and a path is always a file. A folder is no chain.
  private static func canBeName(_ word: String) -> Bool {
    guard !word.isEmpty, word != "-", !word.contains("/"), !word.hasSuffix(".json") else {
      return false
    }
    return [nil, S_IFDIR].contains(FileTree.kind(word, follows: true))
  }

  /// Explains why the chain that a word means is missing; nil if the word means an existing file, or
  /// if no chains are installed.
  package func mistake(_ word: String) -> ChainFailure? {
    guard !names.isEmpty, !word.isEmpty, !FileTree.exists(word), !means(word) else { return nil }
    if Self.canBeName(word) {
      return ChainFailure(
        .chain, code: .unreadable,
        "\(word): the chain cannot be read: there is no file and no installed chain of this name",
        path: word,
        hints: Suggestion.hint(for: word, in: names) + ["'fxrun chains' lists the installed chains"]
      )
    }
    // `chains/radio.json`, as in the folder of the sources.
    let last = word.split(separator: "/").last.map(String.init) ?? word
    let name = String(last.dropLast(5))
    guard last.hasSuffix(".json"), path(of: name) != nil else { return nil }
    return ChainFailure(
      .chain, code: .unreadable, "\(word): the chain cannot be read: there is no such file",
      path: word,
      hints: ["the installed chain of this name is '\(name)', without a folder and .json"])
  }
}

extension Chain {
  /// Reads the chain that a word of the command line means: a file, a shipped chain, or `none` for a
  /// chain that changes nothing.
  package init(
    named word: String, variables: [String: String] = [:],
    among shipped: ShippedChains = .installed
  ) throws(ChainFailure) {
    if word == Self.empty.path {
      self = .empty
      return
    }
    if let mistake = shipped.mistake(word) { throw mistake }
    try self.init(contentsOfFile: shipped.file(word), variables: variables)
  }
}
