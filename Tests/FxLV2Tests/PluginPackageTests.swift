import Foundation
@testable import FxLV2
import FxTestSupport
import Testing

/// The table of Debian's packages.
@Suite struct PluginPackageTests {
  @Test(arguments: [
    ("http://calf.sourceforge.net/plugins/Reverb", "calf-plugins"),
    ("http://lsp-plug.in/plugins/lv2/compressor_mono", "lsp-plugins-lv2"),
    ("http://gareus.org/oss/lv2/tuna#one", "x42-plugins"),
    ("http://gareus.org/oss/lv2/b_synth", "setbfree"), ("urn:zamaudio:ZamComp", "zam-plugins"),
  ])
  func `a plugin that is missing has the package that it comes with`(
    _ uri: String, _ package: String
  ) {
    #expect(PluginPackages.package(of: uri) == package)
    #expect(PluginPackages.missingPackage(of: uri, installed: ["urn:other"]) == package)
  }

  @Test(arguments: [
    "http://example.org/reverb", "https://github.com/somebody/reverb", "urn:fxrun:test:gian",
    "http://gareus.org/oss/lv2/unheardof", "", "http://",
  ])
  func `a plugin without a package has no suggestion`(_ uri: String) {
    #expect(PluginPackages.package(of: uri) == nil)
  }

  @Test func `an installed package is not suggested`() {
    #expect(
      PluginPackages.missingPackage(
        of: "http://calf.sourceforge.net/plugins/Reverbb",
        installed: ["http://calf.sourceforge.net/plugins/Reverb"]) == nil)
  }

  @Test func `the table is small and in order`() {
    let lines = PluginPackageTable.text.split(separator: "\n")
    #expect(lines == lines.sorted())
    #expect(Set(lines).count == lines.count)
    #expect(PluginPackageTable.text.utf8.count < 3000)
  }

  /// The output of `dpkg -S` for each installed bundle, where the corpus has its package.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/var/lib/dpkg/info")))
  func `the table has the package of every plugin that is installed`() throws {
    let owners = try Self.bundleOwners()
    for plugin in LV2World(searchPath: "/usr/lib/lv2").list() {
      guard let package = owners[plugin.bundle] else { continue }
      #expect(
        PluginPackages.package(of: plugin.uri) == package,
        "\(plugin.uri): run scripts/plugin-packages")
    }
  }

  /// Packages of the corpus by their bundles' folders.
  private static func bundleOwners() throws -> [String: String] {
    let names = try String(
      contentsOfFile: "\(Fixture.repository)/Tests/LV2Corpus/packages.txt", encoding: .utf8
    ).split(separator: "\n").filter { !$0.hasPrefix("#") }
    var owners: [String: String] = [:]
    for name in names {
      let list = "/var/lib/dpkg/info/\(name).list"
      guard let files = try? String(contentsOfFile: list, encoding: .utf8) else { continue }
      for file in files.split(separator: "\n") where file.hasSuffix("/manifest.ttl") {
        owners[String(file.dropLast("manifest.ttl".count))] = String(name)
      }
    }
    return owners
  }
}
