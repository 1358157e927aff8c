import Foundation
import FxAudio
@testable import FxLV2
import FxTestSupport
import Testing

/// Plugins in processes of their own.
@Suite struct IsolationTests {
  static let settings: IsolationSettings = {
    var settings = IsolationSettings()
    settings.host = BuiltProgram.folder.appending(path: "PluginHost").path
    settings.liveBlock = 0.2
    settings.offlineBlock = 20
    return settings
  }()

  static func world(_ change: (inout IsolationSettings) -> Void = { _ in }) -> LV2World {
    var settings = settings
    change(&settings)
    return LV2World(searchPath: FixtureBundles.searchPath, isolation: settings)
  }

  /// A signal that differs in every frame and channel.
  static func signal(_ frameCount: Int, channels: Int = 1) -> [[Float]] {
    (0..<channels).map { channel in
      (0..<frameCount).map { Float(($0 * 37 + channel * 11) % 101) / 101 - 0.5 }
    }
  }

  static func delayed(_ signal: [Float], by frames: Int) -> [Float] {
    [Float](repeating: 0, count: frames) + signal.dropLast(frames)
  }

  @Test(arguments: ["gain", "latent", "sum", "worker"])
  func `offline the bits are those of the plugin in fxrun's process`(_ name: String) throws {
    let input = Self.signal(3000)
    let near = try fixture(name).made(maximum: 128)
    let far = try fixture(name, in: Self.world()).made(maximum: 128, isolated: true)
    #expect(far.latency == near.latency + 128)
    let expected = near.render(input, outputs: 1, block: 128)[0]
    let rendered = far.render(input, outputs: 1, block: 128)[0]
    #expect(rendered == Self.delayed(expected, by: 128))
    #expect(far.monitor?.fault == nil)
  }

  @Test func `block sizes do not change the plugin's output`() throws {
    let input = Self.signal(1500)
    let whole = try fixture("latent", in: Self.world()).made(maximum: 128, isolated: true)
    let cut = try fixture("latent", in: Self.world()).made(maximum: 128, isolated: true)
    #expect(cut.render(input, block: 37) == whole.render(input, block: 128))
  }

  @Test func `blocks longer than the limit of plugins are divided`() throws {
    let input = Self.signal(20000)
    let unit = try fixture("options", in: Self.world()).made(maximum: 8192, isolated: true)
    #expect(unit.latency == 4096)
    _ = unit.render(input, block: 8192)
    #expect(unit.reading("longest") == 4096)
  }

  @Test func `a mono plugin has one instance per channel in one process`() throws {
    let input = Self.signal(1000, channels: 3)
    let near = try fixture("sum").made(maximum: 100, width: 3)
    let far = try fixture("sum", in: Self.world()).made(maximum: 100, width: 3, isolated: true)
    let expected = near.render(input, block: 100)
    #expect(far.render(input, block: 100) == expected.map { Self.delayed($0, by: 100) })
  }

