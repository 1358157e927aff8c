@testable import FxChain
import FxEngine
import Testing

/// Which connections carry events.
@Suite struct EventConnectionTests {
  private static let filter = "http://gareus.org/oss/lv2/midifilter#midichord"
  private static let piano = "http://drobilla.net/plugins/mda/EPiano"

  private func nodes(_ connections: String) -> String {
    """
    { "version": 1, "nodes": { "in": { "source": "main" },
        "a": { "lv2": "\(Self.filter)" }, "b": { "lv2": "\(Self.filter)" },
        "piano": { "lv2": "\(Self.piano)" }, "gain": { "unit": "gain" }, "out": { "sink": "main" } },
      "connections": [ "in -> gain -> out", "piano -> gain", \(connections) ] }
    """
  }

  private func events(_ connections: String) -> (ways: [String], diagnostics: Diagnostics) {
    let (chain, diagnostics) = build(nodes(connections))
    let ways = chain.map { chain in
      chain.graph.connections.filter(\.carriesEvents).map {
        "\(chain.graph.nodes[$0.from.node].id) -> \(chain.graph.nodes[$0.to.node].id)"
      }
    }
    return (ways ?? [], diagnostics)
  }

  @Test func `connections of nodes with only event outputs carry events`() {
    let (ways, diagnostics) = events("\"a -> b -> piano\"")
    #expect(diagnostics.isEmpty)
    #expect(ways == ["a -> b", "b -> piano"])
  }

  @Test func `a port selects the events`() {
    let (ways, diagnostics) = events("\"a:midiout -> b:midiin\", \"b -> piano:event_in\"")
    #expect(diagnostics.isEmpty)
    #expect(ways == ["a -> b", "b -> piano"])
  }

  @Test func `a list leads events from node to node, and sound behind them`() throws {
    let (chain, diagnostics) = build(
      list(
        "{ \"lv2\": \"\(Self.filter)\" }, { \"lv2\": \"\(Self.piano)\" }, { \"unit\": \"gain\" }"))
    #expect(diagnostics.isEmpty)
    let built = try #require(chain)
    #expect(built.graph.connections.map(\.carriesEvents) == [true, false, false])
    #expect(built.inputNames == [])
  }

  @Test func `a plugin with audio inputs and only event outputs may be unconnected`() {
    let scope = "\"scope\": { \"lv2\": \"http://example.org/scope\" }"
    let (_, diagnostics) = build(graph(scope, "\"in -> out\", \"in -> scope\""))
    #expect(diagnostics.isEmpty)
    let (_, filters) = build(nodes("\"a -> piano\""))
    #expect(filters.all.map(\.code) == [.danglingNode])
  }

  @Test func `events in a cycle need an explicit feedback connection`() {
    let loop = "{ \"from\": \"b\", \"to\": \"a\", \"feedback\": true, \"delay\": \"10 ms\" }"
    let (ways, diagnostics) = events("\"a -> b -> piano\", \(loop)")
    #expect(diagnostics.isEmpty)
    #expect(ways == ["a -> b", "b -> piano", "b -> a"])
  }

  @Test(arguments: [
    ("\"a -> b -> piano\", \"a -> gain\"", DiagnosticCode.unknownPort, "'gain' takes no events"),
    (
      "\"a -> b -> piano\", { \"from\": \"a\", \"to\": \"piano\", \"gain\": \"-6 dB\" }",
      .invalidConnection, "'gain' does not go with a connection of events"
    ),
  ])
  func `invalid event connections are reported`(
    _ connections: String, _ code: DiagnosticCode, _ message: String
  ) {
    let diagnostics = events(connections).diagnostics
    #expect(diagnostics.all.map(\.code) == [code])
    #expect(diagnostics.all.first?.message == message)
  }
}
