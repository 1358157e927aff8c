import FxChain
@testable import FxChecks
import FxKit
import Testing

/// The node at which a processed signal is mixed with an unprocessed one.
@Suite struct LintGraphTests {
  private let folder = CaseFolder()

  private func meeting(_ connections: String, of node: String = "fx", wet: String = "1") throws
    -> String?
  {
    let chain = """
      { "version": 1,
        "nodes": {
          "in": { "source": "main" },
          "fx": { "unit": "highPass", "wet": \(wet) },
          "other": { "unit": "lowPass" },
          "comp": { "unit": "compressor" },
          "mix": { "unit": "mixer" },
          "out": { "sink": "main" }
        },
        "connections": [ \(connections), "mix -> out" ] }
      """
    let text = try LintText(folder.testCase(chain))
    let index = try #require(text.index(ofNode: node))
    return text.graph.meetingPoint(of: index).map(text.id)
  }

  @Test func `a parallel path meets a node's output in the mixer`() throws {
    let connections = "\"in -> fx -> mix\", \"in -> other -> mix\", \"mix -> comp -> out\""
    #expect(try meeting(connections) == "mix")
  }

  @Test func `a node that is partly dry meets its own dry signal`() throws {
    #expect(try meeting("\"in -> fx -> other -> comp -> mix\"", wet: "0.5") == "fx")
  }

  @Test func `a straight path meets nothing`() throws {
    #expect(try meeting("\"in -> fx -> other -> comp -> mix\"") == nil)
  }

  @Test func `a side-chain is not mixed with the signal that it controls`() throws {
    let connections =
      "\"in -> comp -> mix\", { \"from\": \"in\", \"to\": \"fx\" }, "
      + "{ \"from\": \"fx\", \"to\": \"other\" }, "
      + "{ \"from\": \"other\", \"to\": \"comp:sidechain\" }"
    #expect(try meeting(connections) == nil)
  }

  @Test func `a loop around a node ends the search`() throws {
    let connections =
      "\"in -> fx -> mix\", "
      + "{ \"from\": \"mix\", \"to\": \"other\", \"feedback\": true, \"delay\": \"10 ms\" }, "
      + "\"other -> mix\", \"mix -> comp -> out\""
    #expect(try meeting(connections) == nil)
  }
}
