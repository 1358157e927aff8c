import FxAudio
import FxChain
import FxEngine
@testable import FxKit
import Testing

/// Presets of built-in units.
@Suite struct PresetTests {
  private func unit(_ node: String) throws -> UnitConfiguration {
    let chain = try Chain(json: #"{ "version": 1, "chain": [ \#(node) ] }"#).compiled(.check())
    return try #require(chain.resolved.graph.nodes.compactMap(\.unit).first)
  }

  private func value(_ unit: UnitConfiguration, _ id: String) -> Double? {
    unit.parameters.firstIndex { $0.path == id }.map { unit.values[$0] }
  }

  @Test func `a preset sets parameters and options, and leaves the others`() throws {
    let hall = try unit(#"{ "unit": "reverb", "preset": "large hall" }"#)
    #expect(value(hall, "decay") == 3.2 && value(hall, "preDelay") == 0.035)
    #expect(value(hall, "width") == 1 && value(hall, "wet") == 0.3)
    #expect(hall.options["size"] == .number(1.4))
  }

  @Test func `the chain's values override the preset`() throws {
    let hall = try unit(
      #"""
      { "unit": "reverb", "preset": "Large Hall", "size": 0.8, "wet": 1,
        "parameters": { "decay": "1 s" } }
      """#)
    #expect(value(hall, "decay") == 1 && value(hall, "preDelay") == 0.035)
    #expect(hall.options["size"] == .number(0.8) && value(hall, "wet") == 1)
  }

  @Test func `an unknown preset is refused with the known presets`() throws {
    let found = try #require(
      failure { _ = try unit(#"{ "unit": "delay", "preset": "slapbak" }"#) })
    #expect(found.code == "unknown-preset")
    #expect(
      found.hints == [
        "did you mean 'slapback'?", "it has: slapback, tape, ping-pong, wide, doubler",
      ])
    let none = try #require(failure { _ = try unit(#"{ "unit": "gain", "preset": "loud" }"#) })
    #expect(none.hints == ["it has none"])
  }
}
