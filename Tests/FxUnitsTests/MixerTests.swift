import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `The mixer` {
  private let items = ["voice", "band", "room"].map { ListItem(id: $0) }

  private func mixer(
    _ widths: [Int] = [1, 2, 2], channels: Double = 2, parameters: [String: Double] = [:],
    motions: [String: UnitRenderer.Motion] = [:]
  ) throws -> UnitRenderer {
    try UnitRenderer(
      try builtIn("mixer"), inputWidths: widths, options: ["channels": .number(channels)],
      items: items, parameters: parameters, motions: motions)
  }

  /// One frame through a mixer: voice 0.1, band 0.2 and 0.3, room 0.4 and 0.5.
  private func mixed(_ parameters: [String: Double]) throws -> [Float] {
    try mixer(parameters: parameters).render([[0.1], [0.2], [0.3], [0.4], [0.5]]).map { $0[0] }
  }

  private func expect(_ output: [Float], _ expected: [Float]) {
    #expect(output.count == expected.count)
    for (one, other) in zip(output, expected) { #expect(abs(one - other) < 1e-6) }
  }

  @Test func `sums mono strips into both sides and stereo strips side by side`() throws {
    expect(try mixed([:]), [0.7, 0.9])
  }

  @Test func `applies gain, pan and the master gain`() throws {
    expect(try mixed(["strips.band.gain": -.infinity, "gain": -6.0206]), [0.25, 0.3])
    expect(try mixed(["strips.voice.pan": -1, "strips.room.pan": 0.5]), [0.5, 0.8])
  }

  @Test func `mutes and solos, and a muted strip stays silent when soloed`() throws {
    expect(try mixed(["strips.band.mute": 1]), [0.5, 0.6])
    expect(try mixed(["strips.band.solo": 1]), [0.2, 0.3])
    expect(try mixed(["strips.band.solo": 1, "strips.voice.solo": 1]), [0.3, 0.4])
    expect(try mixed(["strips.band.solo": 1, "strips.band.mute": 1]), [0, 0])
  }

  @Test func `lets strips be unconnected, narrower or wider than stereo`() throws {
    let wide = try mixer([1, 0, 4], channels: 4)
    expect(wide.render([[0.1], [0.2], [0.3], [0.4], [0.5]]).map { $0[0] }, [0.3, 0.4, 0.4, 0.5])
    let mono = try mixer([1, 1, 0], channels: 1, parameters: ["strips.voice.pan": 1])
    expect(mono.render([[0.1], [0.2]]).map { $0[0] }, [0.3])
  }

  @Test func `fades switches no faster than their ramp`() throws {
    let ramp = 100
    for toggle in ["strips.band.mute", "strips.voice.solo", "strips.band.solo"] {
      for (from, to) in [(0.0, 1.0), (1, 0)] {
        let renderer = try mixer(
          motions: [toggle: .line(from: from, to: to, frames: 300..<300 + ramp)])
        let input = [0.5, 0.5, 0.5, 0.5, 0.5].map { Signal.constant($0, 800) }
        for channel in renderer.render(input, blocks: [64]) {
          #expect(Measured.largestStep(channel) <= 1.5 / Float(ramp) * 1.01)
          #expect(channel[0] != channel[799])
        }
      }
    }
  }

  @Test func `renders the same bits whether parameters can move or not`() throws {
    let input = (0..<5).map { Signal.noise(200, seed: UInt64($0)) }
    let still = try mixer(parameters: ["strips.room.pan": 0.3, "strips.voice.gain": -3])
    let moving = try mixer(
      parameters: ["strips.room.pan": 0.3, "strips.voice.gain": -3],
      motions: ["strips.voice.solo": .line(from: 0, to: 1, frames: 150..<180)])
    let one = still.render(input)
    let other = moving.render(input)
    for channel in 0..<2 { #expect(one[channel][..<150] == other[channel][..<150]) }
  }
}
