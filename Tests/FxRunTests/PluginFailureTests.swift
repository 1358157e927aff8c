import FxTestSupport
import Testing

/// Plugins that misbehave, crash, end the program or cannot run.
@Suite struct PluginFailureTests {
  private let folder = Folder()

  private func run(_ plugin: String, _ options: String...) throws -> Program.Outcome {
    try folder.write(
      "chain.json",
      #"{ "version": 1, "tail": "none", "chain": [ { "id": "fx", "lv2": "urn:fxrun:test:\#(plugin)" } ] }"#
    )
    try folder.write("in.wav", PluginFailureTests.sound)
    return try Program.run(
      ["chain.json", "in.wav"] + options, in: folder.path, environment: TestPlugins.environment)
  }

  private static let sound = Sound([
    Signal.impulse(900, at: 3).map { $0 / 4 }, Signal.impulse(900, at: 700).map { $0 / 2 },
  ])

  @Test(arguments: ["printer", "farewell", "lastwords", "allocates", "liveonly"])
  func `a plugin that misbehaves still renders`(_ plugin: String) throws {
    let outcome = try run(plugin, "-o", "out.wav", "--bits", "32")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(try folder.sound("out.wav").channels == PluginFailureTests.sound.channels)
  }

  @Test func `a crash while plugins are cleaned up is a warning that names the plugin`() throws {
    let outcome = try run("farewell", "-o", "out.wav")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorText == """
        warning: LV2 plugin 'urn:fxrun:test:farewell' crashed while it was cleaned up; what was \
        rendered is complete

        """)
    #expect(outcome.text.contains("out.wav: peak"))
  }

  @Test func `a crash while plugins are cleaned up does not hide that the render failed`() throws {
    let outcome = try run("farewell", "-o", "missing/out.wav")
    #expect(outcome.exitCode == 5)
    #expect(outcome.errorText.contains("missing/out.wav"))
  }

  @Test(arguments: ["crash", "crash:instantiate"])
  func `a crash of a plugin is an error that names it and leaves no file`(_ plugin: String) throws {
    let outcome = try run(plugin, "-o", "out.wav")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.errorText == """
        error: 'fx' (urn:fxrun:test:\(plugin)) crashed: segmentation fault (SIGSEGV)
          with "isolated": true its node runs in a process of its own

        """)
    #expect(folder.names == ["chain.json", "in.wav"])
  }

  @Test(arguments: [
    ("leaver", "exit status 7"), ("leaver:now", "exit status 9"),
    ("leaver:quick", "exit status 0"),
    ("leaver:instantiate", "exit status 0"),
  ])
  func `a plugin that ends the program is an error that names it and leaves no file`(
    _ plugin: String, _ end: String
  ) throws {
    let outcome = try run(plugin, "-o", "out.wav")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.errorText == """
        error: 'fx' (urn:fxrun:test:\(plugin)) ended the program: \(end)
          with "isolated": true its node runs in a process of its own

        """)
    #expect(folder.names == ["chain.json", "in.wav"])
  }

  @Test func `a plugin's own thread that ends the program is an error that leaves no file`() throws
  {
    let outcome = try run("leaver:thread", "-o", "out.wav")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.errorText.hasPrefix(
        "error: 'fx' (urn:fxrun:test:leaver:thread) ended the program: exit status 5\n"))
    #expect(folder.names == ["chain.json", "in.wav"])
  }

  @Test func `a process that a plugin forks may end with any status`() throws {
    let outcome = try run("leaver:fork", "-o", "out.wav", "--bits", "32")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorText.isEmpty)
    #expect(try folder.sound("out.wav").channels == PluginFailureTests.sound.channels)
  }

  @Test func `a plugin that ends the program while it is cleaned up is a warning`() throws {
    let outcome = try run("leaver:cleanup", "-o", "out.wav")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorText == """
        warning: LV2 plugin 'urn:fxrun:test:leaver:cleanup' ended the program while it was cleaned \
        up; what was rendered is complete

        """)
    #expect(try folder.sound("out.wav").frameCount == 900)
  }

  @Test(arguments: [
    ("crash", "crashed"), ("crash:instantiate", "crashed"), ("leaver", "exited"),
    ("printer", nil),
  ])
  func `a crash is reported as JSON if JSON is asked for`(_ plugin: String, _ code: String?)
    throws
  {
    let outcome = try run(plugin, "-o", "out.wav", "--json")
    let told = try JSONValue(outcome.output)
    guard let code else {
      #expect(told["error"] == .null)
      return
    }
    #expect(outcome.exitCode == 3)
    #expect(outcome.errorText.isEmpty)
    #expect(told["error"]["kind"].text == "plugin")
    #expect(told["error"]["code"].text == code)
    #expect(told["error"]["message"].text?.hasPrefix("'fx' (urn:fxrun:test:") == true)
    let streamed = try run(plugin, "-o", "-", "--json")
    #expect(try JSONValue(streamed.errors)["error"]["code"].text == code)
  }

  @Test func `a crash when libraries are unloaded is not reported`() throws {
    let outcome = try run("lastwords", "-o", "out.wav")
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorText.isEmpty)
  }

  @Test func `text that a plugin prints is neither in the sound nor in the summary`() throws {
    let piped = try run("printer", "-o", "-", "--bits", "32")
    #expect(try Sound(wave: piped.output).channels == PluginFailureTests.sound.channels)
    #expect(piped.errorText.contains("printer: 256 frames"))
    let told = try run("printer", "-o", "out.wav", "--json")
    #expect(told.text.hasPrefix("{") && told.text.hasSuffix("}\n"))
    #expect(!told.text.contains("printer"))
    #expect(told.errorText.contains("printer: 256 frames"))
  }

  @Test(arguments: [
    ("absent", "does not contain it, although its description says so"),
    ("broken", "cannot be loaded"),
    ("garbled", "declares no usable ports"),
    ("gaps", "declares no usable ports"),
    ("missing", "the binary of LV2 plugin 'urn:fxrun:test:missing' cannot be read"),
    ("needy", "requires the feature 'urn:example:telepathy', which fxrun lacks"),
    ("oddport", "port 'taste' of LV2 plugin 'urn:fxrun:test:oddport' has type"),
    ("unlinked", "undefined symbol: fxrun_test_nowhere"),
    ("unwilling", "refused to start at 44100 Hz"),
  ])
  func `a plugin that cannot run ends the command with the reason and exit code 3`(
    _ plugin: String, _ reason: String
  ) throws {
    let outcome = try run(plugin, "-o", "out.wav")
    #expect(outcome.exitCode == 3)
    #expect(outcome.errorText.contains(reason), "\(outcome.errorText)")
    #expect(outcome.errorText.contains("chain.json:1:"))
    #expect(folder.names == ["chain.json", "in.wav"])
  }
}
