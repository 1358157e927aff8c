import FxAudio
import FxTestSupport
@testable import FxUnits
import Glibc
import Testing

/// Levels, readings and curves of dynamics at low sample rates.
@Suite struct `Levels at low sample rates` {
  @Test(arguments: LowRates.all) func `levels and places are their gains`(_ rate: Double) throws {
    let tones = [LowRates.tone(500, rate, seconds: 0.1), LowRates.tone(700, rate, seconds: 0.1)]
    let half = 0.5.squareRoot()
    /// The gains from left and right to left, then to right.
    let table: [(String, [String: OptionValue], [String: Double], [Double])] = [
      ("gain", [:], ["gain": -6.0206], [0.5, 0, 0, 0.5]),
      ("pan", ["law": .text("balance")], ["pan": 0.5], [0.5, 0, 0, 1]),
      ("width", [:], ["width": 0.5], [0.75, 0.25, 0.25, 0.75]),
      ("midSideEncode", [:], [:], [0.5, 0.5, 0.5, -0.5]),
      ("midSideDecode", [:], [:], [1, 1, 1, -1]),
    ]
    for (id, options, values, gains) in table {
      let output = try LowRates.unit(id, rate, widths: [2], options: options, values).render(tones)
      for side in 0...1 {
        let wanted = zip(tones[0], tones[1]).map {
          Float(gains[2 * side]) * $0 + Float(gains[2 * side + 1]) * $1
        }
        #expect(Measured.difference(output[side], wanted) < -80, "\(id) \(side)")
      }
    }
    let routes = [(1.0, 2.0), (2, 1)].map { from, to in
      ListItem(options: ["from": .number(from), "to": .number(to)])
    }
    let swapped = try LowRates.unit(
      "matrix", rate, widths: [2], items: routes,
      ["routes.1.gain": -6.0206, "routes.2.gain": 6.0206]
    ).render(tones)
    #expect(Measured.difference(swapped[0], tones[1].map { 2 * $0 }) < -80)
    #expect(Measured.difference(swapped[1], tones[0].map { $0 / 2 }) < -80)
    let mono = try LowRates.unit(
      "pan", rate, options: ["law": .text("constantPower")], ["pan": 0]
    ).render([tones[0]])
    for side in mono {
      #expect(Measured.difference(side, tones[0].map { Float(half) * $0 }) < -80)
    }
  }

