import FxAudio
import FxTestSupport
@testable import FxUnits
import Glibc
import Testing

/// Filters at low sample rates compared with their formulas.
@Suite struct `Filters at low sample rates` {
  private func impulse(
    _ id: String, _ rate: Double, options: [String: OptionValue] = [:], items: [ListItem] = [],
    _ parameters: [String: Double], count: Int = 4096
  ) throws -> [[Float]] {
    try LowRates.unit(id, rate, options: options, items: items, parameters)
      .render([Signal.impulse(count)])
  }

  private func gain(_ response: [Float], _ hertz: Double, _ rate: Double) -> Double {
    Measured.response(of: response, at: hertz, sampleRate: rate)
  }

  /// The level of an analog prototype in decibels at `x` times its frequency (R. Bristow-Johnson,
  /// Audio EQ Cookbook).
  private func analog(_ type: String, _ gain: Double, _ q: Double, _ x: Double) -> Double {
    let a = pow(10, gain / 40)
    func power(_ n2: Double, _ n1: Double, _ n0: Double) -> Double {
      (n0 - n2 * x * x) * (n0 - n2 * x * x) + n1 * n1 * x * x
    }
    let plain = power(1, 1 / q, 1)
    let ratio: Double =
      switch type {
      case "peak": power(1, a / q, 1) / power(1, 1 / (a * q), 1)
      case "lowShelf": a * a * power(1, sqrt(a) / q, a) / power(a, sqrt(a) / q, 1)
      case "highShelf": a * a * power(a, sqrt(a) / q, 1) / power(1, sqrt(a) / q, a)
      case "lowPass": 1.0 / plain
      case "highPass": power(1, 0, 0) / plain
      case "bandPass": power(0, 1 / q, 0) / plain
      case "notch": power(1, 0, 1) / plain
      default: 1.0
      }
    return 10 * log10(max(ratio, 1e-12))
  }

  /// Frequencies as the bilinear transform squeezes them.
  private func warped(_ hertz: Double, _ rate: Double) -> Double { tan(Double.pi * hertz / rate) }

  private static let types = [
    "peak", "lowShelf", "highShelf", "lowPass", "highPass", "bandPass", "notch", "allPass",
  ]

