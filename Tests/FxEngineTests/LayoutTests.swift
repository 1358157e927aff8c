import FxAudio
@testable import FxEngine
import Testing

@Suite struct LayoutTests {
  private func layout(_ name: String) throws -> ChannelLayout {
    try #require(ChannelLayout(named: name))
  }

  private func source(_ id: String, _ name: String, in fixture: inout GraphFixture) throws {
    let layout = try layout(name)
    fixture.source(id, channels: layout.channelCount)
    fixture.graph.nodes[fixture.graph.nodes.count - 1].outputs[0].layout = .exactly(layout)
  }

  @Test(arguments: [
    (1, "mono"), (2, "stereo"), (3, "discrete(3)"), (4, "quad"), (5, "5.0"), (6, "5.1"),
    (7, "discrete(7)"), (8, "7.1"), (12, "discrete(12)"),
  ])
  func `a number of channels has its usual layout`(count: Int, name: String) {
    #expect(ChannelLayout.usual(count).description == name)
    #expect(ChannelLayout.usual(count).channelCount == count)
  }

  @Test func `a layout without a name is spelled by its channels`() throws {
    let layout = try #require(ChannelLayout([.backCentre, .frontLeft, .frontRight]))
    #expect(layout.description == "FL+FR+BC")
    #expect(ChannelLayout([.frontLeft, .frontLeft]) == nil)
    #expect(ChannelLayout.named.allSatisfy { $0.layout.channels.count == $0.layout.channelCount })
  }

  @Test(arguments: [
    (0x3f, 6, "5.1"), (0x60f, 6, "5.1(side)"), (0, 6, "5.1"), (0, 3, "discrete(3)"),
    (0x3, 6, "discrete(6)"), (0x1, 1, "mono"), (0x8000_0003, 2, "stereo"), (0x33, 2, "stereo"),
    (0x3f, 4, "3.1"), (0x600, 1, "mono"),
  ])
  func `a mask names the channels`(mask: Int, count: Int, name: String) {
    #expect(ChannelLayout(mask: UInt32(mask), channelCount: count).description == name)
  }

  @Test func `units keep the layout of their input`() throws {
    var fixture = GraphFixture()
    try source("in", "5.1(side)", in: &fixture)
    fixture.unit("gain")
    fixture.unit(
      "plugin", inputs: [InputBusSpec("in", width: .exactly(6))],
      outputs: [OutputBusSpec("out", width: .exactly(6))])
    fixture.sink("out")
    fixture.connect("in -> gain -> plugin -> out")
    let layouts = try fixture.graph.resolved().layouts
    #expect(try layouts.inputs[3] == [layout("5.1(side)")])
    #expect(layouts.mismatches.isEmpty)
  }

  @Test func `a unit sets the layout that it declares`() throws {
    var fixture = GraphFixture()
    try source("in", "5.1", in: &fixture)
    fixture.unit(
      "downmix",
      outputs: [OutputBusSpec("out", width: .option("channels"), layout: .usual)],
      options: ["channels": .number(2)])
    fixture.unit(
      "upmix",
      outputs: [OutputBusSpec("out", width: .exactly(6), layout: .exactly(try layout("6.0")))])
    fixture.sink("out")
    fixture.connect("in -> downmix -> upmix -> out")
    let layouts = try fixture.graph.resolved().layouts
    #expect(try layouts.outputs[1] == [layout("stereo")])
    #expect(try layouts.inputs[3] == [layout("6.0")])
  }

  @Test func `different layouts of one width are a mismatch at their connection`() throws {
    var fixture = GraphFixture()
    try source("a", "quad", in: &fixture)
    try source("b", "4.0", in: &fixture)
    fixture.sink("out")
    fixture.connect("a -> out")
    fixture.connect("b -> out")
    let layouts = try fixture.graph.resolved().layouts
    #expect(
      try layouts.mismatches == [
        GraphLayouts.Mismatch(connection: 1, carried: layout("4.0"), met: layout("quad"))
      ])
  }

  @Test func `a unit that needs a layout names the connection with a different one`() throws {
    var fixture = GraphFixture()
    try source("in", "5.1(side)", in: &fixture)
    fixture.unit(
      "decoder", inputs: [InputBusSpec("in", width: .exactly(6), layout: try layout("5.1"))])
    fixture.sink("out")
    fixture.connect("in -> decoder -> out")
    let layouts = try fixture.graph.resolved().layouts
    #expect(layouts.mismatches.map(\.connection) == [0])
    #expect(try layouts.inputs[2] == [layout("5.1")])
  }

  @Test func `channels without names join with anything`() throws {
    var fixture = GraphFixture()
    fixture.source("a", channels: 4)
    fixture.graph.nodes[0].outputs[0].layout = .exactly(.discrete(4))
    try source("b", "4.0", in: &fixture)
    fixture.sink("out")
    fixture.connect("a -> out")
    fixture.connect("b -> out")
    let layouts = try fixture.graph.resolved().layouts
    #expect(layouts.mismatches.isEmpty)
    #expect(try layouts.inputs[2] == [layout("4.0")])
  }

  @Test func `picked channels have the usual layout of their number`() throws {
    var fixture = GraphFixture()
    try source("in", "7.1", in: &fixture)
    fixture.sink("out")
    fixture.connect("in -> out", channels: [0, 1, 2, 3, 6, 7])
    #expect(try fixture.graph.resolved().layouts.inputs[1] == [layout("5.1")])
  }

  @Test func `a strip of another layout than its mixer is a mismatch`() throws {
    var fixture = GraphFixture()
    try source("a", "quad", in: &fixture)
    try source("b", "4.0", in: &fixture)
    fixture.unit(
      "mixer",
      inputs: [InputBusSpec("a", width: .upToOutput), InputBusSpec("b", width: .upToOutput)],
      outputs: [OutputBusSpec("out", width: .option("channels"))],
      options: ["channels": .number(4)])
    fixture.connect("a -> mixer:0")
    fixture.connect("b -> mixer:1")
    let layouts = try fixture.graph.resolved().layouts
    #expect(try layouts.outputs[2] == [layout("quad")])
    #expect(layouts.mismatches.map(\.connection) == [1])
  }

  @Test func `a loop carries the layout of its input`() throws {
    var fixture = GraphFixture()
    try source("in", "5.1(side)", in: &fixture)
    fixture.unit("a")
    fixture.unit("b")
    fixture.sink("out")
    fixture.connect("b -> a", feedback: 0.1)
    fixture.connect("in -> a -> b -> out")
    let layouts = try fixture.graph.resolved().layouts
    #expect(try layouts.inputs[1] == [layout("5.1(side)")])
    #expect(layouts.mismatches.isEmpty)
  }
}
