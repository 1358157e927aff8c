import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct DynamicEqualizerTests {
  private func equalizer(
    channels: Int = 1, key: Int = 0, types: [String] = ["peak"],
    parameters: [String: Double] = [:], motions: [String: UnitRenderer.Motion] = [:]
  ) throws -> UnitRenderer {
    var settings: [String: Double] = [:]
    for band in 1...max(1, types.count) where !types.isEmpty {
      settings["bands.\(band).threshold"] = -30
      settings["bands.\(band).ratio"] = 100
      settings["bands.\(band).range"] = -12
    }
    return try UnitRenderer(
      UnitType(DynamicEqualizer.self), inputWidths: [channels, key],
      items: types.map { ListItem(options: ["type": .text($0)]) },
      parameters: settings.merging(parameters) { $1 }, motions: motions)
  }

  /// The change of a tone's level in decibels, once it is steady.
  private func gain(_ unit: UnitRenderer, at hertz: Double, decibels: Double, key: [Float]? = nil)
    -> Double
  {
    let tone = Signal.tone(hertz, decibels: decibels, 48000)
    let output = unit.render([tone] + (key.map { [$0] } ?? []))[0]
    return Measured.rmsLevel(output[24000...]) - Measured.rmsLevel(tone[24000...])
  }

  @Test(arguments: ["peak", "lowShelf", "highShelf"])
  func `a signal under the threshold passes bit for bit`(_ type: String) throws {
    let quiet = (0..<2).map { Signal.noise(4000, seed: UInt64($0), amplitude: 0.02) }
    #expect(try equalizer(channels: 2, types: [type]).render(quiet) == quiet)
  }

  @Test func `without bands it passes every bit`() throws {
    let input = (0..<2).map { Signal.noise(500, seed: UInt64($0)) }
    #expect(try equalizer(channels: 2, types: []).render(input) == input)
  }

  @Test(arguments: [("peak", "peak"), ("lowShelf", "lowShelf"), ("highShelf", "highShelf")])
  func `a band that does not move has the response of the filter`(_ type: String, _ filter: String)
    throws
  {
    for decibels in [12.0, -9] {
      let unit = try equalizer(
        types: [type],
        parameters: [
          "bands.1.gain": decibels, "bands.1.q": 0.9, "bands.1.frequency": 800,
          "bands.1.range": 0, "bands.1.threshold": 0,
        ])
      let plain = try UnitRenderer(
        try builtIn(filter), inputWidths: [1],
        parameters: ["gain": decibels, "q": 0.9, "frequency": 800])
      let impulse = Signal.impulse(9600)
      let difference = Measured.difference(unit.render([impulse])[0], plain.render([impulse])[0])
      #expect(difference < -140)
    }
  }

  @Test(arguments: [("peak", 1000.0), ("lowShelf", 60), ("highShelf", 15500)])
  func `a loud band is reduced by the curve, and at most by the range`(
    _ type: String, _ hertz: Double
  ) throws {
    func unit(_ parameters: [String: Double]) throws -> UnitRenderer {
      let q = ["bands.1.q": 0.707]
      return try equalizer(types: [type], parameters: parameters.merging(q) { $1 })
    }
    #expect(abs(gain(try unit([:]), at: hertz, decibels: -24) + 6) < 0.3)
    #expect(abs(gain(try unit(["bands.1.ratio": 2]), at: hertz, decibels: -24) + 3) < 0.3)
    #expect(abs(gain(try unit([:]), at: hertz, decibels: -6) + 12) < 0.3)
    #expect(abs(gain(try unit(["bands.1.range": 9]), at: hertz, decibels: -6) - 9) < 0.3)
    #expect(
      abs(gain(try unit(["bands.1.range": 9, "bands.1.gain": -9]), at: hertz, decibels: -6))
        < 0.3)
  }

  @Test func `loud sound outside a band does not move it`() throws {
    #expect(abs(gain(try equalizer(parameters: ["bands.1.q": 4]), at: 60, decibels: -12)) < 0.01)
    let loud = Signal.tone(1000, decibels: -12, 48000)
    let far = Signal.tone(10000, decibels: -12, 48000)
    let output = try equalizer(parameters: ["bands.1.q": 4]).render([
      zip(loud, far).map { $0 + $1 }
    ])[0]
    let (magnitude, _, _) = Measured.spectrum(Array(output[24000...]), at: 10000)
    #expect(abs(Math.decibels(amplitude: magnitude / 12000) + 12) < 0.1)
  }

  @Test func `each band follows its own level`() throws {
    let unit = try equalizer(
      types: ["peak", "peak"],
      parameters: [
        "bands.1.frequency": 200, "bands.2.frequency": 5000, "bands.1.q": 2, "bands.2.q": 2,
      ])
    #expect(abs(gain(unit, at: 200, decibels: -24) + 6) < 0.3)
    unit.reset()
    #expect(abs(gain(unit, at: 5000, decibels: -20) + 10) < 0.3)
    #expect(abs(unit.instance.readings[0] - 10) < 0.3)
  }

  @Test func `a side-chain moves the band`() throws {
    let key = Signal.tone(1000, decibels: -20, 48000)
    #expect(abs(gain(try equalizer(key: 1), at: 1000, decibels: -50, key: key) + 10) < 0.3)
    let silence = Signal.silence(48000)
    #expect(abs(gain(try equalizer(key: 1), at: 1000, decibels: -6, key: silence)) < 0.01)
  }

  @Test func `attack and release cover 63 percent of a move`() throws {
    let unit = try equalizer(
      types: ["lowShelf"],
      parameters: [
        "bands.1.frequency": 20000, "bands.1.attack": 0.05, "bands.1.release": 0.2,
        "bands.1.range": -12, "bands.1.threshold": -40,
      ])
    _ = unit.render([Signal.constant(0.5, 2400)])
    #expect(abs(unit.instance.readings[0] - 12 * 0.632) < 0.2)
    _ = unit.render([Signal.constant(0.5, 48000)])
    _ = unit.render([Signal.silence(9600 + 2000)], blocks: [1])
    // The peak is held for 25 ms first, and then falls by 22 dB in 16 ms before the move is less.
    #expect(abs(unit.instance.readings[0] - 12 * 0.368) < 0.6)
  }

  @Test func `a range that changes its sign makes no step`() throws {
    let unit = try equalizer(
      motions: ["bands.1.range": .smooth(from: -12, to: 12, frames: 24000..<25000)])
    let output = unit.render([Signal.tone(1000, decibels: -18, 48000)])[0]
    #expect(Measured.largestStep(output) < 0.14 * 4)
    let high = try UnitRenderer(
      try builtIn("highPass"), inputWidths: [1], options: ["order": .number(8)],
      parameters: ["frequency": 4000])
    let rest = high.render([output])[0]
    #expect(Measured.peakLevel(Array(rest[12000...])) < -90)
  }

  @Test func `infinities and not-a-number do not stay`() throws {
    let unit = try equalizer()
    _ = unit.render([[.nan, .infinity, -.infinity, 3e38] + Signal.silence(60)])
    _ = unit.render([Signal.silence(96000)])
    #expect(abs(gain(unit, at: 1000, decibels: -24) + 6) < 0.3)
  }

  @Test(arguments: [false, true])
  func `the output does not depend on block sizes`(isModulated: Bool) throws {
    let unit = try equalizer(
      channels: 3, key: 2, types: ["peak", "lowShelf", "highShelf", "peak"],
      motions: [
        "bands.1.frequency": .line(
          from: 200, to: 9000, frames: 100..<333, isModulated: isModulated),
        "bands.2.threshold": .line(from: -40, to: -20, frames: 30..<500, isModulated: isModulated),
        "bands.3.range": .line(from: -12, to: 12, frames: 50..<480),
        "bands.4.q": .line(from: 0.3, to: 8, frames: 50..<480),
      ])
    let input = (0..<5).map { Signal.noise(600, seed: UInt64($0), amplitude: 0.6) }
    let whole = unit.render(input, blocks: [600])
    for blocks in [[1], [7], [5, 64, 1, 200, 16]] {
      unit.reset()
      #expect(unit.render(input, blocks: blocks, inPlace: true) == whole)
    }
  }
}
