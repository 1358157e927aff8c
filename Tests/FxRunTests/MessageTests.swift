import FxTestSupport
import Testing

/// The stream and the form of messages, and messages that cannot be written.
@Suite struct MessageTests {
  private let folder = Folder()
  private let sound = Sound([Signal.noise(9000), Signal.noise(9000, seed: 2)])

  @Test(arguments: [
    (["chain.json", "in.wav", "-o", "out.wav", "--foo"], "--foo", "usage"),
    (["chain.json", "in.wav", "-o", "out.wav", "--start", "-1"], "--start", "out-of-range"),
    (["chain.json", "in.wav", "-o", "out.wav", "--duration", "nan"], "--duration", "usage"),
    (
      ["chain.json", "in.wav", "-o", "out.wav", "--block-size", "0"], "--block-size", "out-of-range"
    ),
    (["check", "chain.json", "--sample-rate", "0"], "--sample-rate", "usage"),
    (["plan"], "<chain>", "usage"), (["units", "a", "b"], "'b'", "usage"),
    (["plugins", "--nope"], "--nope", "usage"),
  ])
  func `arguments that do not fit are reported as JSON where JSON is asked for`(
    _ arguments: [String], _ says: String, _ code: String
  ) throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    let outcome = try Program.run(arguments + ["--json"], in: folder.path)
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText == "")
    let error = try JSONValue(outcome.output)["error"]
    #expect(error["kind"].text == "request")
    #expect(error["code"].text == code)
    #expect(error["message"].text?.contains(says) == true)
    #expect(folder.names == ["chain.json", "in.wav"])
  }

  @Test func `a message about an option without a default in the format names none`() throws {
    try folder.write("in.wav", sound)
    for (option, value, range) in [
      ("--quality", "2", "0…1"), ("--block-size", "0", "1…8192"),
      ("--silence-level", "5", "-120…0"),
    ] {
      let outcome = try Program.run(
        ["none", "in.wav", "-o", "out.mp3", option, value], in: folder.path)
      #expect(outcome.exitCode == 64)
      #expect(outcome.errorText.contains(range))
      #expect(!outcome.errorText.contains("default"))
    }
  }

  @Test func `JSON goes to standard error if audio goes to standard output`() throws {
    try folder.write("chain.json", emptyChain)
    let outcome = try folder.run("chain.json", "in.wav", "-o", "-", "--json", "--foo")
    #expect(outcome.exitCode == 64)
    #expect(outcome.output.isEmpty)
    #expect(try JSONValue(outcome.errors)["error"]["code"].text == "usage")
  }

  @Test(arguments: [
    "units", "units --json", "units gain", "schema", "plugins --json", "--help", "--version",
    "check chain.json", "plan chain.json", "plan --dot chain.json",
    "chain.json in.wav -o out.wav", "chain.json in.wav -o out.wav --json",
  ])
  func `output that cannot be written is an error`(_ command: String) throws {
    try folder.write("chain.json", emptyChain)
    try folder.write("in.wav", sound)
    let full = try Program.run(
      ["-c", "exec '\(Program.path)' \(command) >/dev/full"], executable: "/bin/sh",
      in: folder.path)
    #expect(full.exitCode == 5)
    #expect(
      full.errorText == "error: standard output cannot be written: No space left on device\n")
  }

  @Test func `a failure that cannot be written keeps its exit code`() throws {
    try folder.write("chain.json", emptyChain)
    let outcome = try Program.run(
      ["-c", "exec '\(Program.path)' chain.json no.wav -o out.wav --json >/dev/full"],
      executable: "/bin/sh", in: folder.path)
    #expect(outcome.exitCode == 4)
  }

  @Test func `a closed pipe ends a report without a message and with its exit code`() throws {
    // The shell is the pipe's only reader, until it closes its end.
    let line = """
      mkfifo pipe; exec 4<>pipe 3>pipe 4<&-
      exec '\(Program.path)' units >&3
      """
    let shell = try Program.run(["-c", line], executable: "/bin/sh", in: folder.path)
    #expect((shell.exitCode, shell.errorText) == (5, ""))
  }

  @Test func `quiet keeps warnings`() throws {
    try folder.write(
      "chain.json",
      #"{ "version": 1, "tail": "none", "chain": [] }"#)
    try folder.write("part.wav", Array(sound.wave(bits: 16).prefix(44 + 4 * 5000)))
    let outcome = try folder.run("chain.json", "part.wav", "-o", "out.wav", "-q")
    #expect(outcome.exitCode == 0)
    #expect(outcome.text == "")
    #expect(outcome.errorText.hasPrefix("warning: part.wav: truncated"))
    #expect(outcome.errorText.split(separator: "\n").count == 1)
    try folder.write("in.wav", sound)
    let good = try folder.run("chain.json", "in.wav", "-o", "out.wav", "-q")
    #expect((good.exitCode, good.text, good.errorText) == (0, "", ""))
  }
}
