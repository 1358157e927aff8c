import Foundation
import FxTestSupport
import Testing

/// Example chains say what they are for and leave room below full scale.
@Suite struct ExampleLevelTests {
  private let temporary = TemporaryFolder()

  private static let voice = Repository.root.appending(path: "Tests/Fixtures/audio/voice.mp3").path

  @Test(arguments: ExampleChainTests.names)
  func `an example says for whom it is and stands in the table`(_ file: String) throws {
    let text = try Document("chains/\(file)").text
    let chain = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect((chain["name"] as? String)?.isEmpty == false)
    let comment = try #require(chain["comment"] as? String)
    #expect(comment.hasPrefix("For ") && comment.hasSuffix("."))
    let rows = try Document("chains/README.md").text.split(separator: "\n").filter {
      $0.hasPrefix("| [\(file.dropLast(5))](\(file)) |") && $0.contains("`fxrun chains/\(file) ")
    }
    #expect(rows.count == 1)
  }

  /// The whole voice through each.
  @Test(
    .enabled(if: BuiltProgram.isNamed, "a debug build renders slowly"),
    arguments: ExampleChainTests.runnable)
  func `an example stays a decibel and a half below full scale`(_ file: String) throws {
    let folder = temporary.url
    let text = try Document("chains/\(file)").text
    let outputs = outputs(of: text)
    // A chain that begins with an instrument or a schedule of files has its own sound.
    let hasInput =
      !text.contains("\"midi\"")
      && (!text.contains("\"player\"") || text.contains("\"source\": \"main\""))
    let render = try BuiltProgram.run(
      BuiltProgram.fxrun,
      ["run", Repository.root.appending(path: "chains/\(file)").path, "--json"]
        + (hasInput ? [Self.voice] : [])
        + inputs(of: text).flatMap { ["--input", "\($0)=\(Self.voice)"] }
        + outputs.flatMap { ["--output", "\($0)=\(folder.path)/\($0).wav"] })
    #expect(render.status == 0, "\(render.text)")
    let summary = try #require(
      JSONSerialization.jsonObject(with: Data(render.text.utf8)) as? [String: Any])
    let sinks = try #require(summary["outputs"] as? [[String: Any]])
    #expect(sinks.count == outputs.count)
    for sink in sinks {
      let peak = try #require(sink["peak"] as? Double)
      #expect(peak > 0.03 && peak < 0.8414, "\(sink["name"] ?? ""): \(peak)")
      #expect(sink["nonFiniteSamples"] as? Int == 0)
      #expect((sink["frames"] as? Int ?? 0) >= (hasInput ? 555_660 : 40_000))
    }
    let tail = try #require(summary["tail"] as? [String: Any])
    #expect(tail["wasCut"] as? Bool == false || tail["policy"] as? String == "given")
  }

  /// Names of the chain's outputs, from its sinks.
  private func outputs(of text: String) -> [String] {
    let named = text.matches(of: /"output": "(\w+)"/).map { String($0.1) }
    let hasMain = named.isEmpty || text.contains(/"sink": "main"/)
    return (hasMain ? ["main"] : []) + named
  }

  /// Names of the chain's inputs except the main one.
  private func inputs(of text: String) -> [String] {
    text.matches(of: /"source": "(\w+)"/).map { String($0.1) }.filter { $0 != "main" }
  }
}
