import FxAudio
import FxChain
import FxEngine
@testable import FxKit
import FxTestSupport
import Testing

/// Channel layouts from a chain file to its plan.
@Suite struct LayoutTests {
  private func chain(_ nodes: String, _ connections: String) -> Chain {
    Chain(
      json: """
        { "version": 1,
          "nodes": { \(nodes), "out": { "sink": "main" } },
          "connections": [\(connections)] }
        """, path: "chain.json")
  }

  private func signal(_ layout: String) -> String {
    #"{ "source": { "signal": "noise", "layout": "\#(layout)", "duration": "1 s" } }"#
  }

  @Test func `a source has the channels of its layout`() throws {
    let plan = try chain(#""in": \#(signal("5.1(side)"))"#, #""in -> out""#).planned()
    let text = PlanReport(plan).text
    #expect(text.contains("source   in              -> b1 b2 b3 b4 b5 b6   5.1(side)\n"))
    #expect(text.contains("sink     out             <- b1 b2 b3 b4 b5 b6   5.1(side)\n"))
    let json = PlanReport(plan).json.text()
    #expect(json.contains(#""layout": "5.1(side)""#))
    #expect(PlanReport(plan).dot(name: "x").contains("6 ch, 5.1(side)"))
  }

  @Test func `stereo plans show no layout`() throws {
    let plan = try chain(#""in": { "source": "main" }"#, #""in -> out""#).planned()
    #expect(PlanReport(plan).text.contains("source   in              -> b1 b2\n"))
  }

  @Test func `downmix makes stereo of any layout`() throws {
    let plan = try chain(
      #""in": \#(signal("7.1")), "mix": { "unit": "downmix", "channels": 2 }"#,
      #""in -> mix -> out""#
    ).planned()
    #expect(plan.resolved.layouts.outputs[1].map(\.description) == ["stereo"])
  }

  @Test func `two layouts of one width are a warning at the connection`() throws {
    let found = chain(
      #""a": \#(signal("quad")), "b": \#(signal("4.0"))"#, #""a -> out", "b -> out""#
    ).checked()
    let warning = try #require(found.all.first { $0.code == .layout })
    #expect(warning.severity == .warning)
    #expect(warning.path == "/connections/1")
    #expect(
      warning.message
        == "'b -> out': the channels of 4.0 (FL FR FC BC) meet those of quad (FL FR BL BR)")
    #expect(!found.hasErrors)
  }

  @Test func `a layout without names joins with any`() throws {
    let found = chain(
      #"""
      "a": { "source": { "null": true, "channels": 4, "layout": "discrete" } }, "b": \#(signal("4.0"))
      """#, #""a -> out", "b -> out""#
    ).checked()
    #expect(!found.codes.contains(.layout))
  }

  @Test func `a layout with another number of channels is refused`() throws {
    let found = chain(
      #""in": { "source": { "null": true, "channels": 4, "layout": "5.1" } }"#, #""in -> out""#
    ).checked()
    let error = try #require(found.all.first)
    #expect(error.code == .conflictingKeys)
    #expect(error.message == "'layout' 5.1 has 6 channels, and 'channels' is 4")
    #expect(error.path == "/nodes/in/source/layout")
  }

  @Test func `an unknown layout is refused with the known layouts`() throws {
    let found = chain(
      #""in": { "source": { "null": true, "layout": "5.2" } }"#, #""in -> out""#
    ).checked()
    let error = try #require(found.all.first)
    #expect(error.code == .notAChoice)
    #expect(error.hints.contains { $0.contains("5.1(side)") })
  }

  @Test func `a layout with more channels than the source's file is refused`() throws {
    let folder = TemporaryFolder()
    let path = try folder.writeSound("mono.wav", noise(100))
    let request = RenderRequest(
      inputs: ["main": path], outputs: ["main": folder.file("out.wav")])
    let error = failure {
      _ = try chain(#""in": { "source": { "input": "main", "layout": "5.1" } }"#, #""in -> out""#)
        .render(request)
    }
    #expect(
      error?.description.contains("the layout 5.1 has 6 channels, and the source has 1") == true)
    #expect(folder.names == ["mono.wav"])
  }
}
