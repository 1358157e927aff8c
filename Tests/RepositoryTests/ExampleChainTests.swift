import Foundation
import FxTestSupport
import Testing

/// Every chain in chains/ can be used as it is.
@Suite struct ExampleChainTests {
  private let temporary = TemporaryFolder()

  static let names: [String] = {
    let folder = Repository.root.appending(path: "chains").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".test.json") }.sorted()
  }()

  private let voice = Repository.root.appending(path: "Tests/Fixtures/audio/voice.mp3").path

  @Test func `there are at least eight`() {
    #expect(Self.names.count >= 8)
  }

  /// Our own plugins are found where scripts/test has built them.
  static let runnable = names.filter { name in
    guard ProcessInfo.processInfo.environment["LV2_PATH"] == nil else { return true }
    let chain = Repository.root.appending(path: "chains/\(name)").path
    return (try? String(contentsOfFile: chain, encoding: .utf8).contains("urn:fxrun:")) != true
  }

  @Test(arguments: runnable)
  func `a chain has no mistakes, renders clean and in real time`(_ name: String) throws {
    let chain = Repository.root.appending(path: "chains/\(name)").path
    let check = try BuiltProgram.run(BuiltProgram.fxrun, ["check", chain])
    #expect(check.status == 0, "\(check.text)")
    #expect(check.text.contains("no mistakes"), "\(check.text)")

    let folder = temporary.url
    let arguments = try arguments(for: chain, in: folder)
    // An example with a plugin renders without the checker, which is not meant for plugins.
    let hasPlugin = try String(contentsOfFile: chain, encoding: .utf8).contains("\"lv2\"")
    let result =
      hasPlugin
      ? try BuiltProgram.run(BuiltProgram.fxrun, arguments)
      : try Checker.realtimeSanitizer().run(BuiltProgram.fxrun, arguments)
    #expect(result.status == 0, "\(result.text.prefix(2000))")
    let rendered = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!rendered.isEmpty)
    for file in rendered {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder.appending(path: file).path)
      #expect((attributes[.size] as? Int ?? 0) > 100_000, "\(file)")
    }
    #expect(!result.text.contains("silent"), "\(result.text)")
    #expect(!result.text.contains("beyond full scale"), "\(result.text)")
  }

  /// The voice into every input and a file for every output that the plan shows.
  private func arguments(for chain: String, in folder: URL) throws -> [String] {
    let plan = try BuiltProgram.run(BuiltProgram.fxrun, ["plan", chain, "--json"])
    let json = try JSONSerialization.jsonObject(with: Data(plan.text.utf8)) as? [String: Any]
    func names(_ key: String, _ kind: String) -> [String] {
      (json?[key] as? [[String: Any]] ?? []).compactMap { $0[kind] as? String }
    }
    var arguments = [chain]
    for name in names("sources", "input") { arguments += ["--input", "\(name)=\(voice)"] }
    for (index, name) in names("sinks", "output").enumerated() {
      arguments += ["--output", "\(name)=\(folder.appending(path: "\(index).wav").path)"]
    }
    return arguments + ["--duration", "4"]
  }
}
