import CRealtime
import FxAudio
@testable import FxLV2
import Testing

@Suite struct RenderTests {
  private func ramp(_ count: Int, from start: Float = 1) -> [Float] {
    (0..<count).map { start + Float($0) }
  }

  @Test func `a gain renders the expected numbers`() throws {
    let gain = try fixture("gain").made()
    let output = gain.render([[1, -2, 0.5, 0]], ["gain": 20])
    #expect(output == [[10, -20, 5, 0]])
    #expect(gain.tail == .unknown)
    #expect(gain.latency == 0)
  }

  @Test func `values are delivered in the port's own units`() throws {
    let values: [String: Double] = [
      "time": 0.1, "amount": 0.25, "algorithm": 1, "soft": 0, "cutoff": 4800, "unbounded": 3e9,
      "backwards": -10, "wild": 0.5, "steps": 4, "hint": 0.5, "tone": 440, "pitch": -1.5,
      "fine": 2,
    ]
    let zoo = try fixture("zoo").made(values)
    let output = zoo.render([[Float](repeating: 0, count: 16)], values)[0]
    let expected: [Float] = [100, 25, 1, 0, 4800, 3e9, -10, 0.5, 4, 0.5, 0.44, -150, 2]
    #expect(Array(output[2..<15]) == expected)
    #expect(abs(zoo.reading("echo") - 0.1) < 1e-6)
  }

  @Test(arguments: [33.3, 12.34567, 0.1, 99.9, 66.666])
  func `a percentage arrives as the exact number that was meant`(_ percent: Double) throws {
    let values = ["amount": percent / 100, "time": percent / 1000]
    let output = try fixture("zoo").made(values).render([[0, 0, 0, 0]], values)[0]
    #expect(output[3] == Float(percent))
    #expect(output[2] == max(Float(percent), 1))
  }

  @Test func `a default that is a share of the sample rate follows it`() throws {
    let silence = [Float](repeating: 0, count: 16)
    let zoo = try fixture("zoo")
    #expect(try zoo.made(rate: 96000).render([silence])[0][6] == 24000)
    let values = ["cutoff": 11000.0]
    #expect(try zoo.made(rate: 96000, values).render([silence], values)[0][6] == 11000)
    #expect(try zoo.made(rate: 96000, values).render([silence])[0][6] == 12000)
  }

  @Test func `a value out of a port's range is limited to it`() throws {
    let values: [String: Double] = [
      "time": 50, "amount": -3, "unbounded": .infinity, "backwards": .nan, "steps": 3.7,
      "cutoff": 90000,
    ]
    let output = try fixture("zoo").made()
      .render([[Float](repeating: 0, count: 16)], values)[0]
    #expect(output[2] == 2000)
    #expect(output[3] == 0)
    #expect(output[6] == 24000)
    #expect(output[7] == Float.greatestFiniteMagnitude)
    #expect(output[8] == 5)
    #expect(output[10] == 4)
  }

  @Test func `a mono plugin on three channels runs three times, each with a state of its own`()
    throws
  {
    let sum = try fixture("sum").made(width: 3)
    let first = sum.render([[1, 1, 1], [10, 0, 0], [0, 0, 5]])
    #expect(first == [[1, 2, 3], [10, 10, 10], [0, 0, 5]])
    let second = sum.render([[0], [1], [0]])
    #expect(second == [[3], [11], [5]])
  }

  @Test func `instances of one node share their parameters and publish a reading each`() throws {
    let gain = try fixture("gain").made(width: 2)
    #expect(gain.render([[1, 1], [2, 2]], ["gain": -20]) == [[0.1, 0.1], [0.2, 0.2]])
    #expect(gain.reading("frames", channel: 0) == 2)
    #expect(gain.reading("frames", channel: 1) == 2)
  }

  @Test func `a block longer than the limit of plugins reaches them in parts`() throws {
    let count = 10000
    let options = try fixture("options").made(maximum: 16384)
    let input = ramp(count)
    #expect(options.render([input], block: 16384) == [input])
    #expect(options.reading("longest") == 4096)
    #expect(options.reading("maximum") == 4096)
  }

  @Test func `a plugin learns the lengths of its blocks and the rate`() throws {
    let options = try fixture("options").made(rate: 44100, maximum: 480)
    _ = options.render([[0]])
    #expect(options.reading("minimum") == 1)
    #expect(options.reading("maximum") == 480)
    #expect(options.reading("nominal") == 480)
    #expect(options.reading("sequence") == 65536)
    #expect(options.reading("rate") == 44100)
    #expect(options.reading("bounded") == 1)
    #expect(options.reading("fixed") == 0)
    #expect(options.reading("live") == 0)
  }

  @Test func `a live plugin learns that it is live`() throws {
    let options = try fixture("options").made(live: true)
    _ = options.render([[0]])
    #expect(options.reading("live") == 1)
  }

  @Test func `every port is connected as the standard says, block after block`() throws {
    let plugin = try fixture("ports").made(maximum: 64)
    let output = plugin.render(
      [ramp(300), ramp(300, from: 1000)], outputs: 2, block: 64)
    #expect(output == [ramp(300), ramp(300, from: 1000)])
    #expect(plugin.reading("faults") == 0)
    // Enabled, and free-wheeling as offline.
    #expect(plugin.reading("state") == 11)
  }

  @Test func `a connected side-chain reaches its port`() throws {
    let plugin = try fixture("ports").made(sideChain: 1)
    let output = plugin.render([[1, 2], [3, 4], [10, 20]], outputs: 2)
    #expect(output == [[11, 22], [13, 24]])
  }

  @Test func `free-wheeling is off while live`() throws {
    let plugin = try fixture("ports").made(live: true)
    _ = plugin.render([[0], [0]], outputs: 2)
    #expect(plugin.reading("state") == 10)
  }

  @Test func `a plugin that changes the floating-point mode does not change ours`() throws {
    let before = fx_floating_point_mode()
    let rude = try fixture("rude").made()
    #expect(fx_floating_point_mode() & ~0x3f == before & ~0x3f)
    let mode = fx_flush_denormals()
    defer { fx_set_floating_point_mode(mode) }
    let flushing = fx_floating_point_mode()
    _ = rude.render([[1, 2, 3]], block: 1)
    #expect(fx_floating_point_mode() & ~0x3f == flushing & ~0x3f)
    #expect(rude.reading("flushing") == 1)
  }

  @Test func `an empty block does not reach the plugin`() throws {
    let gain = try fixture("gain").made()
    _ = gain.render([[]])
    #expect(gain.reading("frames") == 0)
  }
}
