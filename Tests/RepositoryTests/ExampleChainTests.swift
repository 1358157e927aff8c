import Foundation
import Testing

/// Checks and renders every chain of `chains/` with the release binary.
@Suite(.enabled(if: Program.isBuilt)) struct ExampleChainTests {
  private static let voice = "Tests/Fixtures/audio/voice.mp3"

  /// Chains by file name, without its end.
  static let names: [String] = {
    let folder = Repository.root.appending(path: "chains").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }()

  @Test func `there are chains for many purposes`() {
    #expect(Self.names.count >= 10)
  }

  @Test(arguments: names)
  func `an example says for whom it is and stands in the table`(_ name: String) throws {
    let text = try Document("chains/\(name).json").text
    let chain = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect((chain["name"] as? String)?.isEmpty == false)
    let comment = try #require(chain["comment"] as? String)
    #expect(comment.hasPrefix("For ") && comment.hasSuffix("."))
    let row = try Document("chains/README.md").text.split(separator: "\n").filter {
      $0.hasPrefix("| [\(name)](\(name).json) |") && $0.contains("`fxrun chains/\(name).json ")
    }
    #expect(row.count == 1)
  }

  @Test(arguments: names)
  func `an example renders below full scale`(_ name: String) throws {
    let plugins = try Plugins()
    defer { plugins.remove() }
    let chain = "chains/\(name).json"
    if !plugins.has(all: try Document(chain).text) {
      try Test.cancel("swh-lv2 is not installed")
    }
    let environment = ["LV2_PATH": plugins.searchPath]
    let check = try Program.run(["check", chain], environment: environment)
    #expect(check.status == 0)
    #expect(check.output == "\(chain): no mistakes\n")

    let outputs = try outputs(of: chain)
    let render = try Program.run(
      ["run", chain, Self.voice, "--json"] + inputs(of: chain)
        + outputs.flatMap { ["--output", "\($0)=\(plugins.folder.path)/\($0).wav"] },
      environment: environment)
    #expect(render.status == 0, "\(render.errors)")
    let summary = try #require(
      JSONSerialization.jsonObject(with: Data(render.output.utf8)) as? [String: Any])
    let sinks = try #require(summary["outputs"] as? [[String: Any]])
    #expect(sinks.count == outputs.count)
    for sink in sinks {
      let peak = try #require(sink["peak"] as? Double)
      // A decibel and a half, for what lies between the samples.
      #expect(peak > 0.03 && peak < 0.8414, "\(sink["name"] ?? ""): \(peak)")
      #expect(sink["nonFiniteSamples"] as? Int == 0)
      #expect((sink["frames"] as? Int ?? 0) >= 555_660)
    }
    let tail = try #require(summary["tail"] as? [String: Any])
    #expect(tail["wasCut"] as? Bool == false || tail["policy"] as? String == "given")
  }

  /// Names of the chain's outputs, from its sinks.
  private func outputs(of chain: String) throws -> [String] {
    let text = try Document(chain).text
    let named = text.matches(of: /"output": "(\w+)"/).map { String($0.1) }
    let isMain = named.isEmpty || text.contains(/"sink": "main"/)
    return (isMain ? ["main"] : []) + named
  }

  private func inputs(of chain: String) throws -> [String] {
    try Document(chain).text.matches(of: /"source": "(\w+)"/).map { String($0.1) }
      .filter { $0 != "main" }.flatMap { ["--input", "\($0)=\(Self.voice)"] }
  }
}

/// A folder with our own plugin, built by the C compiler, and what is installed.
struct Plugins {
  let folder = FileManager.default.temporaryDirectory.appending(path: "fxrun-\(UUID())")

  init() throws {
    let bundle = folder.appending(path: "fxrun-saturator.lv2")
    try FileManager.default.copyItem(
      at: Repository.root.appending(path: "plugins"), to: folder)
    let built = try Program.run(
      [
        "cc", "-shared", "-fPIC", "-O2", "-o", bundle.appending(path: "fxrun-saturator.so").path,
        bundle.appending(path: "fxrun-saturator.c").path, "-lm",
      ], executable: "/usr/bin/env")
    try #require(built.status == 0, "\(built.errors)")
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  var searchPath: String { folder.path + ":/usr/lib/lv2" }

  /// False when a plugin that a chain names comes from a package that is not installed.
  func has(all chain: String) -> Bool {
    !chain.contains("plugin.org.uk")
      || FileManager.default.fileExists(atPath: "/usr/lib/lv2/vynil-swh.lv2")
  }
}
