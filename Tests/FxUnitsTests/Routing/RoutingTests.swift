import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `Units of routing` {
  @Test func `a decoder undoes an encoder`() throws {
    let input = [Signal.noise(500, seed: 1), Signal.noise(500, seed: 2)]
    let encoder = try UnitRenderer(
      UnitType(MidSide.self, spec: MidSide.encode), inputWidths: [2])
    let decoder = try UnitRenderer(
      UnitType(MidSide.self, spec: MidSide.decode), inputWidths: [2])
    let coded = encoder.render(input)
    #expect(coded[0][7] == 0.5 * (input[0][7] + input[1][7]))
    let output = decoder.render(coded)
    for channel in 0..<2 {
      let off = zip(input[channel], output[channel]).map { abs($0 - $1) }.max() ?? 1
      #expect(off < 1e-6)
    }
  }

  @Test func `a crossfade keeps the power by one law and the amplitude by the other`() throws {
    func third(_ law: String) throws -> [Float] {
      try [[Float(1), 0], [0, 1]].map { inputs in
        let renderer = try UnitRenderer(
          UnitType(Crossfade.self), inputWidths: [1, 1], options: ["law": .text(law)],
          parameters: ["position": 1.0 / 3])
        return renderer.render(inputs.map { Signal.constant($0, 64) })[0][10]
      }
    }
    let gains: [(law: String, expected: [Float])] = [
      ("constantPower", [0.866_025_4, 0.5]), ("linear", [2.0 / 3, 1.0 / 3]),
    ]
    for (law, expected) in gains {
      for (gain, wanted) in zip(try third(law), expected) {
        #expect(abs(gain - wanted) < 1e-6, "\(law)")
      }
    }
  }

  @Test func `a mono second input fades in on both channels`() throws {
    let renderer = try UnitRenderer(
      UnitType(Crossfade.self), inputWidths: [2, 1], parameters: ["position": 1])
    let output = renderer.render([
      Signal.constant(1, 8), Signal.constant(1, 8), Signal.constant(0.25, 8),
    ])
    #expect(output == [Signal.constant(0.25, 8), Signal.constant(0.25, 8)])
  }

  @Test func `a switch lets one input through and fades to another`() throws {
    let items = ["a", "b"].map { ListItem(id: $0) }
    let renderer = try UnitRenderer(
      UnitType(Switch.self), inputWidths: [1, 1], options: ["fade": .number(0.01)], items: items,
      parameters: ["select": 2])
    let output = renderer.render([Signal.constant(1, 1000), Signal.constant(0.5, 1000)])
    #expect(output == [Signal.constant(0.5, 1000), Signal.constant(0.5, 1000)])
  }

  @Test func `routes of a matrix add up`() throws {
    let items = [(1, 2), (2, 1), (3, 1)].map {
      ListItem(options: ["from": .number(Double($0.0)), "to": .number(Double($0.1))])
    }
    let renderer = try UnitRenderer(
      UnitType(Matrix.self), inputWidths: [3], items: items,
      parameters: ["routes.1.gain": -20, "routes.3.invert": 1])
    let output = renderer.render([
      Signal.constant(1, 8), Signal.constant(0.25, 8), Signal.constant(0.125, 8),
    ])
    #expect(output == [Signal.constant(0.125, 8), Signal.constant(0.1, 8)])
  }

  @Test func `a route from a missing channel is refused`() {
    let items = [ListItem(options: ["from": .number(3), "to": .number(1)])]
    #expect(throws: Failure.self) {
      _ = try UnitRenderer(UnitType(Matrix.self), inputWidths: [2], items: items)
    }
  }

  private func mapped(
    _ to: String, _ map: String = "", from layout: ChannelLayout
  ) throws -> [Float] {
    let width = layout.channelCount
    let renderer = try UnitRenderer(
      UnitType(ChannelMap.self), inputWidths: [width],
      options: ["to": .text(to), "map": .text(map)], layout: layout)
    let inputs = (0..<width).map { Signal.constant(Float($0 + 1), 8) }
    return renderer.render(inputs).map { $0[3] }
  }

  @Test func `a channel map uses channel names`() throws {
    let surround = try #require(ChannelLayout(named: "5.1"))
    // FL, FR, FC, LFE, BL, BR.
    #expect(try mapped("7.1", from: surround) == [1, 2, 3, 4, 5, 6, 0, 0])
    #expect(try mapped("stereo", from: surround) == [1, 2])
    #expect(try mapped("5.1(side)", "SL=BL; SR=6", from: surround) == [1, 2, 3, 4, 5, 6])
    #expect(
      try mapped("5.1", "LFE=none;FL=FR;FR=FL", from: surround) == [2, 1, 3, 0, 5, 6])
    #expect(try mapped("mono", "FC=2", from: .discrete(3)) == [2])
  }

  @Test(arguments: [
    ("stereo", "", 3, "have no names"), ("5.1", "FL=9", 2, "no channel 9: 2 arrive"),
    ("5.1", "XX=FL", 2, "5.1 has no channel 'XX': it has FL, FR, FC, LFE, BL, BR"),
    ("5.1", "FL", 2, "not 'FL'"), ("5.1", "FL=BL", 2, "no channel 'BL' arrives: FL, FR"),
  ])
  func `an invalid channel map is refused with the reason`(
    _ to: String, _ map: String, _ width: Int, _ words: String
  ) throws {
    let layout = width == 2 ? ChannelLayout.usual(2) : .discrete(width)
    let error = #expect(throws: Failure.self) { try self.mapped(to, map, from: layout) }
    #expect(error?.message.contains(words) == true)
  }
}
