import Foundation
import FxAudio
@testable import FxLV2
import Synchronization
import Testing

@Suite struct SavedStateTests {
  private let plugin = StateFixture.uri
  private let files = FileManager.default

  private final class Lines: Sendable {
    private let lines = Mutex<[LV2LogLine]>([])
    var all: [LV2LogLine] { lines.withLock { $0 } }
    func add(_ line: LV2LogLine) { lines.withLock { $0.append(line) } }
  }

  private func folder(_ name: String) -> String {
    "\(FixtureBundles.temporaryFolder("states"))/\(name)"
  }

  @Test func `a saved state that was moved is restored with its files`() throws {
    let file = try StateFixture.file(6, "six.txt")
    let setup = PluginSetup(properties: [
      StateFixture.property("file", .file(file)),
      StateFixture.property("gain", .number(0.5)), StateFixture.property("title", .text("Mine")),
    ])
    let first = folder("first.lv2")
    #expect(try StateFixture.save(setup, to: first, ["amount": 0.5, "delay": 0.2]).isEmpty)
    let moved = "\(FixtureBundles.temporaryFolder("elsewhere"))/moved"
    try files.moveItem(atPath: first, toPath: moved)
    try files.removeItem(atPath: file)
    for rate in [48000.0, 44100] {
      let again = try StateFixture.made(PluginSetup(state: .folder(moved)), rate: rate)
      #expect(again.control("amount") == 50)
      #expect(again.control("delay") == 200)
      #expect(again.gains(["amount": 0.5])[0] == [Float](repeating: 1.5, count: 8))
      #expect(again.reading("title") == 77)
    }
    let text = try String(contentsOfFile: "\(moved)/state.ttl", encoding: .utf8)
    #expect(!text.contains("/tmp/") && !text.contains(NSTemporaryDirectory()))
    let links = try files.subpathsOfDirectory(atPath: moved).filter {
      let type = try files.attributesOfItem(atPath: "\(moved)/\($0)")[.type] as? FileAttributeType
      return type == .typeSymbolicLink
    }
    #expect(links.isEmpty)
  }

  @Test func `a file that the plugin made for itself is saved with its state`() throws {
    let target = folder("scratch.lv2")
    try StateFixture.save(PluginSetup(), to: target)
    let copies = try files.subpathsOfDirectory(atPath: target).filter {
      $0.hasSuffix("scratch.txt")
    }
    #expect(copies.count == 1)
    let text = try String(contentsOfFile: "\(target)/\(copies.first ?? "")", encoding: .utf8)
    #expect(text == "scratch")
  }

  @Test func `a saved state is saved again as the same`() throws {
    let setup = PluginSetup(properties: [
      StateFixture.property("file", .file(try StateFixture.file(5, "five.txt")))
    ])
    let first = folder("once.lv2")
    let second = folder("twice.lv2")
    try StateFixture.save(setup, to: first, label: "Same")
    try StateFixture.save(PluginSetup(state: .folder(first)), to: second, label: "Same")
    try files.removeItem(atPath: first)
    let again = try StateFixture.made(PluginSetup(state: .folder(second)))
    #expect(again.gains(["amount": 1])[0][0] == 5)
  }

  @Test func `a saved state in the search path is a preset`() throws {
    let shelf = FixtureBundles.temporaryFolder("shelf")
    let setup = PluginSetup(properties: [StateFixture.property("gain", .number(0.25))])
    try StateFixture.save(setup, to: "\(shelf)/mine.lv2", label: "My own")
    let world = LV2World(searchPath: "\(shelf):\(FixtureBundles.searchPath)")
    let preset = try #require(world.presets(of: plugin).first { $0.label == "My own" })
    let instance = try StateFixture.made(StateFixture.preset(preset.uri), in: world)
    #expect(instance.gains(["amount": 1])[0][0] == 0.25)
  }

  @Test func `an existing folder is replaced only on request`() throws {
    let target = folder("there.lv2")
    try StateFixture.save(PluginSetup(), to: target, label: "Old")
    #expect(throws: Failure.self) { try StateFixture.save(PluginSetup(), to: target) }
    #expect(try files.contentsOfDirectory(atPath: target).contains("state.ttl"))
    try StateFixture.save(PluginSetup(), to: "\(target)/", label: "New", replaces: true)
    let state = try FixtureBundles.world().state(.folder(target), of: plugin)
    #expect(state.label == "New")
    let beside = try files.contentsOfDirectory(atPath: FixtureBundles.temporaryFolder("states"))
    #expect(!beside.contains { $0.hasPrefix("there.lv2.") })
  }

