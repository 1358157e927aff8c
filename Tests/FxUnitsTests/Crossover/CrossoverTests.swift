import Foundation
import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `A crossover` {
  private func renderer(
    _ unit: String = "crossover", order: Int = 4, edges: [Double] = [200, 2000],
    rate: Double = 48000, parameters: [String: Double] = [:]
  ) throws -> UnitRenderer {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == unit })
    let isLinear = unit == "linearCrossover"
    let items = (0...edges.count).map { index -> ListItem in
      guard isLinear, index < edges.count else { return ListItem() }
      return ListItem(options: ["upTo": .number(edges[index])])
    }
    var values = parameters
    if !isLinear {
      for (index, edge) in edges.enumerated() { values["bands.\(index + 1).upTo"] = edge }
    }
    return try UnitRenderer(
      type, inputWidths: [1], options: ["order": .number(Double(order))], items: items,
      parameters: values, sampleRate: rate)
  }

  /// Decibels of the response of a sound to an impulse at a frequency.
  private func gain(_ response: [Double], _ frequency: Double) -> Double {
    var (re, im) = (0.0, 0.0)
    for (index, sample) in response.enumerated() {
      let turn = 2 * Double.pi * frequency * Double(index) / 48000
      re += sample * cos(turn)
      im += sample * sin(turn)
    }
    return 10 * log10(max(re * re + im * im, 1e-30))
  }

  private func sum(_ bands: [[Float]]) -> [Double] {
    bands[0].indices.map { frame in bands.reduce(0.0) { $0 + Double($1[frame]) } }
  }

  @Test(arguments: [2, 4, 6, 8], [[1000], [150, 900], [90, 400, 1500, 6000]])
  func `has bands whose sum has a flat response`(_ order: Int, _ edges: [Double]) throws {
    let bands = try renderer(order: order, edges: edges).render([Signal.impulse(16384, at: 0)])
    #expect(bands.count == edges.count + 1)
    let whole = sum(bands)
    for octave in stride(from: 0.0, through: 9.5, by: 0.25) {
      let level = gain(whole, 30 * pow(2, octave))
      #expect(abs(level) < 0.01, "\(30 * pow(2, octave)) Hz: \(level) dB")
    }
  }

  @Test(arguments: [2, 4, 6, 8]) func `falls by its order beyond the edge`(_ order: Int) throws {
    let bands = try renderer(order: order, edges: [1000]).render([Signal.impulse(16384, at: 0)])
    let (low, high) = (bands[0].map(Double.init), bands[1].map(Double.init))
    #expect(abs(gain(low, 1000) + 6.02) < 0.01)
    #expect(abs(gain(high, 1000) + 6.02) < 0.01)
    let wanted = -20 * log10(1 + pow(4, Double(order)))
    #expect(abs(gain(high, 250) - wanted) < 0.3, "\(gain(high, 250)) dB, \(wanted) dB")
  }

  @Test(arguments: [2, 4, 8]) func `of linear phase adds up to the delayed signal`(_ order: Int)
    throws
  {
    let renderer = try renderer("linearCrossover", order: order, edges: [150, 900, 5000])
    let input = Signal.noise(9000, seed: 7)
    let whole = sum(renderer.render([input]))
    let latency = renderer.instance.latency
    #expect(latency == 4 * 48000 / 150)
    var error = 0.0
    for frame in latency..<9000 {
      error = max(error, abs(whole[frame] - Double(input[frame - latency])))
    }
    #expect(error < 1e-6, "\(20 * log10(error)) dB")
  }

  @Test func `of linear phase falls by its order and does not change the phase`() throws {
    let renderer = try renderer("linearCrossover", order: 4, edges: [1000])
    let latency = renderer.instance.latency
    let bands = renderer.render([Signal.impulse(2048, at: 0)])
    let low = bands[0].map(Double.init)
    #expect(abs(gain(low, 1000) + 6.02) < 0.05)
    #expect(abs(gain(low, 100)) < 0.01)
    #expect(abs(gain(low, 4000) - 20 * log10(1 / 257.0)) < 0.5)
    for offset in 1..<latency {
      #expect(abs(low[latency - offset] - low[latency + offset]) < 1e-6)
    }
  }

  @Test func `is refused with one band and with bands out of order`() throws {
    #expect(throws: Failure.self) { try renderer(edges: []) }
    #expect(throws: Failure.self) { try renderer("linearCrossover", edges: [2000, 200]) }
    #expect(throws: Failure.self) { try renderer(order: 3) }
  }
}

@Suite struct `A multiband compressor` {
  private func renderer(_ parameters: [String: Double]) throws -> UnitRenderer {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "multiband" })
    var values = ["bands.1.upTo": 300.0, "bands.2.upTo": 3000]
    values.merge(parameters) { $1 }
    return try UnitRenderer(
      type, inputWidths: [1], items: [ListItem(), ListItem(), ListItem()], parameters: values)
  }

  private func level(_ renderer: UnitRenderer, _ frequency: Double) -> Double {
    let input = (0..<24000).map { Float(0.5 * sin(2 * Double.pi * frequency * Double($0) / 48000)) }
    let output = renderer.render([input])[0].suffix(4800)
    return 10 * log10(output.reduce(0) { $0 + Double($1) * Double($1) } / 4800 / 0.125)
  }

  @Test func `reduces only the band that is too loud`() throws {
    let parameters = [
      "bands.2.threshold": -26.0, "bands.2.ratio": 2, "bands.2.knee": 0, "bands.2.attack": 0.0005,
      "bands.2.release": 0.5,
      "bands.1.threshold": 0, "bands.3.threshold": 0,
    ]
    // 20 dB above the threshold, of which half remains; the neighbouring bands add a little.
    let held = level(try renderer(parameters), 1000)
    #expect(abs(held + 10) < 0.6, "\(held) dB")
    #expect(abs(level(try renderer(parameters), 60)) < 0.1)
    #expect(abs(level(try renderer(parameters), 12000)) < 0.1)
  }

  @Test func `mutes a band`() throws {
    let parameters = [
      "bands.1.threshold": 0.0, "bands.2.threshold": 0, "bands.3.threshold": 0, "bands.1.mute": 1,
    ]
    #expect(level(try renderer(parameters), 50) < -30)
    #expect(abs(level(try renderer(parameters), 1000)) < 0.3)
  }
}
