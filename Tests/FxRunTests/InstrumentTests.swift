import Glibc
import Testing

/// Mistakes in chains that play MIDI.
@Suite struct InstrumentTests {
  private let folder = Folder()

  private func run(_ midi: String, _ arguments: String...) throws -> Program.Outcome {
    try folder.write(
      "chain.json",
      """
      { "version": 1, "tail": "none",
        "chain": [ { "id": "synth", "lv2": "urn:fxrun:test:midi", "midi": \(midi) } ] }
      """)
    return try Program.run(
      ["chain.json"] + arguments + ["-o", "out.wav"], in: folder.path,
      environment: TestPlugins.environment, limit: 30)
  }

  private func events(_ events: String) -> String { "{ \"events\": [ \(events) ] }" }

  @Test func `an input for a chain that makes its own sound is refused, named as the user gave it`()
    throws
  {
    let midi = events(#"{ "at": 0, "note": 60 }"#)
    let outcome = try run(midi, "in.wav")
    #expect(outcome.exitCode != 0)
    #expect(outcome.errorText.contains("the input file"), "\(outcome.errorText)")
    #expect(outcome.errorText.contains("it makes its own sound; leave the input out"))
    #expect(!outcome.errorText.contains("--input"))
    #expect(try run(midi, "--input", "extra=in.wav").errorText.contains("--input extra"))
  }

  @Test func `a chain whose events are all at 0 s needs a duration`() throws {
    let midi = events(#"{ "at": 0, "controller": 7, "value": 1 }"#)
    let outcome = try run(midi)
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText.contains("is at 0 s"), "\(outcome.errorText)")
    #expect(outcome.errorText.contains("give --duration"))
    #expect(try run(midi, "--duration", "0.1").exitCode == 0)
  }

  @Test func `a note without a duration is a mistake at its place`() throws {
    let outcome = try run(events(#"{ "at": 0, "note": 60, "duration": 0 }"#))
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorText.contains("chain.json:2:"), "\(outcome.errorText)")
    #expect(outcome.errorText.contains("a note with the duration 0 is not heard"))
  }

  @Test func `a pipe as a MIDI file is refused, not waited for`() throws {
    mkfifo(folder.file("song.mid"), 0o600)
    let outcome = try run("\"song.mid\"")
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorText.contains("it is a pipe, not a file"))
  }

  @Test func `a folder as a MIDI file is reported as a folder`() throws {
    mkdir(folder.file("song.mid"), 0o700)
    let outcome = try run("\"song.mid\"")
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorText.contains("it is a folder; name the file in it"))
  }

  @Test func `an empty label of a saved state is refused`() throws {
    let outcome = try Program.run(
      ["save-state", "chain.json", "synth", "-o", "state", "--label", ""], in: folder.path)
    #expect(outcome.exitCode == 64)
    #expect(outcome.errorText.contains("--label is empty"))
  }

  @Test(arguments: [
    ["--block-size", "-1"], ["--bits", "-8"], ["--period", "-2"], ["--periods", "-3"],
    ["--start", "-1"], ["--capture-channels", "-1"],
  ])
  func `a negative number is refused as a value, not as a missing one`(_ option: [String]) throws {
    let outcome = try Program.run(["chain.json", "in.wav"] + option, in: folder.path)
    #expect(outcome.exitCode == 64 || outcome.exitCode == 2)
    #expect(!outcome.errorText.contains("Missing value"), "\(outcome.errorText)")
  }
}
