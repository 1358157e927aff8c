import Foundation
import FxTestSupport
import Testing

@Suite("check --fix") struct CheckFixTests {
  private let folder = Folder()
  private static let old =
    #"{ "version": 1, "tempo": 120, "chain": [ { "unit": "delay", "parameters": { "time": "1/2" } } ] }"#
  private static let new =
    #"{ "version": 2, "tempo": 120, "chain": [ { "unit": "delay", "parameters": { "time": "1/8" } } ] }"#

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.file(name), encoding: .utf8)
  }

  @Test func `the file is rewritten with its permissions, at the end of its links`() throws {
    try folder.write("chain.json", Self.old)
    chmod(folder.file("chain.json"), 0o640)
    symlink("chain.json", folder.file("link.json"))
    let outcome = try folder.run("check", "--fix", "link.json")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(outcome.errorText.contains("link.json:1:85: \"1/2\" is \"1/8\" now"))
    #expect(try text("chain.json") == Self.new)
    let facts = try FileManager.default.attributesOfItem(atPath: folder.file("chain.json"))
    #expect(facts[.posixPermissions] as? Int == 0o640)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link.json"))
        == "chain.json")
    let again = try folder.run("check", "--fix", "chain.json")
    #expect(again.exitCode == 0 && again.errorText.contains("chain.json: nothing to rewrite"))
  }

  @Test func `a chain with mistakes, or none at all, stays as it is`() throws {
    let wrong = Self.old.replacing("delay", with: "dealy")
    try folder.write("chain.json", wrong)
    let outcome = try folder.run("check", "--fix", "chain.json")
    #expect(outcome.exitCode == 2 && outcome.text.contains("there is no unit 'dealy'"))
    #expect(try text("chain.json") == wrong)
    #expect(try folder.run("check", "--fix", "none").exitCode == 64)
  }

  @Test func `a full disk leaves the chain as it was`() throws {
    try folder.write("chain.json", Self.old)
    let line = "ulimit -f 0; exec '\(Program.path)' check --fix chain.json"
    let outcome = try Program.run(["-c", line], executable: "/bin/sh", in: folder.path)
    #expect(outcome.exitCode == 5 && outcome.errorText.contains("chain.json: cannot be written"))
    #expect(try text("chain.json") == Self.old)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["chain.json"])
  }
}