  @Test func `a folder without a saved state is never replaced`() throws {
    let precious = FixtureBundles.temporaryFolder("precious")
    try "x".write(toFile: "\(precious)/manifest.ttl", atomically: true, encoding: .utf8)
    for target in [precious, "\(precious)/manifest.ttl"] {
      #expect(throws: Failure.self) {
        try StateFixture.save(PluginSetup(), to: target, replaces: true)
      }
    }
    #expect(try files.contentsOfDirectory(atPath: precious) == ["manifest.ttl"])
  }

  @Test func `a folder that cannot be written leaves nothing behind`() {
    let error = #expect(throws: Failure.self) {
      try StateFixture.save(PluginSetup(), to: "/proc/nowhere/x.lv2")
    }
    #expect(error?.code == .unreadable)
  }

  @Test func `a file that is missing when the state is saved is named, and nothing is left`() throws
  {
    let file = try StateFixture.file(5, "gone.txt")
    let first = folder("gone.lv2")
    try StateFixture.save(
      PluginSetup(properties: [StateFixture.property("file", .file(file))]), to: first)
    try files.removeItem(atPath: "\(first)/gone.txt")
    let second = folder("gone-too.lv2")
    let error = #expect(throws: Failure.self) {
      try StateFixture.save(PluginSetup(state: .folder(first)), to: second)
    }
    #expect(error?.message.contains("gone.txt") == true)
    #expect(!files.fileExists(atPath: second))
  }

  /// How `state.ttl` is damaged, and the message for it.
  private static let damages: [(String, @Sendable (String) -> String?, String)] = [
    ("gone", { _ in nil }, "'state.ttl': No such file or directory"),
    ("empty", { _ in "" }, "'state.ttl' is empty"),
    ("short", { String($0.prefix($0.count / 2)) }, "state.ttl:"),
    ("garbage", { $0.replacing("lv2:port", with: "%%") }, "state.ttl:"),
    ("word", { $0.replacing(/pset:value [0-9.]+/, with: "pset:value \"x\"") }, "is not a number"),
    ("infinite", { $0.replacing(/pset:value [0-9.]+/, with: "pset:value nan") }, "state.ttl:"),
  ]

  @Test(arguments: [true, false], 0..<damages.count)
  func `a damaged state is an error, not a state without what was lost`(
    _ hasManifest: Bool, _ index: Int
  ) throws {
    let (name, damage, message) = SavedStateTests.damages[index]
    let target = folder("damaged-\(name)-\(hasManifest).lv2")
    try StateFixture.save(PluginSetup(), to: target, ["amount": 0.5])
    let file = "\(target)/state.ttl"
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try files.removeItem(atPath: file)
    try damage(text)?.write(toFile: file, atomically: true, encoding: .utf8)
    if !hasManifest {
      guard name != "gone" else { return }
      try files.removeItem(atPath: "\(target)/manifest.ttl")
    }
    let error = #expect(throws: Failure.self) {
      try FixtureBundles.world().state(.folder(target), of: plugin)
    }
    #expect(error?.code == .unreadable)
    #expect(error?.message.contains("cannot be read: ") == true)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `a preset whose file is damaged is an error`() throws {
    let shelf = FixtureBundles.temporaryFolder("damaged-shelf")
    try StateFixture.save(PluginSetup(), to: "\(shelf)/mine.lv2", label: "Mine")
    try "".write(toFile: "\(shelf)/mine.lv2/state.ttl", atomically: true, encoding: .utf8)
    let world = LV2World(searchPath: "\(shelf):\(FixtureBundles.searchPath)")
    let uri = "file://\(shelf)/mine.lv2/state.ttl"
    let error = #expect(throws: Failure.self) { try world.state(.preset(uri), of: plugin) }
    #expect(error?.message == "the preset '\(uri)' cannot be read: 'state.ttl' is empty")
  }

  @Test(arguments: [#"x"\y"#, #"Our "room"\ ü"#, #"plain \ one"#, #"quoted "one""#, "two\nlines"])
  func `a label is read as it was saved, or the state is not saved`(_ label: String) throws {
    let target = folder("label-\(label.utf8.count).lv2")
    do {
      try StateFixture.save(PluginSetup(), to: target, label: label)
    } catch let error as Failure {
      #expect(error.message.contains("could not be read back"))
      #expect(!files.fileExists(atPath: target))
      return
    }
    #expect(try FixtureBundles.world().state(.folder(target), of: plugin).label == label)
  }

  @Test
  func `a state of a different plugin, a folder without one and no folder have different errors`()
    throws
  {
    let mine = folder("foreign.lv2")
    try StateFixture.save(PluginSetup(), to: mine)
    let world = FixtureBundles.world()
    let foreign = #expect(throws: Failure.self) {
      try world.state(.folder(mine), of: "urn:fxrun:test:gain")
    }
    #expect(foreign?.message.contains("another plugin, '\(plugin)'") == true)
    let empty = #expect(throws: Failure.self) {
      try world.state(.folder(FixtureBundles.temporaryFolder("empty")), of: plugin)
    }
    #expect(empty?.message.contains("holds no state") == true)
    let missing = #expect(throws: Failure.self) {
      try world.state(.folder("/nowhere/at/all"), of: plugin)
    }
    #expect(missing?.message.contains("cannot be read") == true)
  }

  @Test func `text without a state is an error`() throws {
    let junk = FixtureBundles.temporaryFolder("junk")
    for text in ["", "junk", "<> a <urn:x> .", "@prefix"] {
      try text.write(toFile: "\(junk)/state.ttl", atomically: true, encoding: .utf8)
      #expect(throws: Failure.self) {
        try FixtureBundles.world().state(.folder(junk), of: plugin)
      }
    }
  }

  @Test func `a state that the plugin restores only in part is reported`() throws {
    let lines = Lines()
    let bare = FixtureBundles.temporaryFolder("bare")
    try """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .
    <> lv2:appliesTo <urn:fxrun:test:state> ; state:state [ <urn:fxrun:test:state#title> "x" ] .
    """.write(toFile: "\(bare)/state.ttl", atomically: true, encoding: .utf8)
    let world = FixtureBundles.world { lines.add($0) }
    _ = try StateFixture.made(PluginSetup(state: .folder(bare)), in: world)
    #expect(lines.all.contains { $0.level == .warning && $0.text.contains("property is missing") })
  }

  @Test func `files that a plugin makes are removed with it`() throws {
    var paths: LV2PathFeature? = LV2PathFeature()
    let made = try #require(paths?.makePath("a/b/c.txt"))
    let path = String(cString: made)
    free(made)
    try "x".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(path.hasSuffix("/a/b/c.txt"))
    let outside = try #require(paths?.makePath("../../x"))
    let folder = try #require(paths?.folder)
    #expect(String(cString: outside) == "\(folder)/x")
    free(outside)
    paths = nil
    #expect(!files.fileExists(atPath: folder))
  }
}
