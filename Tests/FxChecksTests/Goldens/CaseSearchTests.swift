import Foundation
@testable import FxChecks
import FxKit
import Testing

@Suite struct CaseSearchTests {
  private let folder = CaseFolder()

  init() throws {
    for path in ["b/x.test.json", "a.test.json", "b/a/y.test.json", ".git/z.test.json", "c.json"] {
      let file = URL(filePath: "\(folder.path)/\(path)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try "{ \"version\": 1 }".write(to: file, atomically: true, encoding: .utf8)
    }
  }

  private func names(_ paths: String...) throws -> [String] {
    try CaseSearch.files(in: paths.map { "\(folder.path)/\($0)" }).map {
      String($0.dropFirst(folder.path.count).drop { $0 == "/" })
    }
  }

  @Test func `folders are searched in order, without hidden ones`() throws {
    #expect(try names("") == ["a.test.json", "b/a/y.test.json", "b/x.test.json"])
  }

  @Test func `files are used as given, each once`() throws {
    #expect(
      try names("c.json", "b", "b/x.test.json") == ["c.json", "b/a/y.test.json", "b/x.test.json"])
  }

  @Test func `a link into its own folder is not followed`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/b/again", withDestinationPath: "..")
    #expect(try names("").count == 3)
  }

  @Test func `a search without a result reports its pattern`() throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/empty", withIntermediateDirectories: true)
    let failure = #expect(throws: ChainFailure.self) { try names("empty") }
    #expect(failure?.message.contains("looked for NAME.test.json") == true)
    #expect(failure?.kind == .request)
    let missing = #expect(throws: ChainFailure.self) { try names("nowhere") }
    #expect(missing?.code == "not-found")
  }

  // MARK: Names

  private func cases(_ files: [String: String]) -> [SuiteCase] {
    SuiteCase.all(
      of: files.sorted { $0.key < $1.key }.map {
        CaseFile(bytes: Array($0.value.utf8), path: $0.key)
      })
  }

  @Test func `cases with the same name get their folder as prefix`() {
    let several = "{ \"version\": 1, \"cases\": { \"quiet\": {} } }"
    let labels = cases([
      "a/voice.test.json": several, "b/voice.test.json": several,
      "b/bass.test.json": "{ \"version\": 1 }",
    ]).map(\.label)
    #expect(labels == ["a/voice/quiet", "bass", "b/voice/quiet"])
  }

  @Test(arguments: [
    ("uie", true), ("voice/quiet", true), ("loud", false), ("voice/*", true), ("*quiet", true),
    ("v?ice/qu*t", true), ("quie*", false), ("*", true), ("voice", true), ("voice?", false),
    ("*i*i*", true), ("*x*", false),
  ])
  func `a filter is a part of a name or a pattern for the whole name`(
    _ word: String, _ isFound: Bool
  ) {
    let quiet = cases(["voice.test.json": "{ \"version\": 1, \"cases\": { \"quiet\": {} } }"])
    #expect(quiet.map { $0.matches([word]) } == [isFound])
    #expect(quiet.map { $0.matches(["nothing", word]) } == [isFound])
    #expect(quiet.map { $0.matches([]) } == [true])
  }
}
