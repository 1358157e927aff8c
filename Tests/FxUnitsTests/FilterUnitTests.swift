import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// A built-in unit by its name; `reverb@1` is one of its revisions.
func builtIn(_ id: String) throws -> UnitType {
  let units = BuiltInUnits.all + BuiltInUnits.earlier
  return try #require(units.first { $0.spec.id == id || $0.spec.revisionName == id })
}

@Suite struct `Filter units` {
  private func response(
    _ id: String, _ parameters: [String: Double], options: [String: OptionValue] = [:],
    items: [ListItem] = [], at hertz: Double, sampleRate: Double = 48000
  ) throws -> Double {
    let renderer = try UnitRenderer(
      try builtIn(id), inputWidths: [1], options: options, items: items, parameters: parameters,
      sampleRate: sampleRate)
    let impulse = renderer.render([Signal.impulse(4096)])[0]
    return Measured.response(of: impulse, at: hertz, sampleRate: sampleRate)
  }

  @Test(arguments: ["highPass", "lowPass"], 1...8)
  func `a pass is 3 dB down at its cutoff in every order`(_ id: String, _ order: Int) throws {
    let level = try response(
      id, ["frequency": 700], options: ["order": .number(Double(order))], at: 700)
    #expect(abs(level + 3.01) < 0.05)
  }

  @Test func `a pass of order 2 resonates by its Q, and higher orders ignore it`() throws {
    #expect(abs(try response("lowPass", ["frequency": 700, "q": 4], at: 700) - 12.04) < 0.05)
    let level = try response(
      "lowPass", ["frequency": 700, "q": 4], options: ["order": .number(4)], at: 700)
    #expect(abs(level + 3.01) < 0.05)
  }

  @Test func `a peak, a shelf and a band-pass reach their levels`() throws {
    for gain in [-18.0, -3, 6, 24] {
      let peak = try response("peak", ["frequency": 1000, "gain": gain, "q": 2], at: 1000)
      #expect(abs(peak - gain) < 0.05)
      let low = try response("lowShelf", ["frequency": 1500, "gain": gain], at: 20)
      #expect(abs(low - gain) < 0.05)
      let high = try response("highShelf", ["frequency": 1500, "gain": gain], at: 23000)
      #expect(abs(high - gain) < 0.05)
      let middle = try response("lowShelf", ["frequency": 1500, "gain": gain], at: 1500)
      #expect(abs(middle - gain / 2) < 0.05)
    }
    #expect(abs(try response("bandPass", ["frequency": 1000], at: 1000)) < 0.05)
    #expect(try response("bandPass", ["frequency": 1000], at: 100) < -19)
  }

  @Test func `a notch silences its frequency, an all-pass nothing`() throws {
    #expect(try response("notch", ["frequency": 1000, "q": 2], at: 1000) < -60)
    #expect(abs(try response("notch", ["frequency": 1000, "q": 2], at: 4000)) < 0.2)
    for hertz in [100.0, 1000, 10000] {
      #expect(abs(try response("allPass", ["frequency": 1000], at: hertz)) < 0.01)
    }
  }

  @Test func `a DC block removes an offset and keeps the bass`() throws {
    let renderer = try UnitRenderer(try builtIn("dcBlock"), inputWidths: [1], sampleRate: 8000)
    let output = renderer.render([Signal.constant(0.5, 8000)])[0]
    #expect(Measured.peakLevel(Array(output.suffix(100))) < -90)
    #expect(abs(try response("dcBlock", [:], at: 60, sampleRate: 8000)) < 0.05)
  }

  @Test func `a frequency above half the sample rate is held below it`() throws {
    #expect(abs(try response("lowPass", ["frequency": 22000], at: 500, sampleRate: 22050)) < 0.1)
  }

  @Test func `a moving low-pass stays quiet on a constant`() throws {
    let renderer = try UnitRenderer(
      try builtIn("lowPass"), inputWidths: [1], parameters: ["q": 4],
      motions: ["frequency": .line(from: 8000, to: 300, frames: 3000..<4000)])
    let output = renderer.render([Signal.constant(0.5, 6000)])[0]
    #expect(output[2500...].allSatisfy { abs($0 - 0.5) < 1e-5 })
  }

  @Test func `an equalizer multiplies its bands`() throws {
    let items = [
      ListItem(options: ["type": .text("peak")]),
      ListItem(id: "air", options: ["type": .text("highShelf")]),
      ListItem(),
    ]
    let parameters: [String: Double] = [
      "gain": -2, "bands.1.frequency": 300, "bands.1.gain": 6, "bands.1.q": 1,
      "bands.air.frequency": 5000, "bands.air.gain": -4,
      "bands.3.frequency": 300, "bands.3.gain": -3, "bands.3.q": 5,
    ]
    for hertz in [50.0, 300, 2000, 12000] {
      let alone = try [
        response("peak", ["frequency": 300, "gain": 6, "q": 1], at: hertz),
        response("highShelf", ["frequency": 5000, "gain": -4], at: hertz),
        response("peak", ["frequency": 300, "gain": -3, "q": 5], at: hertz),
      ].reduce(-2, +)
      let together = try response("equalizer", parameters, items: items, at: hertz)
      #expect(abs(together - alone) < 0.01)
    }
  }

  @Test func `a disabled band is not heard, and fading it makes no step`() throws {
    let items = [ListItem(options: ["type": .text("lowPass")])]
    let input = Signal.tone(3000, decibels: -6, 4800)
    let off = try UnitRenderer(
      try builtIn("equalizer"), inputWidths: [1], items: items,
      parameters: ["bands.1.frequency": 200, "bands.1.enabled": 0])
    #expect(Measured.difference(off.render([input])[0], input) < -140)
    let fading = try UnitRenderer(
      try builtIn("equalizer"), inputWidths: [1], items: items,
      parameters: ["bands.1.frequency": 200],
      motions: ["bands.1.enabled": .line(from: 0, to: 1, frames: 2000..<2480)])
    let output = fading.render([input])[0]
    #expect(Measured.largestStep(output) <= Measured.largestStep(input) * 1.02)
    #expect(Measured.peakLevel(Array(output[3600...])) < -45)
  }

  @Test func `a narrower filter declares a longer tail, and a flat one none`() throws {
    func tail(_ q: Double, _ frequency: Double, gain: Double = 6) throws -> Tail {
      try UnitRenderer(
        try builtIn("peak"), inputWidths: [2],
        parameters: ["q": q, "frequency": frequency, "gain": gain]
      ).instance.tail
    }
    guard case .frames(let wide) = try tail(1, 1000), case .frames(let narrow) = try tail(10, 1000)
    else {
      Issue.record("a peak knows its tail")
      return
    }
    #expect(narrow > 5 * wide)
    #expect(try tail(40, 10, gain: 0) == .frames(1))
  }
}
