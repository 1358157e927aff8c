import FxTestSupport
import Glibc
import Testing

/// Ctrl-C and other signals that ask a program to end.
@Suite struct InterruptTests {
  private let folder = Folder()
  private let chain = #"{ "version": 1, "chain": [{ "unit": "gain" }, { "unit": "limiter" }] }"#
  private let sound = Sound([Signal.noise(30_000), Signal.noise(30_000, seed: 2)])

  /// A render that waits for the rest of its input, once it has begun to write.
  private func waitingRender(_ output: String, _ options: String...) throws -> Program {
    try folder.write("chain.json", chain)
    let bytes = sound.wave(bits: 16)
    let program = try Program(
      ["chain.json", "-", "-o", output] + options, in: folder.path, input: .pipe)
    program.send(Array(bytes.prefix(80_000)))
    program.pump(limit: 30) { _ in folder.names.count > 1 }
    // The writer is a few blocks behind the reader.
    program.pump(limit: 0.5) { _ in false }
    return program
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a stopped render leaves a partial file`(_ signal: Int32) throws {
    let program = try waitingRender("out.wav")
    program.signal(signal)
    let outcome = try program.finish(limit: 30)
    #expect(outcome.exitCode == 130)
    #expect(outcome.text.contains("stopped; what was rendered is in out.partial.wav"))
    #expect(folder.names == ["chain.json", "out.partial.wav"])
    let partial = try folder.sound("out.partial.wav")
    #expect(partial.frameCount > 10_000)
    #expect(partial.frameCount < 20_000)

    try folder.write("in.wav", sound, bits: 16)
    #expect(try folder.run("chain.json", "in.wav", "-o", "whole.wav").exitCode == 0)
    let whole = try folder.sound("whole.wav")
    #expect(whole.frameCount == 30_000)
    #expect(partial == whole.prefix(partial.frameCount))
    // The header has the length of the partial file.
    let bytes = try folder.bytes("out.partial.wav")
    let riff = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) }
    #expect(riff + 8 == bytes.count)
  }

  @Test func `a partial FLAC file can be read to its end`() throws {
    let program = try waitingRender("out.flac")
    program.signal(SIGINT)
    #expect(try program.finish(limit: 30).exitCode == 130)
    #expect(folder.names == ["chain.json", "out.partial.flac"])
    #expect(
      try folder.run("chain.json", "out.partial.flac", "-o", "again.wav").exitCode == 0)
    #expect(try folder.sound("again.wav").frameCount > 10_000)
  }

  @Test func `a signal that the caller ignores does not stop a render`() throws {
    try folder.write("chain.json", chain)
    let program = try Program(
      ["-c", "trap '' HUP; exec '\(Program.path)' chain.json - -o out.wav"],
      executable: "/bin/sh", in: folder.path, input: .pipe)
    program.send(sound.wave(bits: 16))
    program.pump(limit: 30) { _ in folder.names.count > 1 }
    program.signal(SIGHUP)
    program.pump(limit: 0.3) { _ in false }
    program.closeInput()
    #expect(try program.finish(limit: 30).exitCode == 0)
    #expect(try folder.sound("out.wav").frameCount == 30_000)
  }

  @Test func `an existing file stays when its render is stopped`() throws {
    try folder.write("out.wav", "before")
    try folder.write("chain.json", chain)
    let program = try Program(["chain.json", "-", "-o", "out.wav"], in: folder.path, input: .pipe)
    program.send(Array(sound.wave(bits: 16).prefix(60_000)))
    program.pump(limit: 30) { _ in folder.names.count > 2 }
    program.signal(SIGINT)
    #expect(try program.finish(limit: 30).exitCode == 130)
    #expect(try folder.bytes("out.wav") == Array("before".utf8))
    #expect(folder.names == ["chain.json", "out.partial.wav", "out.wav"])
  }

  @Test func `a stop is reported as JSON too`() throws {
    let program = try waitingRender("out.wav", "--json")
    program.signal(SIGINT)
    let outcome = try program.finish(limit: 30)
    #expect(outcome.exitCode == 130)
    let summary = try JSONValue(outcome.output)
    #expect(summary["wasStopped"] == .bool(true))
    #expect(summary["outputs"][0]["name"] == .string("out.partial.wav"))
    #expect(summary["outputs"][0]["isPartial"] == .bool(true))
  }

  @Test func `a second signal ends the program at once`() throws {
    // Nobody reads one of the files that it writes, which keeps the first signal waiting.
    mkfifo(folder.file("pipe.wav"), 0o600)
    let reader = open(folder.file("pipe.wav"), O_RDWR | O_CLOEXEC)
    defer { close(reader) }
    try folder.write(
      "chain.json",
      """
      { "version": 1,
        "nodes": {
          "in": { "source": "main" }, "out": { "sink": "main" }, "b": { "sink": "b.wav" } },
        "connections": ["in -> out", "in -> b"] }
      """)
    try folder.write("in.wav", Sound([Signal.noise(300_000)]), bits: 16)
    let program = try Program(["chain.json", "in.wav", "-o", "pipe.wav"], in: folder.path)
    program.pump(limit: 30) { _ in folder.names.contains { $0.hasPrefix(".b.wav") } }
    program.signal(SIGINT)
    program.signal(SIGTERM)
    #expect(try program.finish(limit: 30).exitCode == 130)
    #expect(folder.names == ["chain.json", "in.wav", "pipe.wav"])
  }

  @Test func `a render that waits for its first bytes can be stopped`() throws {
    try folder.write("chain.json", chain)
    let program = try Program(["chain.json", "-", "-o", "out.wav"], in: folder.path, input: .pipe)
    program.pump(limit: 0.5) { _ in false }
    program.signal(SIGINT)
    let outcome = try program.finish(limit: 30)
    #expect(outcome.exitCode == 130)
    #expect(!outcome.errorText.isEmpty)
    #expect(folder.names == ["chain.json"])
  }

  @Test func `a stop before the first frame is reported as JSON too`() throws {
    try folder.write("chain.json", chain)
    let program = try Program(
      ["chain.json", "-", "-o", "out.wav", "--json"], in: folder.path, input: .pipe)
    program.pump(limit: 0.5) { _ in false }
    program.signal(SIGTERM)
    let outcome = try program.finish(limit: 30)
    #expect(outcome.exitCode == 130)
    #expect(outcome.errorText == "")
    let error = try JSONValue(outcome.output)["error"]
    #expect(error["kind"].text == "interrupted")
    #expect(error["code"].text == "interrupted")
    #expect(error["message"].text == "stopped before anything was rendered")
  }
}
