import Foundation
import FxAudio
@testable import FxLV2
import FxTestSupport
import Testing

/// Plugins, presets and states that several bundles of the search path define.
@Suite struct SearchOrderTests {
  private let folder = TemporaryFolder()

  @Test func `the first folder of the search path wins, whatever the alphabet says`() throws {
    try bundle("a/fx", plugins: ["urn:order:one": "Installed"])
    try bundle("z/fx", plugins: ["urn:order:one": "Own"])
    for (path, name) in [(["z", "a"], "Own"), (["a", "z"], "Installed")] {
      #expect(try #require(world(path).describe(uri: "urn:order:one")).name == name)
      let listed = try #require(world(path).list().first { $0.uri == "urn:order:one" })
      #expect(listed.name == name)
      #expect(listed.bundle == folder.file("\(path[0])/fx.lv2/"))
      #expect(listed.binary == folder.file("\(path[0])/fx.lv2/fx.so"))
      #expect(listed.ports.map(\.name) == [name])
    }
  }

  @Test func `a newer version in a later folder does not win`() throws {
    try bundle("z/fx", plugins: ["urn:order:one": "Own"], minor: 2)
    try bundle("a/fx", plugins: ["urn:order:one": "Installed"], minor: 8)
    let world = world(["z", "a"])
    #expect(world.describe(uri: "urn:order:one")?.minorVersion == 2)
    #expect(world.list().map(\.minorVersion) == [2])
  }

  @Test func `a bundle keeps its other plugins when an earlier bundle has one of them`() throws {
    try bundle("z/mine", plugins: ["urn:order:one": "Own"])
    try bundle("a/all", plugins: ["urn:order:one": "Installed", "urn:order:two": "Two"])
    for lists in [false, true] {
      let world = world(["z", "a"])
      if lists { #expect(world.list().map(\.name) == ["Own", "Two"]) }
      #expect(world.describe(uri: "urn:order:two")?.name == "Two")
      let one = try #require(world.describe(uri: "urn:order:one"))
      #expect(one.name == "Own" && one.ports.map(\.name) == ["Own"])
      #expect(one.binary == folder.file("z/mine.lv2/fx.so"))
    }
  }

  @Test func `the bundles of a plugin are reported, the used one first`() throws {
    try bundle("z/fx", plugins: ["urn:order:one": "Own"])
    try bundle("a/fx", plugins: ["urn:order:one": "Installed", "urn:order:two": "Two"])
    for lists in [false, true] {
      let world = world(["z", "a"])
      if lists { #expect(world.list().filter { $0.copies != nil }.count == 1) }
      let one = try #require(world.describe(uri: "urn:order:one"))
      #expect(one.bundle == folder.file("z/fx.lv2/"))
      #expect(one.otherBundles == [folder.file("a/fx.lv2/")])
      #expect(
        one.copies
          == "LV2 plugin 'urn:order:one' is in 2 bundles: '\(folder.file("z/fx.lv2/"))' is "
          + "used, because it comes first in the search path; '\(folder.file("a/fx.lv2/"))' is ignored"
      )
      #expect(world.describe(uri: "urn:order:two")?.copies == nil)
    }
  }

  @Test func `one bundle that the search path reaches twice is one bundle`() throws {
    try bundle("a/fx", plugins: ["urn:order:one": "Installed"])
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file("a"))
    let world = LV2World(
      searchPath: "\(folder.file("a")):\(folder.file("a"))/:\(folder.file("link"))")
    #expect(world.describe(uri: "urn:order:one")?.bundle == folder.file("a/fx.lv2/"))
    #expect(world.describe(uri: "urn:order:one")?.copies == nil)
    #expect(world.list().map(\.otherBundles) == [[]])
  }

  @Test func `two bundles of one folder are used in the order of their names`() throws {
    try bundle("a/y", plugins: ["urn:order:one": "Later"])
    try bundle("a/x", plugins: ["urn:order:one": "Earlier"])
    #expect(world(["a"]).describe(uri: "urn:order:one")?.name == "Earlier")
    #expect(world(["a"]).list().first?.otherBundles == [folder.file("a/y.lv2/")])
  }