  @Test(arguments: types, LowRates.all)
  func `a filter and a band of the equalizer have the level of the formula`(
    _ type: String, _ rate: Double
  ) throws {
    let hasGain = type == "peak" || type.hasSuffix("Shelf")
    for center in [200, 0.1 * rate, 0.3 * rate, 0.45 * rate] {
      for (level, q) in [(9.0, 0.8), (-15, 2)] {
        var values = ["frequency": center, "q": q]
        if hasGain { values["gain"] = level }
        let alone = try impulse(type, rate, values)[0]
        let band = try impulse(
          "equalizer", rate, items: [ListItem(options: ["type": .text(type)])],
          Dictionary(uniqueKeysWithValues: values.map { ("bands.1.\($0.key)", $0.value) }))[0]
        for hertz in [60, 0.05 * rate, center, 0.2 * rate, 0.4 * rate, 0.48 * rate] {
          let wanted = analog(type, level, q, warped(hertz, rate) / warped(center, rate))
          for response in [alone, band] {
            let found = gain(response, hertz, rate)
            #expect(
              wanted < -60 ? found < -60 : abs(found - wanted) < 0.05,
              "\(center) Hz, q \(q), at \(hertz) Hz: \(found) dB for \(wanted) dB")
          }
        }
        if type == "allPass" {
          let turned = Measured.spectrum(alone, at: center, sampleRate: rate)
          #expect(abs(turned.cosine + 1) < 1e-4)
        }
      }
    }
  }

  @Test(arguments: ["highPass", "lowPass"], LowRates.all)
  func `a pass has the slope of its order`(_ type: String, _ rate: Double) throws {
    for order in 1...8 where order != 2 {
      for center in [300, 0.4 * rate] {
        let response = try impulse(
          type, rate, options: ["order": .number(Double(order))], ["frequency": center])[0]
        for hertz in [0.7 * center, center, 0.46 * rate] {
          let x = warped(hertz, rate) / warped(center, rate)
          let wanted = -10 * log10(1 + pow(type == "lowPass" ? x : 1 / x, 2 * Double(order)))
          guard wanted > -90 else { continue }
          #expect(abs(gain(response, hertz, rate) - wanted) < 0.1, "order \(order), \(hertz) Hz")
        }
      }
    }
  }

  @Test(arguments: ["peak", "lowShelf", "highShelf", "lowPass", "highPass"], LowRates.all)
  func `an analog response keeps the level of its prototype`(_ type: String, _ rate: Double) throws
  {
    for center in [150, 0.1 * rate, 0.3 * rate] {
      for (level, q) in [(12.0, 0.707), (-9, 1)] {
        let response = try impulse(
          "equalizer", rate, options: ["response": .text("analog")],
          items: [ListItem(options: ["type": .text(type)])],
          ["bands.1.frequency": center, "bands.1.q": q, "bands.1.gain": level])[0]
        for hertz in [100, 0.1 * rate, 0.2 * rate, 0.3 * rate, 0.4 * rate] where hertz > center / 20
        {
          let wanted = analog(type, level, q, hertz / center)
          guard wanted > -60 else { continue }
          let found = gain(response, hertz, rate)
          // The fit reaches to 0.49 of these rates; the bilinear transform is off by many decibels.
          #expect(abs(found - wanted) < 0.75, "\(center) Hz at \(hertz) Hz: \(found), \(wanted)")
        }
      }
    }
  }

  @Test(arguments: LowRates.all)
  func `an equalizer has its curve, its tilt and its levels`(_ rate: Double) throws {
    let curve = try impulse(
      "equalizer", rate, options: ["curve": .text("100 6; 1000 -3; 3000 4")], [:], count: 16384)[0]
    for (hertz, wanted) in [(100.0, 6.0), (316.23, 1.5), (1000, -3), (1732, 0.5), (3000, 4)] {
      #expect(abs(gain(curve, hertz, rate) - wanted) < 0.1, "\(hertz) Hz")
    }
    let tilt = try impulse(
      "equalizer", rate, items: [ListItem(options: ["type": .text("tilt")])],
      ["bands.1.frequency": 500, "bands.1.gain": 5])[0]
    #expect(abs(gain(tilt, 500, rate)) < 0.02)
    #expect(abs(gain(tilt, 10, rate) + 5) < 0.1)
    #expect(abs(gain(tilt, 0.49 * rate, rate) - 5) < 0.1)
    let level = try impulse(
      "equalizer", rate, items: [ListItem(options: ["type": .text("level")])],
      ["bands.1.gain": -7, "gain": 3])[0]
    #expect(abs(gain(level, 1000, rate) + 4) < 0.001)
  }

  @Test(arguments: LowRates.all, [1.0, 5, 60])
  func `a DC block is 3 dB down at its cutoff`(_ rate: Double, _ cutoff: Double) throws {
    let response = try impulse("dcBlock", rate, ["frequency": cutoff], count: Int(3 * rate))[0]
    #expect(abs(gain(response, cutoff, rate) + 3.01) < 0.05)
    #expect(abs(gain(response, 20 * cutoff, rate)) < 0.03)
  }

  @Test(arguments: LowRates.all, [2, 4, 6, 8])
  func `bands have half the amplitude at an edge and a flat sum`(_ rate: Double, _ order: Int)
    throws
  {
    let edges = [150, 0.1 * rate, 0.35 * rate]
    let options: [String: OptionValue] = ["order": .number(Double(order))]
    var values: [String: Double] = [:]
    for (index, edge) in edges.enumerated() { values["bands.\(index + 1).upTo"] = edge }
    let items = (0...edges.count).map { _ in ListItem() }
    let bands = try impulse("crossover", rate, options: options, items: items, values)
    var flat = values
    for index in 1...4 { flat["bands.\(index).ratio"] = 1 }
    let multiband = try impulse("multiband", rate, options: options, items: items, flat)[0]
    let linearItems = items.indices.map { index in
      index < edges.count ? ListItem(options: ["upTo": .number(edges[index])]) : ListItem()
    }
    let linear = try impulse("linearCrossover", rate, options: options, items: linearItems, [:])
    func sum(_ bands: [[Float]]) -> [Float] {
      bands[0].indices.map { frame in bands.reduce(0) { $0 + $1[frame] } }
    }
    for hertz in [40, 150, 500, 0.1 * rate, 0.2 * rate, 0.35 * rate, 0.45 * rate] {
      for whole in [sum(bands), multiband, sum(linear)] {
        #expect(abs(gain(whole, hertz, rate)) < 0.02, "\(hertz) Hz")
      }
    }
    // Of two bands, so that no neighbour takes a part.
    for edge in edges {
      let two = try impulse(
        "crossover", rate, options: options, items: [ListItem(), ListItem()],
        ["bands.1.upTo": edge])
      for band in two { #expect(abs(gain(band, edge, rate) + 6.02) < 0.05, "\(edge) Hz") }
    }
  }

  @Test(arguments: LowRates.all)
  func `a still band of the dynamic equalizer has the response of a peak`(_ rate: Double) throws {
    for center in [400, 0.3 * rate, 0.45 * rate] {
      let still = try LowRates.unit(
        "dynamicEqualizer", rate, widths: [1, 0], items: [ListItem()],
        [
          "bands.1.frequency": center, "bands.1.gain": 9, "bands.1.q": 1.4, "bands.1.range": 0,
          "bands.1.threshold": 0,
        ]
      ).render([Signal.impulse(2048)])[0]
      let peak = try impulse(
        "peak", rate, ["frequency": center, "gain": 9, "q": 1.4], count: 2048)[0]
      #expect(Measured.difference(still, peak) < -130)
    }
  }
}
