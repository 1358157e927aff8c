import Foundation
import FxAudio
@testable import FxChain
import FxEngine
import FxPlaying
import Synchronization
import Testing

/// A chain is read once; building its graph touches no file.
@Suite struct ReadingStepTests {
  /// Counts look-ups on the disk.
  private final class CountingCatalog: UnitCatalog {
    let lookups = Mutex<[String]>([])
    private let units = FakeCatalog()

    func unit(named name: String) -> UnitType? { units.unit(named: name) }
    var unitNames: [String] { units.unitNames }
    func plugin(uri: String) throws(Failure) -> UnitType? { try units.plugin(uri: uri) }
    func nearestPlugins(to uri: String) -> [String] { units.nearestPlugins(to: uri) }
    var pluginSearch: (folders: [String], pluginCount: Int) { units.pluginSearch }
    func properties(ofPlugin uri: String) -> [PluginProperty] { units.properties(ofPlugin: uri) }

    func presets(ofPlugin uri: String) -> [PluginPreset] {
      lookups.withLock { $0.append("presets") }
      return units.presets(ofPlugin: uri)
    }

    func state(_ state: PluginSetup.State, ofPlugin uri: String) throws(Failure) -> PluginState {
      lookups.withLock { $0.append("state") }
      return try units.state(state, ofPlugin: uri)
    }
  }

  @Test func `building a graph touches no file`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "fxchain-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let response = folder.appending(path: "response.wav")
    try Data([1]).write(to: response)
    let catalog = CountingCatalog()
    let reads = Mutex<[String]>([])
    var environment = ChainEnvironment(endpoints: .all)
    environment.read = { path throws(Failure) in
      reads.withLock { $0.append(path) }
      return Array(#"{ "version": 1, "chain": [ { "unit": "gain" } ] }"#.utf8)
    }
    let plugin = #""lv2": "http://gareus.org/oss/lv2/fil4#stereo""#
    let builder = ChainBuilder(
      bytes: Array(
        list(
          #"""
          { "id": "a", \#(plugin), "preset": "Bright Hall",
            "properties": { "impulse": "\#(response.path)" } },
          { "id": "b", \#(plugin), "state": "rooms/there" },
          { "id": "inner", "use": "inner.json" }
          """#
        ).utf8), path: "chain.json", catalog: catalog, environment: environment)
    #expect(reads.withLock { $0 } == ["inner.json"])
    #expect(catalog.lookups.withLock { $0 }.sorted() == ["presets", "state", "state"])
    // The removed file was read before.
    try FileManager.default.removeItem(at: response)
    for _ in 0..<2 {
      let (chain, diagnostics) = builder.build(environment)
      #expect(!diagnostics.hasErrors, "\(diagnostics.text())")
      #expect(chain?.value("a.LSfreq") == 200)
      #expect(chain?.value("b.coef") == 0.25)
    }
    #expect(reads.withLock { $0.count } == 1)
    #expect(catalog.lookups.withLock { $0.count } == 3)
    #expect(builder.graphCount == 2)
  }
}
