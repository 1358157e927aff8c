import FxAudio
@testable import FxLV2
import Testing

@Suite struct FindingTests {
  let world = FixtureBundles.world()

  @Test func `a plugin is found by its URI`() throws {
    let plugin = try #require(try world.plugin(uri: "urn:fxrun:test:gain"))
    #expect(plugin.spec.id == "urn:fxrun:test:gain")
    #expect(plugin.spec.name == "Test Gain")
    #expect(plugin.spec.category == "amplifier")
  }

  @Test func `a URI that is not installed is no plugin and no error`() throws {
    #expect(try world.plugin(uri: "urn:fxrun:test:gaim") == nil)
    #expect(try world.plugin(uri: "") == nil)
    #expect(try world.plugin(uri: "no uri at all \u{0} \n <>") == nil)
  }

  @Test func `a URI similar to an installed one suggests it`() {
    #expect(world.nearest(to: "urn:fxrun:test:gaim", limit: 3).first == "urn:fxrun:test:gain")
    #expect(world.nearest(to: "http://elsewhere/worker", limit: 1) == ["urn:fxrun:test:worker"])
    #expect(world.nearest(to: "completely different", limit: 3) == [])
    #expect(world.nearest(to: "urn:fxrun:test:gaim", limit: 0) == [])
  }

  @Test func `the list holds every bundle of the search path`() {
    let list = world.list()
    #expect(list.map(\.uri) == list.map(\.uri).sorted())
    #expect(list.count == world.pluginCount)
    #expect(list.count >= 15)
    #expect(world.searchFolders == [FixtureBundles.searchPath])
  }

  @Test func `the list says what fxrun can host, and why not the rest`() throws {
    let list = world.list()
    let gain = try #require(list.first { $0.uri == "urn:fxrun:test:gain" })
    #expect(gain.canHost)
    #expect(gain.audioInputCount == 1 && gain.audioOutputCount == 1)
    let needy = try #require(list.first { $0.uri == "urn:fxrun:test:needy" })
    #expect(needy.refusal?.code == .unusablePlugin)
    #expect(needy.requiredFeatures.contains("urn:example:telepathy"))
  }

  @Test func `a bundle that writes its URI with a prefix is found without reading all bundles`() {
    let manifest = LV2Manifest(
      text: """
        @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
        @prefix x: <http://example.org/plugins/> .
        x:echo a lv2:Plugin .
        """)
    #expect(manifest.mentions("http://example.org/plugins/echo"))
    #expect(!manifest.mentions("http://example.org/plugins/reverb"))
    #expect(!manifest.mentions("http://example.net/plugins/echo"))
    #expect(LV2Manifest(text: "<urn:a> a lv2:Plugin .").mentions("urn:a"))
  }

  @Test func `the customary folders are searched where no path is given`() {
    let path = LV2SearchPath("/a:~/b::/a:/c")
    #expect(path.folders.first == "/a")
    #expect(path.folders.last == "/c")
    #expect(path.folders.count == 3)
    #expect(!path.folders[1].hasPrefix("~"))
  }

  @Test func `a search path that does not exist has no plugins`() throws {
    let nowhere = LV2World(searchPath: "/nonexistent/lv2")
    #expect(nowhere.pluginCount == 0)
    #expect(nowhere.list() == [])
    #expect(try nowhere.plugin(uri: "urn:fxrun:test:gain") == nil)
  }
}
