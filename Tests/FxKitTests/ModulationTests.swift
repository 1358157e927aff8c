@testable import FxKit
import Testing

/// Control signals through whole chains.
@Suite struct ModulationTests {
  private static let moving = Chain(
    json: """
      { "version": 1, "tail": "none", "tempo": [{ "bar": 1, "tempo": 140 },
          { "time": "20 ms", "tempo": 90 }],
        "chain": [
          { "id": "follow", "unit": "envelope", "parameters": { "attack": "2 ms" } },
          { "id": "swing", "unit": "lfo", "parameters": { "rate": "31 Hz" } },
          { "id": "beat", "unit": "lfo", "shape": "saw", "parameters": { "period": "1/32" } },
          { "id": "play", "unit": "steps", "steps": [{ "value": 1 }, { "value": -0.5 }],
            "parameters": { "rate": "60 Hz", "glide": 0.2 } },
          { "id": "walk", "unit": "random", "parameters": { "rate": "90 Hz" } },
          { "id": "comp", "unit": "compressor", "lookahead": "3 ms" },
          { "id": "filter", "unit": "lowPass" },
          { "id": "echo", "unit": "delay", "wet": 0.4, "parameters": { "time": "9 ms" } },
          { "id": "level", "unit": "gain" } ],
        "modulation": [
          { "from": "follow", "to": "filter.frequency", "depth": "3 oct", "curve": "root" },
          { "from": "swing", "to": "filter.frequency", "depth": "200 Hz" },
          { "from": "walk", "to": "echo.time", "depth": "2 ms" },
          { "from": "beat", "to": "echo.wet", "depth": 0.4 },
          { "from": "follow:level", "to": "comp.threshold", "depth": "-12 dB" },
          { "from": "play", "to": "level.gain", "depth": "-9 dB", "polarity": "unipolar" },
          { "from": "swing", "to": "swing.rate", "depth": "1 oct", "feedback": true,
            "delay": "10 ms" } ],
        "automation": [
          { "parameter": "level.gain.play", "points": [[0, "-3 dB"], ["40 ms", "-20 dB", "linear"]] }
        ] }
      """)

  @Test func `modulated chains give the same bits at any block size`() throws {
    let input = [noise(3000), noise(3000, seed: 2)]
    let whole = try ChainRenderer(Self.moving).render(input)
    #expect(whole[0].contains { abs($0) > 0.01 })
    for size in [1, 7, 64, 1024] {
      #expect(try ChainRenderer(Self.moving, blockSize: size).render(input) == whole, "\(size)")
    }
    var state: UInt64 = 7
    let renderer = try ChainRenderer(Self.moving)
    var pieces: [[Float]] = [[], []]
    var frame = 0
    while frame < 3000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let count = min(1 + Int(state >> 55), 3000 - frame)
      let piece = try renderer.render(slice(input, frame..<frame + count))
      for channel in 0..<2 { pieces[channel] += piece[channel] }
      frame += count
    }
    #expect(pieces == whole)
  }
}
