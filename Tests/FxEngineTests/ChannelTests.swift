import FxAudio
@testable import FxEngine
import Testing

@Suite struct ChannelTests {
  private func fixture(_ channels: Int) -> GraphFixture {
    var fixture = GraphFixture()
    fixture.source("in", channels: channels)
    return fixture
  }

  @Test func `mono into a wide input is copied`() throws {
    var fixture = fixture(1)
    fixture.source("wide", channels: 2)
    fixture.unit("a")
    fixture.sink("out")
    fixture.connect("in -> a -> out")
    fixture.connect("wide -> a")
    let graph = try fixture.graph.resolved()
    #expect(graph.inputWidths[2] == [2])
    #expect(graph.edges.filter { $0.connection == 0 }.map(\.from.channel) == [0, 0])
  }

  @Test func `wide into narrow is refused`() {
    var fixture = fixture(2)
    fixture.unit("mono", inputs: [InputBusSpec("in", width: .exactly(1))])
    fixture.connect("in -> mono")
    #expect(throws: GraphError.channelsDoNotFit(connection: 0, from: 2, into: 1)) {
      try fixture.graph.resolved()
    }
  }

  @Test func `two and six channels cannot be summed`() {
    var fixture = fixture(2)
    fixture.source("six", channels: 6)
    fixture.unit("a")
    fixture.connect("in -> a")
    fixture.connect("six -> a")
    #expect(throws: GraphError.channelsDoNotFit(connection: 0, from: 2, into: 6)) {
      try fixture.graph.resolved()
    }
  }

  @Test func `a mono unit on a wide path is as wide as the path`() throws {
    var fixture = fixture(2)
    fixture.unit(
      "mono", inputs: [InputBusSpec("in", width: .exactly(1))],
      outputs: [OutputBusSpec("out", width: .exactly(1))], isReplicable: true)
    fixture.sink("out")
    fixture.connect("in -> mono -> out")
    let graph = try fixture.graph.resolved()
    #expect(graph.outputWidths[1] == [2])
    #expect(graph.inputWidths[2] == [2])
  }

  @Test func `channels named on a connection are picked in their order`() throws {
    var fixture = fixture(2)
    fixture.unit("a")
    fixture.connect("in -> a", channels: [1, 0])
    let graph = try fixture.graph.resolved()
    #expect(graph.edges.map(\.from.channel) == [1, 0])
  }

  @Test func `a missing channel is refused with its number, counted from 1`() {
    var fixture = fixture(2)
    fixture.unit("a")
    fixture.connect("in -> a", channels: [2])
    #expect(throws: GraphError.noSuchChannel(connection: 0, channel: 3, width: 2)) {
      try fixture.graph.resolved()
    }
  }

  @Test func `an option gives an output its width`() throws {
    var fixture = fixture(6)
    fixture.unit(
      "downmix", outputs: [OutputBusSpec("out", width: .option("channels"))],
      options: ["channels": .number(2)])
    fixture.connect("in -> downmix")
    #expect(try fixture.graph.resolved().outputWidths[1] == [2])
  }

  @Test func `a strip may not be wider than its mixer`() {
    var fixture = fixture(6)
    fixture.unit(
      "mixer", inputs: [InputBusSpec("a", width: .upToOutput)],
      outputs: [OutputBusSpec("out", width: .exactly(2))])
    fixture.connect("in -> mixer")
    #expect(throws: GraphError.channelsDoNotFit(connection: 0, from: 6, into: 2)) {
      try fixture.graph.resolved()
    }
  }

  @Test func `an optional input that nothing feeds has no channels`() throws {
    var fixture = fixture(2)
    fixture.unit("comp", inputs: [.main, .sidechain])
    fixture.connect("in -> comp")
    #expect(try fixture.graph.resolved().inputWidths[1] == [2, 0])
  }

  @Test func `a dry signal that is wider than the wet one is refused`() {
    var fixture = fixture(2)
    fixture.unit("downmix", outputs: [OutputBusSpec("out", width: .exactly(1))], keepsDry: true)
    fixture.connect("in -> downmix")
    #expect(throws: GraphError.dryDoesNotFit(node: 1, input: 2, output: 1)) {
      try fixture.graph.resolved()
    }
  }
}
