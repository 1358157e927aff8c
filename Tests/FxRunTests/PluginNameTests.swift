import Foundation
import FxTestSupport
import Testing

/// Plugins, their parameters and their presets by names that people remember.
@Suite struct PluginNameTests {
  private let folder = Folder()

  private func check(
    _ node: String, environment: [String: String] = TestPlugins.environment
  ) throws -> Program.Outcome {
    try folder.write(
      "chain.json",
      #"{ "version": 1, "sampleRate": 48000, "chain": [ { "id": "n", \#(node) } ] }"#)
    return try folder.run("check", "chain.json", environment: environment)
  }

  private func named(_ members: String) -> String { #""lv2": "urn:fxrun:test:named", \#(members)"# }

  @Test(arguments: [
    (#""parameters": { "attack threshold": 1 }"#, "did you mean 'al' (Attack threshold)?"),
    (#""parameters": { "threshold": 1 }"#, "'al' (Attack threshold) or 'rrl' (Release threshold)?"),
    (#""parameters": { "elm": 1 }"#, "'elm' (Envelope level meter) is a reading"),
    (#""parameters": { "notes": 1 }"#, "'notes' (Notes) is an event output"),
    (#""parameters": { "in": 1 }"#, "'in' (Input) is an audio input"),
    (#""parameters": { "enabled": true }"#, "'enabled' (Enabled) is fxrun's own: use 'bypass'"),
    (#""enabled": false"#, "write \"bypass\": true to switch it off"),
    (#""parameters": { "al": "3 dB" }"#, "above the maximum of 0 dB"),
    (#""parameters": { "al": 2 }"#, "'al' 2 (6.02 dB) is above the maximum of 0 dB"),
    (#""preset": "Quiet""#, "\"Rooms: Quiet\" is urn:fxrun:test:named#quietroom"),
    (#""preset": "Choirs""#, "did you mean 'Choir'?"),
  ])
  func `a wrong name is answered with a suggestion`(_ members: String, _ words: String) throws {
    let outcome = try check(named(members))
    #expect(outcome.exitCode == 2)
    #expect(outcome.text.contains(words), "\(outcome.text)")
  }

  @Test(arguments: [
    #""parameters": { "al": "-12 dB", "rrl": "-inf dB", "mk": 0.5 }"#, #""preset": "choir""#,
    #""preset": "Rooms: Quiet""#, #""parameters": { "al": "-60 dB", "mk": "12 dB" }"#,
  ])
  func `a gain in decibels and a preset without its bank are accepted`(_ members: String) throws {
    let outcome = try check(named(members))
    #expect(outcome.exitCode == 0, "\(outcome.text)")
  }

  @Test func `a port's name in a connection is explained`() throws {
    try folder.write(
      "chain.json",
      """
      { "version": 1, "nodes": { "in": { "source": "main" }, "n": { "lv2": "urn:fxrun:test:named" },
        "out": { "sink": "main" } }, "connections": ["in -> n:al", "n:elm -> out"] }
      """)
    let outcome = try folder.run("check", "chain.json", environment: TestPlugins.environment)
    #expect(outcome.exitCode == 2)
    #expect(outcome.text.contains("'al' (Attack threshold) is a parameter"), "\(outcome.text)")
    #expect(outcome.text.contains("is a reading"), "\(outcome.text)")
  }

  @Test func `a gain is listed in decibels`() throws {
    let outcome = try folder.run(
      "plugins", "show", "urn:fxrun:test:named", environment: TestPlugins.environment)
    let rows = outcome.text.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(rows.contains("al -60…0 dB default -12 dB Attack threshold"), "\(outcome.text)")
    #expect(rows.contains("rrl -inf…0 dB default -inf dB Release threshold"))
    #expect(rows.contains("elm dB Envelope level meter"))
  }

  @Test(arguments: [
    "deesser", "de-esser", "DEESSER", "esser de", "de esser", "test deesser", "desser", "dessser",
    "compressor de-esser", "de-eser",
  ])
  func `a plugin is found by a misspelt name`(_ words: String) throws {
    let outcome = try Program.run(
      ["plugins"] + words.split(separator: " ").map(String.init), in: folder.path,
      environment: TestPlugins.environment)
    let first = outcome.text.split(separator: "\n").first ?? ""
    #expect(first.hasSuffix("urn:fxrun:test:named"), "\(outcome.text)")
  }

  @Test func `a plugin that is not installed names its package`() throws {
    let outcome = try check(#""lv2": "http://calf.sourceforge.net/plugins/Reverb""#)
    #expect(outcome.exitCode == 3)
    #expect(outcome.text.contains("install it with: apt install calf-plugins"), "\(outcome.text)")
    #expect(!outcome.text.contains("nearest:"), "\(outcome.text)")
    let shown = try folder.run(
      "plugins", "http://lsp-plug.in/plugins/lv2/limiter_mono", environment: TestPlugins.environment
    )
    #expect(shown.errorText.contains("install it with: apt install lsp-plugins-lv2"))
    let unknown = try check(#""lv2": "http://example.org/nothing/like/it""#)
    #expect(!unknown.text.contains("apt install"), "\(unknown.text)")
  }

  /// Names as the windows of plugins show them; plugins that are not installed are skipped.
  @Test(arguments: [
    ("http://lsp-plug.in/plugins/lv2/compressor_mono", "Attack threshold", "al"),
    ("http://lsp-plug.in/plugins/lv2/compressor_mono", "Makeup gain", "mk"),
    ("http://calf.sourceforge.net/plugins/Reverb", "High Frq Damp", "hf_damp"),
    ("http://calf.sourceforge.net/plugins/Compressor", "Makeup Gain", "makeup"),
    ("urn:dragonfly:plate", "Dampen", "early_damp"), ("urn:zamaudio:ZamComp", "Makeup", "mak"),
    ("http://guitarix.sourceforge.net/plugins/gxts9#ts9sim", "Tone", "fslider1_"),
    ("http://gareus.org/oss/lv2/fil4#stereo", "Highpass Frequency", "HPfreq"),
    ("http://gareus.org/oss/lv2/fil4#stereo", "Lowshelf Gain", "LSgain"),
    ("http://gareus.org/oss/lv2/darc#mono", "Attack Time", "attack"),
    ("http://plugin.org.uk/swh-plugins/gverb", "Early reflection level", "earlylevel"),
    ("http://plugin.org.uk/swh-plugins/sc4", "Knee radius", "knee"),
  ])
  func `a parameter of an installed plugin is found by its name in the window`(
    _ uri: String, _ name: String, _ symbol: String
  ) throws {
    let environment = ["LV2_PATH": Self.installedPath]
    guard try folder.run("plugins", "show", uri, environment: environment).exitCode == 0 else {
      return
    }
    let outcome = try check(
      #""lv2": "\#(uri)", "parameters": { "\#(name)": 1 }"#, environment: environment)
    #expect(outcome.exitCode == 2)
    #expect(outcome.text.contains("did you mean '\(symbol)'"), "\(outcome.text)")
  }

  private static let installedPath =
    ProcessInfo.processInfo.environment["LV2_PATH"] ?? "/usr/lib/lv2"
}
