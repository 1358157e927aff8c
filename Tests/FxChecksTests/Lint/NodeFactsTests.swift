import FxKit
import FxAudio
import FxChain
@testable import FxChecks
import Testing

/// Measurements of a node's input or output.
@Suite struct NodeFactsTests {
  private func side(_ channels: [[Float]]) -> NodeFacts.Side {
    let peak = channels.joined().reduce(0) { max($0, abs($1)) }
    return NodeFacts.Side(channels, peak: peak, rms: 0)
  }

  @Test func `the mean is that of the channel with the largest offset`() {
    let side = side([[0.5, 0.5, 0.5, 0.5], [-0.75, -0.75, -0.75, -0.75]])
    #expect(side.mean == -0.75)
  }

  @Test func `subnormal samples are counted, and the first is reported`() {
    // Made from bits, because a thread that flushes subnormals cannot calculate them.
    let half = Float(bitPattern: 0x8040_0000)
    let side = side([[1, 0, Float(bitPattern: 1), half, 1e-37]])
    #expect(side.subnormalCount == 2)
    #expect(side.firstSubnormal == 2)
  }

  @Test func `a ceiling is three or more consecutive samples at the peak`() {
    #expect(side([[1, 1, 0, 1, 1, 0]]).ceilingCount == 0)
    #expect(side([[0, 1, 1, 1, 0, -1, -1, -1, -1, 0]]).ceilingCount == 7)
  }

  @Test func `a result is read back unchanged`() throws {
    var facts = NodeFacts(node: 3)
    facts.input = side([[0.25, -0.5]])
    facts.output = side([[.leastNonzeroMagnitude, 1]])
    facts.latency = 48
    facts.arrival = 12
    var result = LintResult()
    result.facts = [facts]
    result.sinks = [
      LintResult.Sink(
        node: 4, peak: 1.5, clippedCount: 3, sampleCount: 10, nonFiniteCount: 0, restPeak: 0.25)
    ]
    result.failure = ChainFailure(.plugin, codeText: "x", "y")
    result.tailPolicy = "given"
    #expect(try LintResult(ManifestValue(parsed(result.json.text()), "it")) == result)
  }
}

private func parsed(_ text: String) throws -> JSONValue {
  var found = Diagnostics()
  return try #require(
    JSONDocument.read(SourceText(path: "x", bytes: Array(text.utf8)), into: &found)
  ).root
}
