import FxTestSupport
import Glibc
import Testing

/// Files that a render leaves when it is killed, or stopped in another way.
@Suite struct KilledRenderTests {
  private let folder = Folder()
  private let sound = Sound([Signal.noise(400_000), Signal.noise(400_000, seed: 2)])

  /// A render that waits for the rest of its input and has written for more than a second.
  private func waitingRender(_ output: String, _ options: String...) throws -> Program {
    try folder.write("chain.json", emptyChain)
    let bytes = sound.wave(bits: 16)
    let program = try Program(
      ["chain.json", "-", "-o", output] + options, in: folder.path, input: .pipe)
    program.send(Array(bytes.prefix(400_000)))
    program.pump(limit: 30) { _ in folder.names.count > 1 }
    program.pump(limit: 0.7) { _ in false }
    program.send(Array(bytes[400_000..<800_000]))
    program.pump(limit: 0.7) { _ in false }
    return program
  }

  private func kill(_ program: Program) throws {
    program.signal(SIGKILL)
    #expect(try program.finish(limit: 30).signal == SIGKILL)
  }

  @Test(arguments: ["wav", "flac", "aiff", "caf", "ogg"])
  func `the next start keeps and reports the file of a killed render`(
    _ end: String
  ) throws {
    try kill(try waitingRender("out.\(end)"))
    #expect(folder.names.count == 2)
    try folder.write("in.wav", Sound([Signal.noise(1000)]))
    let next = try folder.run("chain.json", "in.wav", "-o", "out.\(end)")
    #expect(next.exitCode == 0)
    let note =
      "note: fxrun was killed while it wrote out.\(end); what it had written is in "
      + "out.partial.\(end) ("
    #expect(next.errorText.hasPrefix(note))
    #expect(folder.names == ["chain.json", "in.wav", "out.\(end)", "out.partial.\(end)"].sorted())
    let read = try folder.run("chain.json", "out.partial.\(end)", "-o", "again.wav", "--bits", "16")
    #expect(read.exitCode == 0)
    #expect(read.errorText == "")
    let kept = try folder.sound("again.wav")
    #expect(kept.frameCount > 90_000)
    if end != "ogg" {
      try folder.write("all.wav", sound, bits: 16)
      _ = try folder.run("chain.json", "all.wav", "-o", "all2.\(end)")
      _ = try folder.run("chain.json", "all2.\(end)", "-o", "all.wav", "--bits", "16")
      #expect(try folder.sound("all.wav").prefix(kept.frameCount) == kept)
    }
    // It is reported once.
    #expect(try folder.run("chain.json", "in.wav", "-o", "out.\(end)").errorText == "")
  }

