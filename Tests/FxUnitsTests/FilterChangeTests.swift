import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// One parameter of a filter that is sent to another value, as a user does while it plays.
struct FilterChange: Sendable, CustomTestStringConvertible {
  var unit: String
  var band: String?
  var parameters: [String: Double] = [:]
  var path: String
  var from: Double
  var to: Double

  var testDescription: String { "\(unit) \(band ?? "") \(path) \(from) to \(to)" }

  /// A tone of 100 Hz at -6 dBFS through the filter, which changes at `frame`.
  func render(at frame: Int, count: Int, blocks: [Int] = [256]) throws -> [Float] {
    let items = band.map { [ListItem(options: ["type": .text($0)])] } ?? []
    let type = try builtIn(unit)
    let slots = type.spec.parameterSlots(items: items)
    let slot = try #require(slots.first { $0.path == path })
    let renderer = try UnitRenderer(
      type, inputWidths: [1], items: items, parameters: parameters,
      motions: [path: .step(slot.spec, from: from, to: to, at: frame)])
    return renderer.render([Signal.tone(100, decibels: -6, count)], blocks: blocks)[0]
  }
}

@Suite struct `A filter that is changed while it plays` {
  private static let changes = [
    FilterChange(
      unit: "peak", parameters: ["frequency": 100], path: "gain", from: 12, to: 0),
    FilterChange(
      unit: "peak", parameters: ["frequency": 1000], path: "gain", from: 24, to: -24),
    FilterChange(unit: "lowShelf", path: "gain", from: 12, to: 0),
    FilterChange(
      unit: "highShelf", parameters: ["frequency": 200], path: "gain", from: -12, to: 12),
    FilterChange(unit: "highPass", path: "q", from: 10, to: 0.7),
    FilterChange(
      unit: "highPass", parameters: ["frequency": 300], path: "q", from: 0.7, to: 10),
    FilterChange(unit: "highPass", path: "frequency", from: 30, to: 120),
    FilterChange(
      unit: "equalizer", band: "peak",
      parameters: ["bands.1.frequency": 100, "bands.1.gain": 12], path: "bands.1.enabled",
      from: 1, to: 0),
    FilterChange(
      unit: "equalizer", band: "lowShelf", parameters: ["bands.1.frequency": 150],
      path: "bands.1.gain", from: -12, to: 12),
    FilterChange(
      unit: "equalizer", band: "highPass", parameters: ["bands.1.frequency": 200],
      path: "bands.1.enabled", from: 0, to: 1),
    FilterChange(unit: "deEsser", path: "frequency", from: 2000, to: 12000),
    FilterChange(
      unit: "dynamicEqualizer", band: "peak",
      parameters: ["bands.1.gain": 12, "bands.1.threshold": 0], path: "bands.1.frequency",
      from: 60, to: 400),
  ]

  /// The level above 1 kHz from a frame on, in decibels of full scale.
  private func clickLevel(_ signal: [Float], from frame: Int) throws -> Double {
    let high = try UnitRenderer(
      try builtIn("highPass"), inputWidths: [1], options: ["order": .number(8)],
      parameters: ["frequency": 1000])
    return Measured.peakLevel(Array(high.render([signal])[0][frame...]))
  }

  @Test(arguments: changes) func `adds nothing above its signal`(_ change: FilterChange) throws {
    for frame in [1600, 1725] {
      let output = try change.render(at: frame, count: 3600)
      let level = try clickLevel(output, from: frame - 50)
      #expect(level < -60, "changed at \(frame)")
    }
  }

  @Test func `stays as smooth when a peak is turned over by 48 dB`() throws {
    // A peak of the tone's own frequency raises it to +18 dBFS first.
    let change = FilterChange(
      unit: "peak", parameters: ["frequency": 100], path: "gain", from: 24, to: -24)
    let level = try clickLevel(change.render(at: 1725, count: 3600), from: 1650)
    #expect(level < -54)
  }

  @Test(arguments: changes) func `ends with the output of the new value`(_ change: FilterChange)
    throws
  {
    var still = change
    still.from = change.to
    let output = try change.render(at: 600, count: 6000)
    let expected = try still.render(at: 600, count: 6000)
    #expect(Measured.difference(Array(output[5500...]), Array(expected[5500...])) < -60)
  }
}