  @Test(arguments: LowRates.all) func `a meter has the levels of a tone`(_ rate: Double) throws {
    // A tone of 997 Hz, in both channels.
    let tone = LowRates.tone(997, rate, decibels: -23, seconds: 3.2)
    let meter = try LowRates.unit("meter", rate, widths: [2])
    _ = meter.render([tone, tone], blocks: [777])
    let wanted: [(id: String, value: Double, tolerance: Double)] = [
      ("rms", -26.01, 0.02), ("peak", -23, 0.15), ("truePeak", -23, 0.1), ("momentary", -23, 0.1),
      ("shortTerm", -23, 0.1), ("integrated", -23, 0.1), ("highestMomentary", -23, 0.1),
      ("highestShortTerm", -23, 0.1), ("correlation", 1, 0.001),
    ]
    for (id, value, tolerance) in wanted {
      let found = Double(try #require(meter.readings(id).max()))
      #expect(abs(found - value) < tolerance, "\(id): \(found)")
    }
  }

  /// The output level of Giannoulis, Massberg and Reiss (2012), equation 4.
  private func compressed(_ level: Double, _ ratio: Double, _ knee: Double) -> Double {
    let over = level + 20
    if 2 * over < -knee { return level }
    if 2 * abs(over) <= knee {
      return level + (1 / ratio - 1) * pow(over + knee / 2, 2) / (2 * knee)
    }
    return -20 + over / ratio
  }

  @Test(arguments: LowRates.all)
  func `compressors and expanders have their static curves`(_ rate: Double) throws {
    let count = Int(0.2 * rate)
    let compressor = try LowRates.unit(
      "compressor", rate, widths: [1, 0],
      ["threshold": -20, "ratio": 3, "knee": 10, "attack": 0.001, "release": 0.005])
    let expander = try LowRates.unit(
      "expander", rate, widths: [1, 0],
      ["threshold": -40, "ratio": 2, "knee": 0, "range": 30, "attack": 0.001, "release": 0.02])
    let multiband = try LowRates.unit(
      "multiband", rate, items: [ListItem(), ListItem()],
      [
        "bands.1.upTo": 0.2 * rate, "bands.1.threshold": -20, "bands.1.ratio": 3,
        "bands.1.knee": 10, "bands.1.attack": 0.001, "bands.1.release": 0.005,
        "bands.2.ratio": 1,
      ])
    for input in stride(from: -60.0, through: 0, by: 6) {
      let sound = LowRates.constant(input, count)
      func last(_ unit: UnitRenderer) -> Double {
        unit.reset()
        return LowRates.level(unit.render([sound])[0][count - 1])
      }
      #expect(abs(last(compressor) - compressed(input, 3, 10)) < 0.05, "compressor, \(input)")
      #expect(abs(last(multiband) - compressed(input, 3, 10)) < 0.1, "multiband, \(input)")
      let wanted = input < -40 ? input - min(-40 - input, 30) : input
      #expect(abs(last(expander) - wanted) < 0.05, "expander, \(input)")
    }
  }

  @Test(arguments: LowRates.all) func `tones come out on the static curves`(_ rate: Double) throws {
    for hertz in [97.0, 1231, 0.43 * rate] {
      let tone = LowRates.tone(hertz, rate, decibels: -8)
      let tail = Int(0.5 * rate)
      func check(_ id: String, _ unit: UnitRenderer, _ wanted: Double, within tolerance: Double) {
        let level = Measured.rmsLevel(unit.render([tone])[0][tail...]) + 3.01
        #expect(abs(level - wanted) < tolerance, "\(id), \(hertz) Hz: \(level)")
      }
      let compressor = try LowRates.unit(
        "compressor", rate, widths: [1, 0],
        ["threshold": -20, "ratio": 100, "knee": 0, "attack": 0.0001, "release": 0.5])
      check("compressor", compressor, -20, within: 0.4)
      let limiter = try LowRates.unit("limiter", rate, ["ceiling": -14, "release": 0.5])
      check("limiter", limiter, -14, within: 0.3)
      let deEsser = try LowRates.unit(
        "deEsser", rate, options: ["mode": .text("wide")],
        ["frequency": 1000, "threshold": -20, "ratio": 100, "range": 24, "attack": 0.0001])
      if hertz > 2500 { check("deEsser", deEsser, -20, within: 0.8) }
      let dynamic = try LowRates.unit(
        "dynamicEqualizer", rate, widths: [1, 0], items: [ListItem()],
        [
          "bands.1.frequency": hertz, "bands.1.q": 1, "bands.1.threshold": -20,
          "bands.1.ratio": 100, "bands.1.range": -24, "bands.1.attack": 0.0005,
        ])
      check("dynamicEqualizer", dynamic, -20, within: 0.5)
    }
  }

  @Test(arguments: LowRates.all)
  func `dynamics take their times and keep their limits`(_ rate: Double) throws {
    let attack = try LowRates.unit(
      "compressor", rate, widths: [1, 0],
      ["threshold": -20, "ratio": 100, "knee": 0, "attack": 0.02, "release": 0.05])
    let loud = attack.render([Signal.constant(1, Int(rate))])[0]
    #expect(abs(LowRates.level(loud[Int(0.02 * rate)]) + 20 * 0.632) < 0.2)
    let quiet = attack.render([Signal.constant(0.01, Int(rate))])[0]
    #expect(abs(LowRates.level(quiet[Int(0.05 * rate)]) + 40 + 20 * 0.368) < 0.2)
    let gate = try LowRates.unit(
      "gate", rate, widths: [1, 0],
      ["threshold": -40, "range": 30, "attack": 0.01, "hold": 0.03, "release": 0.02])
    let opened = gate.render([LowRates.constant(-20, Int(0.1 * rate))])[0]
    #expect(abs(opened[Int(0.01 * rate)] / 0.1 - 0.99) < 0.01)
    let closed = gate.render([LowRates.constant(-60, Int(0.3 * rate))])[0]
    #expect(abs(LowRates.level(closed[Int(0.029 * rate)]) + 60) < 0.1)
    #expect(abs(LowRates.level(closed[Int(0.05 * rate) + 1]) + 60 + 30 * 0.632) < 1)
    #expect(abs(LowRates.level(closed[closed.count - 1]) + 90) < 0.1)
    let limiter = try LowRates.unit(
      "limiter", rate, options: ["truePeak": .flag(false)], ["ceiling": -3])
    let held = limiter.render([LowRates.constant(9, Int(0.3 * rate))])[0]
    #expect(abs(LowRates.level(held[held.count - 1]) + 3) < 0.05)
    let clipper = try LowRates.unit("clipper", rate, ["threshold": -6, "softness": 0, "drive": 12])
    let cut = clipper.render([LowRates.constant(0, Int(0.1 * rate))])[0]
    #expect(abs(LowRates.level(cut[cut.count - 1]) + 6) < 0.05)
  }

  @Test(arguments: LowRates.all) func `an envelope has its times`(_ rate: Double) throws {
    let unit = try LowRates.unit(
      "envelope", rate, options: ["detector": .text("peak"), "window": .number(0.05)],
      ["attack": 0.1, "hold": 0, "release": 0.2])
    let count = Int(rate)
    let output = unit.render([Signal.constant(0.5, count) + Signal.silence(count)])[0]
    let share = 1 - exp(-1.0)
    #expect(abs(Double(output[Int(0.1 * rate) - 1]) - 0.5 * share) < 2e-4)
    let top = Double(output[count - 1])
    #expect(abs(Double(output[count + Int(0.2 * rate) - 1]) - top * (1 - share)) < 2e-4)
  }
}