  @Test func `two killed renders are both kept, and JSON names them`() throws {
    try kill(try waitingRender("out.wav"))
    try kill(try waitingRender("out.wav"))
    #expect(folder.names.filter { $0 != "chain.json" }.contains("out.partial.wav"))
    try folder.write("in.wav", Sound([Signal.noise(1000)]))
    let next = try folder.run("chain.json", "in.wav", "-o", "out.wav", "--json")
    #expect(next.errorText == "")
    let recovered = try JSONValue(next.output)["recovered"]
    #expect(recovered[0]["name"].text == "out.partial-2.wav")
    #expect(
      folder.names == ["chain.json", "in.wav", "out.partial-2.wav", "out.partial.wav", "out.wav"])
  }

  @Test(arguments: [
    SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGXCPU, SIGSTKFLT, 40,
    64,
  ])
  func `each signal that ends a process stops a render cleanly`(_ signal: Int32) throws {
    let program = try waitingRender("out.wav")
    program.signal(signal)
    let outcome = try program.finish(limit: 30)
    #expect(outcome.exitCode == 130)
    #expect(folder.names == ["chain.json", "out.partial.wav"])
  }

  @Test func `a limit of processor time stops a render cleanly`() throws {
    try folder.write(
      "chain.json",
      #"{ "version": 1, "chain": [\#((0..<40).map { _ in #"{ "unit": "reverb" }"# }.joined(separator: ", "))] }"#
    )
    try folder.write("in.wav", Sound([Signal.noise(48_000 * 60)]), bits: 16)
    let line = "ulimit -S -t 1; exec '\(Program.path)' chain.json in.wav -o out.wav"
    let outcome = try Program.run(["-c", line], executable: "/bin/sh", in: folder.path)
    #expect(outcome.exitCode == 130)
    #expect(folder.names == ["chain.json", "in.wav", "out.partial.wav"])
  }

  @Test func `the first signal ends a render that waits for the reader of a pipe`() throws {
    mkfifo(folder.file("pipe.wav"), 0o600)
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", Sound([Signal.noise(1000)]))
    let program = try Program(["chain.json", "in.wav", "-o", "pipe.wav"], in: folder.path)
    #expect(
      program.pump(limit: 10) {
        $0.errorText == "note: waiting for a program that reads the pipe pipe.wav\n"
      })
    program.signal(SIGTERM)
    let outcome = try program.finish(limit: 2)
    #expect(outcome.exitCode == 130)
    #expect(outcome.errorText.hasSuffix("stopped before anything was rendered\n"))
  }

  @Test func `the first signal ends a suite whose report nobody reads`() throws {
    mkfifo(folder.file("pipe.xml"), 0o600)
    try folder.write("a.json", #"{ "version": 1, "chain": [{ "unit": "gain" }] }"#)
    try folder.write(
      "a.test.json",
      #"{ "version": 1, "duration": "50 ms", "expect": "golden/a.golden.json" }"#)
    #expect(try folder.run("test", "--update").exitCode == 0)
    let program = try Program(["test", "--junit", "pipe.xml"], in: folder.path)
    #expect(program.pump(limit: 20) { $0.text.contains("1 passed") || $0.text.contains("ok") })
    program.pump(limit: 0.5) { _ in false }
    program.signal(SIGTERM)
    #expect(try program.finish(limit: 5).exitCode == 130)
  }

  @Test func `a pipe whose reader comes late is written whole`() throws {
    mkfifo(folder.file("pipe.wav"), 0o600)
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", Sound([Signal.noise(300_000)]), bits: 16)
    let program = try Program(
      ["chain.json", "in.wav", "-o", "pipe.wav", "--bits", "16", "-q"], in: folder.path)
    program.pump(limit: 1.5) { _ in false }
    let copy = try Program.run(["pipe.wav", "copy.wav"], executable: "/bin/cp", in: folder.path)
    #expect(copy.exitCode == 0)
    let outcome = try program.finish(limit: 30)
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorText == "")
    #expect(try folder.bytes("copy.wav").count == 300_000 * 2 + 44)
  }

  @Test func `the first signal ends a render that waits for the writer of a pipe`() throws {
    mkfifo(folder.file("pipe.wav"), 0o600)
    try folder.write("chain.json", emptyChain)
    let program = try Program(["chain.json", "pipe.wav", "-o", "out.wav"], in: folder.path)
    program.pump(limit: 0.5) { _ in false }
    program.signal(SIGTERM)
    #expect(try program.finish(limit: 2).exitCode == 130)
  }

  @Test func `an endless header of empty chunks is refused`() throws {
    try folder.write("chain.json", emptyChain)
    // fxrun does not read to the end.
    Glibc.signal(SIGPIPE, SIG_IGN)
    let start = Array("RIFF".utf8) + [0, 0, 0, 1] + Array("WAVE".utf8)
    let program = try Program(["chain.json", "-", "-o", "out.wav"], in: folder.path, input: .pipe)
    program.send(start + [UInt8](repeating: 0, count: 20 << 20))
    let outcome = try program.finish(limit: 20)
    #expect(outcome.exitCode == 4)
    #expect(outcome.errorText.contains("no sound within the first 4096 chunks of the file"))
  }
}
