@testable import FxChain
import FxEngine
import Testing

/// Large chains take time in proportion to their size.
struct ScaleTests {
  private static let shapes: [(String, @Sendable (Int) -> String)] = [
    (
      "strips that connections name",
      { count in
        graph(
          "\"mix\": { \"unit\": \"mixer\" }",
          (["\"mix -> out\""] + (0..<count).map { "\"in -> mix:s\($0)\"" }).joined(separator: ", "))
      }
    ),
    (
      "scenes, and notes that set them",
      { count in
        let scenes = (0..<count).map { "\"s\($0)\": { \"parameters\": { \"gain.gain\": -3 } }" }
        let notes = (0..<count).map { "{ \"note\": 60, \"scene\": \"s\($0)\" }" }
        return list(
          "{ \"unit\": \"gain\" }",
          "\"scenes\": { \(scenes.joined(separator: ", ")) }, \"midi\": [ \(notes.joined(separator: ", ")) ]"
        )
      }
    ),
    (
      "values of one scene",
      { count in
        let nodes = (0..<count).map { "{ \"id\": \"g\($0)\", \"unit\": \"gain\" }" }
        let values = (0..<count).map { "\"g\($0).gain\": -3" }
        return list(
          nodes.joined(separator: ", "),
          "\"scenes\": { \"a\": { \"parameters\": { \(values.joined(separator: ", ")) } } }")
      }
    ),
    (
      "automation of strips",
      { count in
        let strips = (0..<count).map { "\"s\($0)\": {}" }
        let lines = (0..<count).map {
          "{ \"parameter\": \"mix.strips.s\($0).gain\", \"points\": [ [0, 1] ] }"
        }
        return graph(
          "\"mix\": { \"unit\": \"mixer\", \"strips\": { \(strips.joined(separator: ", ")) } }",
          "\"in -> mix:s0\", \"mix -> out\"",
          "\"automation\": [ \(lines.joined(separator: ", ")) ]")
      }
    ),
  ]

  @Test(arguments: shapes.indices)
  func `a chain eight times as large takes at most 24 times as long`(_ index: Int) throws {
    let shape = Self.shapes[index]
    func seconds(_ count: Int) -> Duration {
      let text = shape.1(count)
      return ContinuousClock().measure {
        let (chain, diagnostics) = build(text)
        #expect(
          chain?.graph.nodes.isEmpty == false, "\(shape.0): \(diagnostics.text().prefix(300))")
      }
    }
    _ = seconds(100)
    let small = (0..<3).map { _ in seconds(1500) }.min() ?? .zero
    let large = seconds(12_000)
    #expect(large < small * 24, "\(shape.0): \(small), then \(large)")
  }

  @Test func `variables add a bounded number of bytes`() {
    let value = String(repeating: "v", count: 1_000_000)
    let gains = (0..<1000).map { _ in
      "{ \"unit\": \"gain\", \"parameters\": { \"gain\": \"${v}\" } }"
    }
    let (chain, diagnostics) = build(
      list(gains.joined(separator: ", "), "\"variables\": { \"v\": \"\(value)\" }"))
    #expect(chain == nil)
    #expect(diagnostics.codes.filter { $0 == .tooLarge }.count == 1)
    #expect(diagnostics.text().utf8.count < 20_000)
  }
}
