import Foundation
import FxTestSupport
import Testing

/// LV2 bundles that crash lilv or cannot be read.
@Suite struct BadBundleTests {
  private let folder = Folder()

  private static let prefixes = """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

    """
  private static let manifest =
    prefixes + "<urn:bad> a lv2:Plugin ; lv2:binary <bad.so> ; rdfs:seeAlso <bad.ttl> .\n"

  private static func port(index: String) -> String {
    prefixes + "<urn:bad> lv2:port [ a lv2:AudioPort, lv2:InputPort ; lv2:index \(index) ; "
      + "lv2:symbol \"in\" ; lv2:name \"In\" ] .\n"
  }

  /// A bundle's files; a file without text is a pipe.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let manifest: String?
    var data: String? = ""
    let problem: String
  }

  private static func index(_ index: String) -> Case {
    Case(
      testDescription: "index \(index)", manifest: manifest, data: port(index: index),
      problem: "its description of LV2 plugin 'urn:bad' gives a port the index \(index), and "
        + "indices are 0 to 65535")
  }

  private static let nested =
    String(repeating: "[ rdfs:x ", count: 200_000) + "1" + String(repeating: " ]", count: 200_000)

  static let cases = [
    index("-1"), index("4294967295"), index("2000000000"),
    Case(
      testDescription: "brackets in the manifest",
      manifest: manifest + "<urn:bad> rdfs:x \(nested) .",
      problem: "manifest.ttl nests brackets more than 1000 deep"),
    Case(
      testDescription: "brackets in the data", manifest: manifest,
      data: prefixes + "<urn:bad> rdfs:x \(nested) .",
      problem: "bad.ttl nests brackets more than 1000 deep"),
    Case(
      testDescription: "a pipe as manifest", manifest: nil,
      problem: "manifest.ttl is a pipe, not a file"),
    Case(testDescription: "an empty manifest", manifest: "", problem: "manifest.ttl is empty"),
    Case(
      testDescription: "a pipe as data", manifest: manifest, data: nil,
      problem: "bad.ttl is a pipe, not a file"),
    Case(
      testDescription: "a device as data",
      manifest: manifest.replacing("<bad.ttl>", with: "<file:///dev/zero>"),
      problem: "manifest.ttl leads to file:///dev/zero, which is a device, not a file"),
  ]

  /// The folder of a search path with the bad bundle beside the test plugins.
  private func install(_ bad: Case) throws -> [String: String] {
    let bundle = folder.file("lv2/bad.lv2")
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    for (name, text) in [("manifest.ttl", bad.manifest), ("bad.ttl", bad.data)] {
      if let text {
        try folder.write("lv2/bad.lv2/\(name)", text)
      } else {
        #expect(mkfifo("\(bundle)/\(name)", 0o644) == 0)
      }
    }
    return ["LV2_PATH": "\(folder.file("lv2")):\(TestPlugins.folder)"]
  }

  private func plugins(_ environment: [String: String], _ arguments: String...) throws
    -> Program.Outcome
  {
    try Program.run(
      ["plugins"] + arguments, in: folder.path, environment: environment, limit: 60)
  }

  @Test(arguments: cases)
  func `a bad bundle is named and skipped`(_ bad: Case) throws {
    let environment = try install(bad)
    let sentence = "LV2 bundle '\(folder.file("lv2"))/bad.lv2/' is skipped: \(bad.problem)"
    for _ in 1...2 {
      let list = try plugins(environment, "fxrun:test:gain")
      #expect(list.exitCode == 0)
      #expect(list.errorText.contains("warning: \(sentence)\n"), "\(list.errorText)")
      #expect(list.text.contains("urn:fxrun:test:gain"))
    }
    let json = try JSONValue(try plugins(environment, "--json").output).elements
    let skipped = json.filter { $0["uri"].text == nil }
    #expect(skipped.map { $0["bundle"].text } == ["\(folder.file("lv2"))/bad.lv2/"])
    #expect(skipped.first?["refusal"].text == "the bundle is skipped: \(bad.problem)")
    #expect(skipped.first?["canHost"] == .bool(false))
    let shown = try plugins(environment, "show", "urn:bad")
    #expect(shown.exitCode == 3)
    if let manifest = bad.manifest, !manifest.isEmpty {
      #expect(
        shown.errorText == "error: the LV2 plugin 'urn:bad' cannot be used: \(sentence)\n")
    }
  }

  @Test(arguments: cases)
  func `a chain that does not use a bad bundle runs as before`(_ bad: Case) throws {
    let environment = try install(bad)
    try folder.write("in.wav", Sound([Signal.noise(900)]))
    for (plugin, code) in [("urn:fxrun:test:gain", Int32(0)), ("urn:bad", 3)] {
      try folder.write(
        "chain.json", #"{ "version": 1, "tail": "none", "chain": [{ "lv2": "\#(plugin)" }] }"#)
      let outcome = try folder.run(
        "chain.json", "in.wav", "-o", "out.wav", environment: environment)
      #expect(outcome.exitCode == code, "\(outcome.errorText)")
      #expect(outcome.errorText.isEmpty == (code == 0))
    }
  }

  @Test func `a repaired bundle is read again`() throws {
    let environment = try install(Self.index("-1"))
    #expect(try plugins(environment).errorText.contains("is skipped"))
    try folder.write("lv2/bad.lv2/bad.ttl", Self.port(index: "0"))
    let mended = try plugins(environment, "urn:bad")
    #expect(mended.exitCode == 0, "\(mended.errorText)")
    #expect(!mended.errorText.contains("is skipped"))
  }

  @Test func `a saved state that cannot be parsed is a mistake of the chain`() throws {
    try folder.write("state.ttl", Self.prefixes + "<> rdfs:x \(Self.nested) .")
    try folder.write(
      "chain.json",
      #"{ "version": 1, "chain": [{ "lv2": "urn:fxrun:test:state", "state": "state.ttl" }] }"#)
    let outcome = try folder.run("check", "chain.json", environment: TestPlugins.environment)
    #expect(outcome.exitCode == 2 || outcome.exitCode == 3)
    #expect(outcome.text.contains("nests brackets more than 1000 deep"), "\(outcome.text)")
  }

  @Test func `a broken description does not end a command`() throws {
    var random = Random(seed: 11)
    let good = Self.manifest + Self.port(index: "0")
    let words = [
      "[", "]", "(", ")", "\"", "<", ">", ".", ";", "-1", "lv2:index", "\\", "_:b", "^^", "@",
    ]
    let bundles = folder.file("lv2")
    for number in 0..<40 {
      var text = Array(good)
      for _ in 0..<random.below(6) {
        let place = random.below(text.count)
        switch random.below(4) {
        case 0: text.removeSubrange(place..<min(text.count, place + random.below(30)))
        case 1: text = Array(text.prefix(place + 1))
        default: text.insert(contentsOf: words[random.below(words.count)], at: place)
        }
        if text.isEmpty { text = [" "] }
      }
      try FileManager.default.createDirectory(
        atPath: "\(bundles)/\(number).lv2", withIntermediateDirectories: true)
      try folder.write("lv2/\(number).lv2/manifest.ttl", String(text))
    }
    let list = try plugins(["LV2_PATH": "\(bundles):\(TestPlugins.folder)"])
    #expect(list.exitCode == 0)
    #expect(list.text.contains("urn:fxrun:test:gain"))
  }

  private struct Random {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func below(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(count, 1)
    }
  }
}
