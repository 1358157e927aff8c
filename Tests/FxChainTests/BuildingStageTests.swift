import FxAudio
@testable import FxChain
import FxEngine
import FxPlaying
import Testing

/// The stages of building a graph that take values and return values, each alone.
@Suite struct BuildingStageTests {
  private let document: ChainDocument
  private let scope: Scope
  private var place: Place { document.place }

  init() throws {
    document = try #require(
      ChainReader.read(
        bytes: Array(
          #"""
          { "version": 1, "chain": [ { "unit": "lowPas" }, { "unit": "lowPas" }, { "unit": "lowPass" },
            { "unit": "lowPass" } ] }
          """#.utf8), path: "stage.json", defines: [:], endpoints: .all
      ).document)
    scope = Scope(document: document, prefix: "", files: ["stage.json"], node: nil, parent: nil)
  }

  private func draft(_ id: String, _ content: NodeBuilder.Content) -> NodeBuilder {
    NodeBuilder(
      id: id, content: content, document: nil, place: place, scope: scope,
      inputs: [InputBusSpec("in", width: .any)], outputs: [.main])
  }

  private func link(_ from: Int, _ to: Int, gain: Double = 1) -> Link {
    Link(
      from: Connection.Endpoint(node: from), to: Connection.Endpoint(node: to), gain: gain,
      place: place)
  }

  @Test func `a unit is looked up once, and a missing one reported at each of its nodes`() throws {
    var units = UnitTable()
    var found = Diagnostics()
    let facts = document.nodes.map { units.find($0, in: FakeCatalog(), &found) }
    #expect(facts.map { $0 == nil } == [true, true, false, false])
    #expect(facts[2] === facts[3])
    #expect(found.codes == [.unknownUnit, .unknownUnit])
    #expect(Set(found.all.compactMap(\.column)).count == 2)
  }

  @Test func `connections through an included chain become direct`() {
    let drafts = [
      draft("in", .source(.input("main"))), draft("a/in", .inlet("main")), draft("x", .broken),
      draft("y", .broken),
    ]
    var found = Diagnostics()
    let links = Inlining.inlined(
      [link(0, 1, gain: 0.5), link(1, 2, gain: 0.5), link(1, 3)], drafts, &found)
    #expect(links.map(\.from.node) == [0, 0] && links.map(\.to.node) == [2, 3])
    #expect(links.map(\.gain) == [0.25, 0.5] && found.isEmpty)
  }

  @Test func `an included chain that feeds itself is reported`() {
    let drafts = [
      draft("in", .source(.input("main"))), draft("a/in", .inlet("main")),
      draft("a/out", .outlet("main")),
    ]
    var found = Diagnostics()
    let links = Inlining.inlined([link(0, 1), link(1, 2), link(2, 1)], drafts, &found)
    #expect(links.isEmpty && found.codes == [.cycle])
  }

  @Test func `checks find unbound inputs and nodes without a connection`() {
    let drafts = [
      draft("in", .source(.input("main"))), draft("out", .sink(.output("main"), isAligned: true)),
    ]
    func codes(_ links: [Link], _ environment: ChainEnvironment) -> [DiagnosticCode] {
      GraphChecks(document, environment, drafts, links, [scope], excused: []).diagnostics.codes
    }
    #expect(codes([link(0, 1)], ChainEnvironment(inputs: ["main"])) == [])
    #expect(codes([link(0, 1)], ChainEnvironment(inputs: [])) == [.unboundInput])
    #expect(codes([], ChainEnvironment()) == [.unfedOutput, .danglingNode])
  }

  @Test func `an assembled graph leaves out broken nodes and their connections`() {
    let drafts = [
      draft("x", .broken), draft("in", .source(.input("main"))),
      draft("out", .sink(.output("main"), isAligned: true)),
    ]
    let built = GraphAssembly(
      document: document, environment: ChainEnvironment(), context: ValueContext(),
      drafts: drafts, scopes: [scope]
    ).chain([link(0, 2), link(1, 2, gain: 0.5)], tail: .none, startScene: nil, [])
    #expect(built.graph.nodes.map(\.id) == ["in", "out"])
    #expect(built.graph.connections.map(\.from.node) == [0])
    #expect(built.graph.connections.map(\.gain) == [0.5])
    #expect(built.node(id: "out") == 1 && built.outputNames == ["main"])
  }
}
