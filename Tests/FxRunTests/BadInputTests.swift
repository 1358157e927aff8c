import Foundation
import FxTestSupport
import Testing

/// Each mistake gives an exit code and a message with its place and a remedy, and leaves no file.
@Suite struct BadInputTests {
  @Test(arguments: chains + inputs + outputs + options)
  func `a mistake is reported and leaves nothing behind`(_ mistake: BadInput) throws {
    let folder = Folder()
    if let chain = mistake.chain { try folder.write("chain.json", chain) }
    try folder.write("in.wav", BadInput.sound, bits: 16)
    try mistake.arrange(folder)
    let before = try snapshot(folder)
    let outcome = try Program.run(
      mistake.arguments, in: folder.path, environment: mistake.environment)
    #expect(outcome.signal == nil)
    #expect(outcome.exitCode == mistake.exitCode, "\(outcome.errorText)")
    for text in mistake.says {
      #expect(outcome.errorText.contains(text), "'\(text)' is not in: \(outcome.errorText)")
    }
    #expect(outcome.text == "")
    #expect(try snapshot(folder) == before)
  }

  @Test func `a check finds options with which a unit cannot be created`() throws {
    let folder = Folder()
    try folder.write(
      "chain.json",
      BadInput.list(#"{ "unit": "matrix", "routes": [ { "from": 1, "to": 3 } ] }"#))
    let outcome = try Program.run(["check", "chain.json"], in: folder.path)
    #expect(outcome.exitCode == 2)
    #expect(outcome.text.contains("route 1 goes to channel 3, and there are 2"))
  }

  /// Names and contents of all files in a folder except the user's cache.
  private func snapshot(_ folder: Folder) throws -> [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where !name.hasPrefix(".cache") {
      contents[name] = (try? folder.bytes(name)) ?? []
    }
    return contents
  }
}
