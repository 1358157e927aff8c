import FxKit
import FxUnitTesting
import MyUnits
import Testing

@Suite struct `The units of this package` {
  @Test func `hold keeps the rules of a unit`() {
    #expect(UnitConformance.problems(of: Hold.self) == [])
  }

  @Test func `balance keeps the rules of a unit`() {
    #expect(UnitConformance.problems(of: Balance.self) == [])
  }

  @Test func `click keeps the rules of a unit`() {
    #expect(UnitConformance.problems(of: Click.self) == [])
  }

  @Test func `hold repeats samples in a chain`() throws {
    let chain = Chain(
      json: #"{ "version": 2, "chain": [ { "unit": "hold", "parameters": { "frames": 4 } } ] }"#,
      units: [Hold.self])
    let renderer = try ChainRenderer(chain, channels: 1)
    let ramp = (0..<8).map { Float($0) / 8 }
    #expect(try renderer.render([ramp])[0] == [0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5])
  }
}
