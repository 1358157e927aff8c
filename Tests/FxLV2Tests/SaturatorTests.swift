import FxAudio
@testable import FxLV2
import FxTestSupport
import Testing

/// The bundle in `plugins/`, compiled as it stands.
@Suite struct SaturatorTests {
  private static let searchPath: String = {
    let folder = FixtureBundles.temporaryFolder("plugins")
    let name = "fxrun-saturator.lv2"
    do {
      try FixtureBundles.build(
        bundle: "\(Fixture.repository)/plugins/\(name)", into: "\(folder)/\(name)")
    } catch {
      preconditionFailure("the saturator cannot be built: \(error)")
    }
    return folder
  }()

  private func saturator(_ name: String) throws -> UnitType {
    let world = LV2World(searchPath: SaturatorTests.searchPath)
    return try #require(try world.plugin(uri: "urn:fxrun:saturator:\(name)"))
  }

  private func impulse(_ count: Int, at frame: Int) -> [Float] {
    (0..<count).map { $0 == frame ? 0.5 : 0 }
  }

  @Test func `its spec is complete`() throws {
    let spec = try saturator("stereo").spec
    #expect(spec.parameters.map(\.id) == ["drive", "mix", "output"])
    #expect(spec.parameters.map(\.measure) == [.decibels, .ratio, .decibels])
    #expect(spec.parameters[1].range == 0...1)
    #expect(spec.inputs.first?.channelNames == ["in_left", "in_right"])
    #expect(spec.readings == [])
    #expect(spec.category == "distortion")
  }

  @Test(arguments: [44100.0, 48000, 96000])
  func `without drive and mix an impulse comes out unchanged after the reported latency`(
    _ rate: Double
  ) throws {
    let values = ["drive": 0.0, "mix": 0.0]
    let unit = try saturator("stereo").made(rate: rate, maximum: 64, values)
    #expect(unit.latency == 32)
    let output = unit.render([impulse(200, at: 3), impulse(200, at: 70)], block: 64, values)
    #expect(output == [impulse(200, at: 35), impulse(200, at: 102)])
  }

  @Test func `the saturated signal is as late as the dry one and keeps a small signal's level`()
    throws
  {
    let values = ["drive": 0.0]
    let unit = try saturator("mono").made(values)
    let steady = [Float](repeating: 0.001, count: 300)
    let output = unit.render([steady], values)[0]
    #expect(abs(output[299] - 0.001) < 1e-6)
    let pulse = try saturator("mono").made(values).render([impulse(200, at: 0)], values)[0]
    #expect(pulse.indices.max { pulse[$0] < pulse[$1] } == 32)
  }

  @Test func `drive bends a loud signal towards full scale and not beyond`() throws {
    let values = ["drive": 24.0]
    let steady = [Float](repeating: 0.5, count: 600)
    let output = try saturator("mono").made(values).render([steady], values)[0]
    #expect(abs(output[599] - 1) < 1e-4)
  }

  @Test func `the output does not depend on the blocks`() throws {
    let values = ["drive": 18.0, "mix": 0.5, "output": -6.0]
    let input = (0..<700).map { Float(($0 * 37) % 101) / 101 - 0.5 }
    let whole = try saturator("mono").made(values).render([input], block: 256, values)
    let parts = try saturator("mono").made(values).render([input], block: 17, values)
    #expect(whole == parts)
  }

  @Test func `a sample that is not a number does not stay`() throws {
    let unit = try saturator("mono").made()
    var input = [Float](repeating: 0, count: 300)
    input[10] = .nan
    input[11] = .infinity
    let output = unit.render([input])[0]
    #expect(output.allSatisfy { $0 == 0 })
  }
}
