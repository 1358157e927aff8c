import FxAudio
@testable import FxLV2
import Testing

/// Third-party plugins, where their Debian packages are installed.
@Suite struct InstalledTests {
  private static let world = LV2World()

  private static func has(_ uri: String) -> Bool { world.describe(uri: uri) != nil }

  private func plugin(_ uri: String) throws -> UnitType {
    try #require(try InstalledTests.world.plugin(uri: uri))
  }

  private static let amp = "http://lv2plug.in/plugins/eg-amp"
  private static let equalizer = "http://gareus.org/oss/lv2/fil4#stereo"
  private static let limiter = "http://plugin.org.uk/swh-plugins/lookaheadLimiterConst"
  private static let sideChain = "http://plugin.org.uk/swh-plugins/sc3"

  @Test(.enabled(if: has(amp), "lv2-examples is not installed"))
  func `the example amplifier amplifies`() throws {
    let unit = try plugin(InstalledTests.amp).made(width: 2)
    let output = unit.render([[0.5, -0.25], [0, 1]], ["gain": 6])
    #expect(abs(output[0][0] - 0.997631) < 1e-5)
    #expect(abs(output[1][1] - 1.995262) < 1e-5)
  }

  @Test(.enabled(if: has(equalizer), "x42-plugins is not installed"))
  func `x42's equalizer is found with its parameters in their units`() throws {
    let unit = try plugin(InstalledTests.equalizer)
    #expect(unit.spec.inputs.first?.width == .exactly(2))
    let frequency = try #require(unit.spec.parameters.first { $0.id == "LSfreq" })
    #expect(frequency.measure == .hertz)
    #expect(frequency.range.contains(80))
    let gain = try #require(unit.spec.parameters.first { $0.id == "LSgain" })
    #expect(gain.measure == .decibels)
    #expect(!unit.spec.parameters.contains { $0.id == "enable" && !$0.isToggle })
  }

  @Test(.enabled(if: has(limiter), "swh-lv2 is not installed"))
  func `swh's look-ahead limiter has the latency that it reports`() throws {
    let unit = try plugin(InstalledTests.limiter).made(maximum: 1024)
    #expect(unit.latency > 0)
    var impulse = [Float](repeating: 0, count: unit.latency + 100)
    impulse[0] = 0.25
    let output = unit.render([impulse, impulse], block: 1024)
    let peak = output[0].indices.max { abs(output[0][$0]) < abs(output[0][$1]) }
    #expect(abs((peak ?? 0) - unit.latency) <= 1)
  }

  @Test(.enabled(if: has(sideChain), "swh-lv2 is not installed"))
  func `swh's compressor has its side-chain on a bus of its own`() throws {
    let spec = try plugin(InstalledTests.sideChain).spec
    #expect(spec.inputs.map(\.width) == [.exactly(2), .exactly(1)])
    #expect(spec.inputs.map(\.isOptional) == [false, true])
  }
}
