import FxTestSupport
import Glibc
import Testing

/// Plugins that harm the whole process: fxrun continues, or ends with a message and leaves no
/// incomplete file.
@Suite struct PluginHarmTests {
  private let folder = Folder()

  private func run(_ plugin: String, isIsolated: Bool = false) throws -> Program.Outcome {
    try folder.write(
      "chain.json",
      """
      { "version": 1, "tail": "none", "chain": [
        { "id": "fx", "lv2": "urn:fxrun:test:harm:\(plugin)", "isolated": \(isIsolated) } ] }
      """)
    try folder.write("in.wav", PluginHarmTests.sound)
    return try folder.run(
      "chain.json", "in.wav", "-o", "out.wav", "--bits", "32",
      environment: TestPlugins.environment)
  }

  private static let sound = Sound([Signal.noise(20000), Signal.noise(20000, seed: 2)])

  @Test(arguments: [
    ("overflow", "segmentation fault (SIGSEGV)"),
    ("overflow:instantiate", "segmentation fault (SIGSEGV)"),
    ("overflow:thread", "segmentation fault (SIGSEGV)"),
    ("alloca", "segmentation fault (SIGSEGV)"),
    ("alloca:instantiate", "segmentation fault (SIGSEGV)"),
    ("crash:thread", "segmentation fault (SIGSEGV)"),
    ("crash:thread:instantiate", "segmentation fault (SIGSEGV)"),
    ("abort:thread", "abort (SIGABRT)"),
  ])
  func `an overflow of the stack and a crash in a plugin's own thread name the plugin`(
    _ plugin: String, _ signal: String
  ) throws {
    let outcome = try run(plugin)
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.errorText == """
        error: 'fx' (urn:fxrun:test:harm:\(plugin)) crashed: \(signal)
          with "isolated": true its node runs in a process of its own

        """)
    #expect(folder.names == ["chain.json", "in.wav"])
  }

  @Test(arguments: ["overflow", "overflow:thread", "alloca", "crash:thread", "abort:thread"])
  func `a plugin that crashes in its own process ends the render and is named`(_ plugin: String)
    throws
  {
    let outcome = try run(plugin, isIsolated: true)
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.errorText.hasPrefix("error: 'fx' (urn:fxrun:test:harm:\(plugin)) crashed at 0:00"),
      "\(outcome.errorText)")
    #expect(folder.names == ["chain.json", "in.wav"])
  }

  @Test(arguments: ["overflow", "overflow:instantiate", "alloca", "crash:thread"])
  func `a probe survives crashing plugins`(_ plugin: String) throws {
    let outcome = try folder.run(
      "plugins", "probe", "urn:fxrun:test:harm:\(plugin)", environment: TestPlugins.environment)
    #expect(outcome.exitCode == 3)
    let stage = plugin.hasSuffix("instantiate") ? "instantiate" : "run"
    #expect(outcome.text.contains("crashed in \(stage): segmentation fault (SIGSEGV)"))
  }

  @Test(arguments: [("moves", false), ("moves:instantiate", false), ("moves", true)])
  func `a plugin that changes the working folder does not move files`(
    _ plugin: String, _ isIsolated: Bool
  ) throws {
    let outcome = try run(plugin, isIsolated: isIsolated)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(outcome.errorText.isEmpty)
    #expect(try folder.sound("out.wav").channels == PluginHarmTests.sound.channels)
    #expect(folder.names == ["chain.json", "in.wav", "out.wav"])
  }

  @Test(arguments: ["closes", "closes:instantiate"])
  func `a plugin that closes the files of fxrun ends the render, and no file is left`(
    _ plugin: String
  ) throws {
    let outcome = try run(plugin)
    #expect(outcome.exitCode == 3)
    #expect(outcome.errorText.contains("has closed files of fxrun"), "\(outcome.errorText)")
    #expect(outcome.errorText.contains("with \"isolated\": true"), "\(outcome.errorText)")
    #expect(folder.names == ["chain.json", "in.wav"])
  }

  @Test func `in its own process a plugin may close any file`() throws {
    let outcome = try run("closes", isIsolated: true)
    #expect(outcome.exitCode == 0)
    #expect(try folder.sound("out.wav").channels == PluginHarmTests.sound.channels)
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGBUS])
  func `a crash of fxrun itself keeps its signal and leaves no file`(_ signal: Int32) throws {
    try folder.write("chain.json", emptyChain)
    let program = try Program(
      ["chain.json", "-", "-o", "out.wav"], in: folder.path, input: .pipe)
    program.send(Array(PluginHarmTests.sound.wave(bits: 16).prefix(40_000)))
    program.pump(limit: 30) { _ in folder.names.count > 1 }
    #expect(folder.names.count == 2)
    program.signal(signal)
    let outcome = try program.finish(limit: 30)
    #expect(outcome.signal == signal)
    #expect(folder.names == ["chain.json"])
  }
}
