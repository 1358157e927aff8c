import Foundation
import FxImport
import FxKit
import FxTestSupport
import Testing

/// Every configuration of `Fixtures`, a folder for each format: the chain has no mistakes, and no line of the
/// configuration is without an outcome. `scripts/test-imports` compares the sounds.
@Suite struct ConfigurationTests {
  static let fixtures: [String] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    let found = FileManager.default.subpaths(atPath: root.path) ?? []
    return found.filter { $0.contains(".") && !$0.hasSuffix(".irs") && !$0.contains("/parts/") }
      .sorted().map {
        root.appending(path: $0).path
      }
  }()

  @Test func `each format has at least twenty configurations`() {
    let formats = Dictionary(grouping: Self.fixtures) { path in
      URL(filePath: path).deletingLastPathComponent().lastPathComponent
    }
    #expect(formats.keys.count == ForeignFormat.allCases.count)
    for (format, paths) in formats { #expect(paths.count >= 20, "\(format)") }
  }

  @Test(arguments: fixtures) func `a configuration becomes a chain without mistakes`(_ path: String)
    throws
  {
    let imported = try Imports.read(path)
    #expect(imported.report.format.rawValue == URL(filePath: path).pathComponents.dropLast().last)
    let folder = TemporaryFolder()
    for file in imported.files {
      switch file.content {
      case .text(let text): folder.write(file.name, Array(text.utf8))
      case .copy(let origin):
        // The report has refused a file that is not there.
        guard let bytes = try? Data(contentsOf: URL(filePath: origin)) else { continue }
        folder.write(file.name, Array(bytes))
      }
    }
    let chain = Chain(json: imported.graph.json, path: folder.file("chain.json"))
    let mistakes = chain.check().filter { $0.severity == .error }
    #expect(mistakes.isEmpty, "\(mistakes.map(\.message))")
  }

  @Test(arguments: fixtures) func `every line has an outcome`(_ path: String) throws {
    let report = try Imports.read(path).report
    let known = Set(report.parts.map(\.line))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where Self.hasValue(line) {
      #expect(known.contains(index + 1), "line \(index + 1): \(line)")
    }
    // What an importer does not read would be here.
    let unread = report.parts.filter { $0.outcome.text?.contains("does not know this key") == true }
    #expect(unread.isEmpty, "\(unread.map(\.name))")
  }

  /// False for comments, brackets, and keys whose values follow on other lines.
  private static func hasValue(_ line: Substring) -> Bool {
    let text = line.trimmingCharacters(in: .whitespaces)
    guard !text.isEmpty, !text.hasPrefix("#") else { return false }
    // Turtle: a prefix, and a subject whose statements follow.
    if text.hasPrefix("@prefix")
      || !line.hasPrefix(" ") && text.hasPrefix("<") && text.hasSuffix(">")
      || text.hasPrefix("_:") && !text.contains(" ")
    {
      return false
    }
    if text.allSatisfy({ "[]{};, ".contains($0) }) { return false }
    return !(text.hasSuffix(":") || text.hasSuffix("{") || text.hasSuffix("["))
  }
}

/// Reads configurations as `fxrun import` does.
enum Imports {
  static func read(_ path: String) throws -> ImportedChain {
    // Effects of sox and ffmpeg stand in a command line; here each has a file in the folder of its format.
    let folder = URL(filePath: path).deletingLastPathComponent().lastPathComponent
    let format = ForeignFormat(rawValue: folder)
    return try read(
      Array(try Data(contentsOf: URL(filePath: path))), path,
      format == .sox || format == .ffmpeg ? format : nil)
  }

  static func read(_ bytes: [UInt8], _ path: String, _ format: ForeignFormat? = nil) throws
    -> ImportedChain
  {
    try ImportedChain(
      bytes: bytes, path: path,
      target: ImportTarget(configuration: path, chain: path + ".json", collects: false),
      format: format)
  }
}
