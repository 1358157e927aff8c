import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// A parameter of a dynamics unit that is sent to another value while it plays.
struct DynamicsChange: Sendable, CustomTestStringConvertible {
  var unit: String
  var parameters: [String: Double] = [:]
  var path: String
  var from: Double
  var to: Double

  var testDescription: String { "\(unit) \(path) \(from) to \(to)" }

  /// A tone of 100 Hz at -6 dBFS through the unit, which changes as the engine changes it.
  func render() throws -> [Float] {
    let type = try builtIn(unit)
    let items = type.spec.list.map { _ in [ListItem(options: ["type": .text("peak")])] } ?? []
    let slot = try #require(type.spec.parameterSlots(items: items).first { $0.path == path })
    let seconds: Double
    switch slot.spec.smoothing {
    case .none: seconds = 0
    case .ramp(let time), .glide(let time): seconds = time
    }
    let frames = 48005..<48005 + Int(seconds * 48000)
    let renderer = try UnitRenderer(
      type, inputWidths: [1], items: items, parameters: parameters,
      motions: [path: .smooth(from: from, to: to, frames: frames)])
    return renderer.render([Signal.tone(100, decibels: -6, 60000)], blocks: [256])[0]
  }
}

@Suite struct `A dynamics unit that is changed while it plays` {
  private static let band = [
    "bands.1.frequency": 100.0, "bands.1.gain": 6, "bands.1.threshold": -20,
    "bands.1.range": -12,
  ]
  private static let changes = [
    DynamicsChange(unit: "gate", path: "threshold", from: -60, to: -20),
    DynamicsChange(unit: "gate", path: "keyHighPass", from: 10, to: 80),
    DynamicsChange(unit: "expander", path: "threshold", from: -20, to: -2),
    DynamicsChange(unit: "expander", parameters: ["threshold": 0], path: "ratio", from: 1, to: 3),
    DynamicsChange(
      unit: "expander", parameters: ["threshold": 0, "ratio": 20], path: "range", from: 3, to: 30),
    DynamicsChange(unit: "compressor", path: "range", from: 2, to: 60),
    DynamicsChange(unit: "compressor", path: "keyHighPass", from: 10, to: 400),
    DynamicsChange(unit: "deEsser", path: "frequency", from: 2000, to: 12000),
    DynamicsChange(unit: "deEsser", path: "listen", from: 0, to: 1),
    DynamicsChange(unit: "transient", path: "attack", from: -12, to: 12),
    DynamicsChange(unit: "transient", path: "sustain", from: -12, to: 12),
    DynamicsChange(unit: "transient", path: "attackTime", from: 0.001, to: 0.1),
    DynamicsChange(
      unit: "dynamicEqualizer", parameters: band, path: "bands.1.frequency", from: 60, to: 400),
    DynamicsChange(
      unit: "dynamicEqualizer", parameters: band, path: "bands.1.gain", from: -12, to: 12),
    DynamicsChange(
      unit: "dynamicEqualizer", parameters: band, path: "bands.1.q", from: 0.5, to: 4),
    DynamicsChange(
      unit: "dynamicEqualizer", parameters: band, path: "bands.1.range", from: -12, to: 12),
    DynamicsChange(
      unit: "dynamicEqualizer", parameters: band, path: "bands.1.enabled", from: 1, to: 0),
    DynamicsChange(
      unit: "dynamicEqualizer", parameters: band, path: "bands.1.threshold", from: 0, to: -20),
  ]

  @Test(arguments: changes) func `adds nothing far above its signal`(_ change: DynamicsChange)
    throws
  {
    let output = try change.render()
    let high = try UnitRenderer(
      try builtIn("highPass"), inputWidths: [1], options: ["order": .number(8)],
      parameters: ["frequency": 4000])
    let level = Measured.peakLevel(Array(high.render([output])[0][47000...]))
    #expect(level < -90)
  }
}
