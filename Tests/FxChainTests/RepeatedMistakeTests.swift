@testable import FxChain
import Testing

/// One mistake is one message, however much follows from it.
struct RepeatedMistakeTests {
  @Test func `a missing unit is not reported again for its connections`() {
    let (_, diagnostics) = build(
      graph(
        "\"x\": { \"unit\": \"nope\" }", "\"in -> x:side -> out\"", "\"expose\": { \"e\": \"x.y\" }"
      ))
    #expect(diagnostics.codes == [.unknownUnit])
  }

  @Test func `a cycle without an input and one without an output are reported once`() {
    let feedback = "\"feedback\": true, \"delay\": \"10 ms\""
    let (_, diagnostics) = build(
      graph(
        "\"a\": { \"unit\": \"gain\" }, \"b\": { \"unit\": \"gain\" }",
        "\"in -> out\", \"a -> b\", { \"from\": \"b\", \"to\": \"a\", \(feedback) }"))
    #expect(diagnostics.codes == [.unfedNode, .danglingNode])
  }

  @Test func `a meter may have an unconnected output`() {
    let (chain, diagnostics) = build(
      graph("\"m\": { \"unit\": \"meter\" }", "\"in -> out\", \"in -> m\""))
    #expect(diagnostics.isEmpty)
    #expect(chain != nil)
  }

  @Test func `mistakes beyond a thousand are counted and not kept`() {
    let nodes = [String](repeating: "{ \"unit\": \"nope\" }", count: 1500)
    let (_, diagnostics) = build(list(nodes.joined(separator: ",\n")))
    #expect(diagnostics.errorCount == 1500)
    #expect(diagnostics.text().hasSuffix("… and 500 more\n1500 errors\n"))
  }
}
