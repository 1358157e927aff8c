import FxAudio
@testable import FxLV2
import Testing

@Suite struct RefusalTests {
  private func refusal(_ name: String, live: Bool = false) -> Failure? {
    do throws(Failure) {
      let world = FixtureBundles.world()
      guard let plugin = try world.plugin(uri: "urn:fxrun:test:\(name)") else { return nil }
      _ = try plugin.make(
        Preparation(
          sampleRate: 48000, maximumFrameCount: 64, inputWidths: [1], outputWidths: [1],
          isLive: live))
      return nil
    } catch {
      return error
    }
  }

  @Test func `a required feature that fxrun lacks is named`() throws {
    let error = try #require(refusal("needy"))
    #expect(error.code == .unusablePlugin)
    #expect(error.message.contains("'urn:example:telepathy'"))
    #expect(error.message.contains("urn:fxrun:test:needy"))
  }

  @Test func `a port that fxrun cannot connect is named with its type`() throws {
    let error = try #require(refusal("oddport"))
    #expect(error.code == .unusablePlugin)
    #expect(error.message.contains("'taste'") && error.message.contains("urn:example:TastePort"))
  }

  @Test func `a missing binary is named by its path`() throws {
    let error = try #require(refusal("missing"))
    #expect(error.code == .unreadable)
    #expect(error.message.contains("missing.lv2/nowhere.so"))
  }

  @Test func `an invalid binary is refused with the loader's reason`() throws {
    let error = try #require(refusal("broken"))
    #expect(error.code == .unusablePlugin)
    #expect(error.message.contains("cannot be loaded"))
    #expect(error.message.contains("broken.ttl"))
  }

  @Test func `a plugin that its binary does not contain is refused`() throws {
    let error = try #require(refusal("absent"))
    #expect(error.code == .unusablePlugin)
    #expect(error.message.contains("does not contain it"))
  }

  @Test func `a plugin that refuses to start is an error`() throws {
    let error = try #require(refusal("unwilling"))
    #expect(error.code == .unusablePlugin)
    #expect(error.message.contains("48000 Hz"))
  }

  @Test func `a plugin that requires a live host is accepted offline too`() throws {
    #expect(refusal("liveonly") == nil)
    #expect(refusal("liveonly", live: true) == nil)
  }

  @Test func `an invalid description is refused`() throws {
    for name in ["garbled", "gaps"] {
      let error = try #require(refusal(name))
      #expect(error.code == .unusablePlugin)
      #expect(error.message.contains("declares no usable ports"))
    }
  }

  @Test func `a function that no library has is named`() throws {
    let error = try #require(refusal("unlinked"))
    #expect(error.code == .unusablePlugin)
    #expect(error.message.contains("fxrun_test_nowhere"))
  }

  @Test func `widths that a plugin does not support are refused`() throws {
    #expect(throws: Failure.self) { try fixture("ports").made(width: 3) }
    #expect(throws: Failure.self) { try fixture("ports").made(sideChain: 2) }
    #expect(throws: Failure.self) { try fixture("gain").made(width: 0) }
  }

  @Test func `a value above what the sample rate allows is refused, a default is not`() throws {
    let zoo = try fixture("zoo")
    #expect(throws: Failure.self) { try zoo.made(rate: 48000, ["cutoff": 30000]) }
    #expect(try zoo.made(rate: 96000, ["cutoff": 30000]).latency == 0)
    #expect(try zoo.made(rate: 8000).latency == 0)
  }
}
