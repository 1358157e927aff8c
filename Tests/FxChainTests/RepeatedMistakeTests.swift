import FxChain
import FxDiagnostics
import Testing

/// One mistake is one message, however much follows from it.
struct RepeatedMistakeTests {
  @Test func `a unit that is missing is not blamed on what is connected to it`() {
    let (_, diagnostics) = build(
      graph(
        "\"x\": { \"unit\": \"nope\" }", "\"in -> x:side -> out\"", "\"expose\": { \"e\": \"x.y\" }"
      ))
    #expect(diagnostics.codes == [.unknownUnit])
  }

  @Test func `a ring that nothing feeds and one that leads nowhere are named once`() {
    let feedback = "\"feedback\": true, \"delay\": \"10 ms\""
    let (_, diagnostics) = build(
      graph(
        "\"a\": { \"unit\": \"gain\" }, \"b\": { \"unit\": \"gain\" }",
        "\"in -> out\", \"a -> b\", { \"from\": \"b\", \"to\": \"a\", \(feedback) }"))
    #expect(diagnostics.codes == [.unfedNode, .danglingNode])
  }

  @Test func `a meter may lead nowhere`() {
    let (chain, diagnostics) = build(
      graph("\"m\": { \"unit\": \"meter\" }", "\"in -> out\", \"in -> m\""))
    #expect(diagnostics.isEmpty)
    #expect(chain != nil)
  }

  @Test func `more than a thousand mistakes are counted and not kept`() {
    let nodes = [String](repeating: "{ \"unit\": \"nope\" }", count: 1500)
    let (_, diagnostics) = build(list(nodes.joined(separator: ",\n")))
    #expect(diagnostics.errorCount == 1500)
    #expect(diagnostics.text().hasSuffix("… and 500 more\n1500 errors\n"))
  }
}