  @Test func `presets of an ignored bundle are not offered, and those of other bundles are`() throws
  {
    try bundle("z/fx", plugins: ["urn:order:one": "Own"], presets: ["urn:order:half": 0.5])
    try bundle(
      "a/fx", plugins: ["urn:order:one": "Installed"],
      presets: ["urn:order:half": 0.25, "urn:order:old": 0.125])
    try bundle("a/presets", presets: ["urn:order:user": 0.75], of: "urn:order:one")
    let presets = world(["z", "a"]).presets(of: "urn:order:one").map(\.uri)
    #expect(presets == ["urn:order:half", "urn:order:user"])
    #expect(try value(of: "urn:order:half", in: ["z", "a"]) == [0.5])
    #expect(try value(of: "urn:order:half", in: ["a", "z"]) == [0.25])
    #expect(try value(of: "urn:order:user", in: ["z", "a"]) == [0.75])
  }

  @Test func `of two presets with one URI the first of the search path is used`() throws {
    try bundle("m/fx", plugins: ["urn:order:one": "Own"])
    try bundle("z/mine", presets: ["urn:order:half": 0.5], of: "urn:order:one")
    try bundle("a/theirs", presets: ["urn:order:half": 0.25], of: "urn:order:one")
    #expect(try value(of: "urn:order:half", in: ["z", "m", "a"]) == [0.5])
    #expect(try value(of: "urn:order:half", in: ["a", "m", "z"]) == [0.25])
    #expect(world(["z", "m", "a"]).presets(of: "urn:order:one").count == 1)
  }

  @Test func `a bundle that only adds to a plugin is not a copy`() throws {
    try bundle("z/ui", plugins: ["urn:order:one": "Face"], isBinary: false)
    try bundle("a/fx", plugins: ["urn:order:one": "Sound"])
    let world = world(["z", "a"])
    #expect(world.describe(uri: "urn:order:one")?.binary == folder.file("a/fx.lv2/fx.so"))
    #expect(world.describe(uri: "urn:order:one")?.otherBundles == [])
    #expect(world.list().first?.binary == folder.file("a/fx.lv2/fx.so"))
  }

  // MARK: Support

  private func world(_ folders: [String]) -> LV2World {
    LV2World(searchPath: folders.map { folder.file($0) }.joined(separator: ":"))
  }

  private func value(of preset: String, in folders: [String]) throws -> [Double] {
    try world(folders).state(.preset(preset), of: "urn:order:one").ports.map(\.value)
  }

  /// Writes a bundle. Its plugins have one control port, named like the plugin.
  private func bundle(
    _ name: String, plugins: [String: String] = [:], minor: Int = 2,
    presets: [String: Double] = [:], of plugin: String? = nil, isBinary: Bool = true
  ) throws {
    let bundle = folder.file("\(name).lv2")
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    let prefixes = """
      @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
      @prefix doap: <http://usefulinc.com/ns/doap#> .
      @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
      @prefix pset: <http://lv2plug.in/ns/ext/presets#> .

      """
    var (manifest, text) = (prefixes, prefixes)
    for (uri, name) in plugins {
      manifest += "<\(uri)> a lv2:Plugin ; rdfs:seeAlso <fx.ttl> ; lv2:minorVersion \(minor) "
      manifest += isBinary ? "; lv2:binary <fx.so> .\n" : ".\n"
      guard isBinary else { continue }
      text += """
        <\(uri)> a lv2:Plugin ; doap:name "\(name)" ; lv2:port [ a lv2:ControlPort, lv2:InputPort ;
          lv2:index 0 ; lv2:symbol "amount" ; lv2:name "\(name)" ; lv2:default 1.0 ;
          lv2:minimum 0.0 ; lv2:maximum 2.0 ] .

        """
    }
    for (uri, value) in presets {
      let owner = plugin ?? plugins.keys.sorted().first ?? ""
      manifest += "<\(uri)> a pset:Preset ; lv2:appliesTo <\(owner)> ; rdfs:seeAlso <fx.ttl> .\n"
      text += """
        <\(uri)> a pset:Preset ; lv2:appliesTo <\(owner)> ; rdfs:label "\(uri)" ;
          lv2:port [ lv2:symbol "amount" ; pset:value \(value) ] .

        """
    }
    try manifest.write(toFile: "\(bundle)/manifest.ttl", atomically: true, encoding: .utf8)
    try text.write(toFile: "\(bundle)/fx.ttl", atomically: true, encoding: .utf8)
  }
}
