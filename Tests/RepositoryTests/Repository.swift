import Foundation
import Testing

/// The checkout that the tests were built from.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Folders of Sources with code that runs between two periods of a sound card.
  static let realtimeFolders =
    [
      "Channels", "Events", "Formulas", "Math", "Parameters", "Plugins", "Text", "Threads",
      "Timing", "Units",
    ].map { "FxAudio/\($0)" } + ["FxUnits", "FxEngine"]

  struct Source: CustomTestStringConvertible, Sendable {
    let path: String
    let lines: [String]
    var testDescription: String { path }
  }

  static func sources(under folder: String) throws -> [Source] {
    try texts(under: folder, endings: [".swift"])
  }

  /// Sources of every language.
  static func texts(
    under folder: String, endings: [String] = [".swift", ".c", ".h"]
  ) throws -> [Source] {
    let base = root.appending(path: folder)
    let names = FileManager.default.enumerator(atPath: base.path)
    return try (names?.allObjects as? [String] ?? [])
      .filter { name in endings.contains { name.hasSuffix($0) } }.sorted()
      .map { name in
        let text = try String(contentsOf: base.appending(path: name), encoding: .utf8)
        return Source(
          path: "\(folder)/\(name)",
          lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
      }
  }
}
