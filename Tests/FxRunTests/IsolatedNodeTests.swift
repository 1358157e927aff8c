import FxTestSupport
import Glibc
import Testing

/// Nodes that run in their own process.
@Suite struct IsolatedNodeTests {
  private let folder = Folder()

  private func chain(_ plugin: String, _ parameters: String = "", isIsolated: Bool = true) -> String
  {
    """
    { "version": 1, "tail": "none", "chain": [
      { "id": "far", "lv2": "urn:fxrun:test:\(plugin)", "isolated": \(isIsolated),
        "parameters": { \(parameters) } } ] }
    """
  }

  private var sound: Sound { Sound([Signal.noise(20000), Signal.noise(20000, seed: 2)]) }

  @Test func `a render is the same with and without a process of its own`() throws {
    try folder.write("in.wav", sound)
    try folder.write("near.json", chain("latent", isIsolated: false))
    try folder.write("far.json", chain("latent"))
    for name in ["near", "far"] {
      let outcome = try folder.run(
        "\(name).json", "in.wav", "-o", "\(name).wav", "--bits", "32",
        environment: TestPlugins.environment)
      #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    }
    #expect(try folder.bytes("near.wav") == folder.bytes("far.wav"))
  }

  @Test
  func `a crash ends a render with the plugin's name, the time and the signal, and leaves no file`()
    throws
  {
    try folder.write("in.wav", sound)
    try folder.write("chain.json", chain("crash", #""at": 10000"#))
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "out.wav", environment: TestPlugins.environment)
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.errorText.hasPrefix("error: 'far' (urn:fxrun:test:crash) crashed at 0:00.226"),
      "\(outcome.errorText)")
    #expect(outcome.errorText.hasSuffix("(frame 9984): segmentation fault (SIGSEGV)\n"))
    #expect(folder.names == ["chain.json", "in.wav"])
  }

  @Test func `a plugin that hangs ends the render after the time limit`() throws {
    try folder.write("in.wav", sound)
    try folder.write("chain.json", chain("hang", #""at": 10000"#))
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "out.wav",
      environment: TestPlugins.environment.merging(["FXRUN_ISOLATION_TIMEOUT": "1"]) { $1 })
    #expect(outcome.exitCode == 3)
    #expect(outcome.errorText.contains("did not answer in time"))
    #expect(outcome.errorText.hasSuffix("no answer for 1 s\n"))
    #expect(folder.names == ["chain.json", "in.wav"])
  }

  @Test(arguments: [
    ("crash:instantiate", "crashed while it was started: segmentation fault (SIGSEGV)"),
    ("crash:exit", "ended its process while it was started: exit status 7"),
    ("unwilling", "refused to start"),
  ])
  func `a plugin that does not start is a mistake at its line`(
    _ plugin: String, _ words: String
  ) throws {
    try folder.write("in.wav", sound)
    try folder.write("chain.json", chain(plugin))
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "out.wav", environment: TestPlugins.environment)
    #expect(outcome.exitCode == 3)
    #expect(outcome.errorText.contains("chain.json:2:"))
    #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
  }

  @Test func `a built-in unit has no process of its own`() throws {
    try folder.write(
      "chain.json",
      #"{ "version": 1, "chain": [{ "unit": "gain", "isolated": true }, { "unit": "gain", "isolated": false }] }"#
    )
    let outcome = try folder.run("check", "chain.json")
    #expect(outcome.exitCode == 2)
    #expect(outcome.text.contains("only an LV2 plugin runs in a process of its own"))
    #expect(outcome.text.contains("1 error"))
  }

  // MARK: Processes

  /// A render that has started its plugin's process and waits for its input.
  private func waitingRender() throws -> (program: Program, child: pid_t) {
    try folder.write("chain.json", chain("gain"))
    let program = try Program(
      ["chain.json", "-", "-o", "out.wav"], in: folder.path, environment: TestPlugins.environment,
      input: .pipe)
    program.send(Array(sound.wave(bits: 16).prefix(40_000)))
    var found: [pid_t] = []
    program.pump(limit: 30) { _ in
      found = Self.children(of: program.processID)
      return !found.isEmpty && folder.names.count > 1
    }
    return (program, try #require(found.first))
  }

  private static func children(of parent: pid_t) -> [pid_t] {
    processes().filter { $0.parent == parent }.map(\.id)
  }

  private static func isAlive(_ id: pid_t) -> Bool { processes().contains { $0.id == id } }

  /// Processes that have not ended: `/proc/ID/stat` is `ID (NAME) STATE PARENT …`.
  private static func processes() -> [(id: pid_t, parent: pid_t)] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var processes: [(pid_t, pid_t)] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let id = pid_t(name), let file = fopen("/proc/\(id)/stat", "r") else { continue }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 1024)
      guard fgets(&line, 1024, file) != nil else { continue }
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
      guard fields.count > 1, fields[0] != "Z", let parent = pid_t(fields[1]) else { continue }
      processes.append((id, parent))
    }
    return processes
  }

  private func waitForEnd(of child: pid_t) {
    for _ in 0..<500 where Self.isAlive(child) { usleep(10_000) }
    #expect(!Self.isAlive(child))
  }

  @Test func `Ctrl-C in the terminal is not a crash of the plugin`() throws {
    let (program, child) = try waitingRender()
    for signal in [SIGINT, SIGTERM, SIGHUP] { kill(child, signal) }
    program.send(Array(sound.wave(bits: 16).dropFirst(40_000)))
    program.pump(limit: 0.5) { _ in false }
    program.closeInput()
    let outcome = try program.finish(limit: 30)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    #expect(try folder.sound("out.wav").frameCount == 20000)
    waitForEnd(of: child)
  }

  @Test func `a killed render leaves no plugin process`() throws {
    let (program, child) = try waitingRender()
    program.signal(SIGKILL)
    #expect(try program.finish(limit: 30).signal == SIGKILL)
    waitForEnd(of: child)
  }

  @Test func `the command for plugin processes refuses users`() throws {
    for role in ["render", "batch", "test-case", "lint", "sofa", "unknown"] {
      let outcome = try folder.run("plugin-host", role)
      #expect(outcome.exitCode == 64)
      #expect(outcome.errorText == "this command is for fxrun's own use\n")
    }
  }

  @Test func `a process of another version is refused with both versions`() throws {
    let outcome = try Program.run(
      ["-c", "exec \(Program.path) plugin-host render 0.0.9 $$ 3</dev/null"], executable: "/bin/sh")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.errorText.contains(" was started by fxrun 0.0.9; name a program of the same version"))
  }

  // MARK: What goes wrong

  @Test func `a crash while a plugin is cleaned up is a warning`() throws {
    try folder.write("in.wav", sound)
    try folder.write("chain.json", chain("crash:cleanup"))
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "out.wav", environment: TestPlugins.environment)
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.errorText
        == "urn:fxrun:test:crash:cleanup: warning: crashed while it was cleaned up: "
        + "segmentation fault (SIGSEGV)\n")
    #expect(try folder.sound("out.wav").frameCount == 20000)
  }

  @Test func `a sample that is not a number has the same frame with and without a process`() throws
  {
    try folder.write("in.wav", sound)
    var errors: [String] = []
    for isIsolated in [true, false] {
      try folder.write("chain.json", chain("invalid", #""at": 1300"#, isIsolated: isIsolated))
      let outcome = try folder.run(
        "chain.json", "in.wav", "-o", "out.wav", environment: TestPlugins.environment)
      #expect(outcome.exitCode == 3)
      errors.append(outcome.errorText)
    }
    #expect(errors[0] == errors[1])
    #expect(errors[0].contains("(frame 1300)"))
  }

  @Test(arguments: ["0", "-1", "fast", "1e9", "nan"])
  func `an invalid time limit is refused`(_ value: String) throws {
    try folder.write("in.wav", sound)
    try folder.write("chain.json", chain("gain"))
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "out.wav",
      environment: TestPlugins.environment.merging(["FXRUN_ISOLATION_TIMEOUT": value]) { $1 })
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.errorText
        == "error: FXRUN_ISOLATION_TIMEOUT is seconds from 0.001 to 86400, not '\(value)'\n")
  }

  @Test(arguments: [true, false])
  func `one signal ends a render whose plugin hangs, and the plugin is named`(_ isIsolated: Bool)
    throws
  {
    try folder.write("chain.json", chain("hang", #""at": 10000"#, isIsolated: isIsolated))
    try folder.write("in.wav", sound)
    let program = try Program(
      ["chain.json", "in.wav", "-o", "out.wav"], in: folder.path,
      environment: TestPlugins.environment)
    program.pump(limit: 30) { _ in folder.names.count > 2 }
    program.pump(limit: 1) { _ in false }
    program.signal(SIGINT)
    let outcome = try program.finish(limit: 30)
    #expect(outcome.exitCode == 130)
    #expect(
      outcome.errorText.contains("warning: 'far' (urn:fxrun:test:hang) hangs: it was given up"),
      "\(outcome.text)\(outcome.errorText)")
    #expect(folder.names == ["chain.json", "in.wav", "out.partial.wav"])
    let frames = try folder.sound("out.partial.wav").frameCount
    #expect(frames > 0 && frames <= 10000)
  }
}