  @Test func `parameters and readings are transferred`() throws {
    let input = Self.signal(1000)
    let far = try fixture("gain", in: Self.world()).made(
      maximum: 100, isolated: true, ["gain": -6])
    let near = try fixture("gain").made(maximum: 100, ["gain": -6])
    let expected = near.render(input, block: 100, ["gain": -6])
    #expect(
      far.render(input, block: 100, ["gain": -6]) == expected.map { Self.delayed($0, by: 100) })
    // The last block has not come back yet.
    #expect(far.reading("frames") == 900)
  }

  @Test func `a crash offline names its block and the signal`() throws {
    let unit = try fixture("crash", in: Self.world()).made(maximum: 100, isolated: true)
    _ = unit.render(Self.signal(2000), block: 100)
    let fault = try #require(unit.monitor?.fault)
    #expect(fault.kind == .crashed)
    #expect(fault.frame == 1000)
    #expect(unit.faultDetail?() == "segmentation fault (SIGSEGV)")
  }

  @Test func `a plugin that hangs offline exceeds its time limit`() throws {
    let unit = try fixture("hang", in: Self.world { $0.offlineBlock = 1 }).made(
      maximum: 100, isolated: true)
    _ = unit.render(Self.signal(2000), block: 100)
    let fault = try #require(unit.monitor?.fault)
    #expect(fault.kind == .hung)
    #expect(fault.frame == 1000)
    #expect(unit.faultDetail?() == "no answer for 1 s")
  }

  @Test func `NaN never reaches the output`() throws {
    let unit = try fixture("invalid", in: Self.world()).made(maximum: 100, isolated: true)
    let output = unit.render(Self.signal(2000), block: 100)[0]
    let fault = try #require(unit.monitor?.fault)
    #expect(fault.kind == .nonFinite)
    #expect(fault.frame == 1000)
    #expect(output.allSatisfy { $0.isFinite })
  }

  @Test(arguments: ["crash", "hang", "invalid"])
  func `after a fault the input passes, with the same latency and without a click`(_ name: String)
    throws
  {
    let world = Self.world { $0.offlineBlock = name == "hang" ? 2 : 30 }
    let unit = try fixture(name, in: world).made(maximum: 100, isolated: true, ["at": 500])
    // One step of the input is far smaller than the difference between the input and half of it.
    let input = (0..<2000).map { 0.5 + Float($0) * 1e-5 }
    let output = unit.render([input], block: 100, ["at": 500])[0]
    #expect(unit.monitor?.fault != nil)
    #expect(Array(output[100..<500]) == input[0..<400].map { $0 * 0.5 })
    // The ramp takes 5 ms.
    #expect(Array(output[900..<2000]) == Array(input[800..<1900]))
    let steps = zip(output[100...], output[101...]).map { abs($1 - $0) }
    #expect((steps.max() ?? 1) < 0.002)
  }

  @Test func `a late block of a live plugin passes the input`() throws {
    let world = Self.world {
      $0.liveBlock = 30
      $0.end = 0.01
    }
    let unit = try fixture("sleeps", in: world).made(
      maximum: 100, live: true, isolated: true, ["time": 900, "until": 1e7])
    let input = Self.signal(600)
    let output = unit.render(input, block: 100, ["time": 900, "until": 1e7])[0]
    // fxrun does not wait, so no block can arrive in time.
    #expect(Array(output[400..<600]) == Array(input[0][300..<500]))
    #expect(unit.monitor?.fault == nil)
  }

  @Test(arguments: [("crash", UnitFault.crashed), ("hang", .hung), ("invalid", .nonFinite)])
  func `a fault of a live plugin bypasses it`(_ name: String, _ kind: UnitFault) throws {
    let unit = try fixture(name, in: Self.world { $0.liveBlock = name == "hang" ? 0.05 : 30 }).made(
      maximum: 100, live: true, isolated: true, ["at": 50])
    var rounds = 0
    while unit.monitor?.fault == nil, rounds < 2000 {
      _ = unit.render(Self.signal(100), block: 100, from: rounds * 100, ["at": 50])
      usleep(5000)
      rounds += 1
    }
    #expect(unit.monitor?.fault?.kind == kind)
    #expect(unit.monitor?.fault?.frame == (kind == .nonFinite ? 50 : 0))
    #expect((unit.faultDetail?() == nil) == (kind == .nonFinite))
    let input = Self.signal(1000)
    let output = unit.render(input, block: 100, from: rounds * 100, ["at": 50])[0]
    #expect(Array(output[500...]) == Array(input[0][400..<900]))
  }

  @Test func `a side-chain is transferred`() throws {
    let input = Self.signal(1000, channels: 3)
    let near = try fixture("ports").made(maximum: 100, sideChain: 1)
    let far = try fixture("ports", in: Self.world()).made(
      maximum: 100, sideChain: 1, isolated: true)
    let expected = near.render(input, outputs: 2, block: 100)
    #expect(far.render(input, outputs: 2, block: 100) == expected.map { Self.delayed($0, by: 100) })
  }

  @Test func `a change of latency is followed`() throws {
    let unit = try fixture("latent", in: Self.world()).made(
      maximum: 100, isolated: true, ["length": 48])
    #expect(unit.latency == 148)
    _ = unit.render(Self.signal(500), block: 100, ["length": 48])
    #expect(unit.monitor?.latency == 148)
  }
}
