import Foundation
@testable import FxLV2
import FxTestSupport
import Testing

@Suite struct BundleIndexTests {
  private let folder = TemporaryFolder()
  private var cache: String { folder.file("cache/mentions") }

  init() throws {
    try bundle("a", mentions: "urn:a")
    try bundle("b", mentions: "urn:b")
  }

  @Test func `a cached bundle is not searched again`() throws {
    #expect(try find("urn:a") == ["a"])
    #expect(try find("urn:b") == ["b"])
    #expect(try find("urn:c") == [])
    try replaceInCache("a.lv2", "z.lv2")
    #expect(try find("urn:a") == ["z"])
    #expect(try find("urn:b") == ["b"])
    #expect(try find("urn:c") == [])
  }

  @Test func `a bundle that is added, removed, renamed or written is noticed`() throws {
    #expect(try find("urn:a") == ["a"])
    try bundle("c", mentions: "urn:a")
    #expect(try find("urn:a") == ["a", "c"])
    try FileManager.default.removeItem(atPath: folder.file("lv2/a.lv2"))
    #expect(try find("urn:a") == ["c"])
    try FileManager.default.moveItem(
      atPath: folder.file("lv2/c.lv2"), toPath: folder.file("lv2/d.lv2"))
    #expect(try find("urn:a") == ["d"])
    try bundle("d", mentions: "urn:z")
    #expect(try find("urn:a") == [])
    #expect(try find("urn:z") == ["d"])
  }

  @Test func `a manifest that was just written is searched every time`() throws {
    #expect(try find("urn:a", later: 0) == ["a"])
    #expect(!FileManager.default.fileExists(atPath: cache))
    #expect(try find("urn:a", later: 60) == ["a"])
    #expect(FileManager.default.fileExists(atPath: cache))
  }

  @Test func `a cache that is damaged or cannot be written changes nothing`() throws {
    #expect(try find("urn:a") == ["a"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: cache))
    for length in 0..<bytes.count {
      try bytes.prefix(length).write(to: URL(fileURLWithPath: cache))
      #expect(try find("urn:b") == ["b"])
    }
    let nowhere = LV2BundleIndex(
      LV2SearchPath(folder.file("lv2")), path: "/dev/null/mentions", now: later(60))
    #expect(nowhere.bundles(mentioning: "urn:a") == [folder.file("lv2/a.lv2/")])
  }

  @Test func `caches of different search paths are separate`() throws {
    #expect(try find("urn:a") == ["a"])
    let both = "\(folder.file("lv2")):\(folder.file("more"))"
    #expect(try find("urn:a", path: both) == ["a"])
    #expect(try find("urn:a", path: folder.file("more")) == [])
    try replaceInCache("a.lv2", "z.lv2")
    #expect(try find("urn:a") == ["z"])
    #expect(try find("urn:a", path: both) == ["z"])
    #expect(try find("urn:a", path: folder.file("more")) == [])
  }

  // MARK: Support

  /// Names of the bundles in a search `later` seconds from now.
  private func find(_ uri: String, path: String? = nil, later seconds: Int = 60) throws -> [String]
  {
    let index = LV2BundleIndex(
      LV2SearchPath(path ?? folder.file("lv2")), path: cache, now: later(seconds))
    return index.bundles(mentioning: uri).map {
      ($0 as NSString).lastPathComponent.replacingOccurrences(of: ".lv2", with: "")
    }
  }

  private func later(_ seconds: Int) -> Int { time(nil) + seconds }

  private func bundle(_ name: String, mentions uri: String) throws {
    let bundle = folder.file("lv2/\(name).lv2")
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try "<\(uri)> a <http://lv2plug.in/ns/lv2core#Plugin> .\n".write(
      toFile: "\(bundle)/manifest.ttl", atomically: true, encoding: .utf8)
  }

  private func replaceInCache(_ old: String, _ new: String) throws {
    let url = URL(fileURLWithPath: cache)
    var bytes = try Data(contentsOf: url)
    while let place = bytes.range(of: Data(old.utf8)) {
      bytes.replaceSubrange(place, with: new.utf8)
    }
    try bytes.write(to: url)
  }
}
