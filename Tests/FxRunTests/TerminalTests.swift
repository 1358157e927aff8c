import Foundation
import FxTestSupport
import Glibc
import Testing

/// The output while a render runs and at its end.
@Suite struct TerminalTests {
  private let folder = Folder()

  private func waitingRender(
    _ options: String..., terminal: Bool, environment: [String: String] = [:],
    columns: UInt16 = 100
  ) throws -> Program {
    try folder.write("chain.json", emptyChain)
    let program = try Program(
      ["chain.json", "-", "-o", "out.wav"] + options, in: folder.path, environment: environment,
      input: .pipe, terminal: terminal, columns: columns)
    // The header declares four seconds; about one is sent.
    let sound = Sound([Signal.noise(4 * 8000)], rate: 8000)
    program.send(Array(sound.wave(bits: 16).prefix(44 + 2 * 8192)))
    return program
  }

  @Test func `a terminal shows percent, speed and time left`() throws {
    let program = try waitingRender(terminal: true)
    program.pump(limit: 30) { $0.errorText.contains(" left") }
    let drawn = program.outcome.errorText
    #expect(drawn.hasPrefix("\r["))
    #expect(drawn.contains("%  "))
    #expect(drawn.contains("× real time  "))
    #expect(drawn.contains(" left\u{1B}[K"))
    // On one line of the terminal's width.
    let line = drawn.split(separator: "\r").first ?? ""
    #expect(line.count < 105)
    program.closeInput()
    let outcome = try program.finish()
    #expect(outcome.exitCode == 0)
    // The bar is erased before a warning; the summary is on standard output.
    #expect(outcome.errorText.contains("\r\u{1B}[Kwarning: "))
    #expect(outcome.text.contains("out.wav: peak"))
    #expect(!outcome.text.contains("\u{1B}"))
  }

  @Test(arguments: [20, 30, 40] as [UInt16])
  func `progress fits a narrow terminal`(_ columns: UInt16) throws {
    let program = try waitingRender(terminal: true, columns: columns)
    program.pump(limit: 30) { $0.errorText.contains("%") }
    let line = (program.outcome.errorText.split(separator: "\r").first ?? "")
      .replacing("\u{1B}[K", with: "")
    #expect(line.contains("%") && line.count < columns, "\(line)")
    program.closeInput()
    #expect(try program.finish().exitCode == 0)
  }

  @Test func `a dumb terminal gets no control codes`() throws {
    let program = try waitingRender(terminal: true, environment: ["TERM": "dumb"])
    program.pump(limit: 0.8) { _ in false }
    program.closeInput()
    let outcome = try program.finish()
    #expect(outcome.exitCode == 0)
    #expect(outcome.errorText.hasPrefix("warning: standard input: truncated"))
    #expect(!outcome.errorText.dropLast(2).contains { $0 == "\u{1B}" || $0 == "\r" })
  }

  @Test(arguments: [
    ["units", "compressor"], ["units"], ["help"], ["help", "run"], ["stats", "in.wav"],
    ["plan", "chain.json"], ["profile", "chain.json", "--duration", "1"],
    ["chain.json", "in.wav", "-o", "out.wav"], ["check", "wrong.json"],
  ])
  func `a locale without UTF-8 gets ASCII`(_ arguments: [String]) throws {
    try folder.write("chain.json", BadInput.list(#"{ "unit": "limiter" }"#))
    try folder.write(
      "wrong.json", BadInput.list(#"{ "unit": "gain", "parameters": { "gain": 99 } }"#))
    try folder.write("in.wav", Sound([Signal.noise(4000)]))
    let outcome = try Program.run(arguments, in: folder.path, environment: ["LC_ALL": "C"])
    #expect((outcome.output + outcome.errors).allSatisfy { $0 < 0x80 }, "\(outcome.text)")
    #expect(!outcome.text.isEmpty)
    // JSON and names do not depend on the locale.
    try folder.write("größe.json", BadInput.list(""))
    let named = try Program.run(
      ["check", "größe.json"], in: folder.path, environment: ["LC_ALL": "C"])
    #expect(named.text.contains("größe.json: no mistakes"))
  }

  @Test(.enabled(if: getuid() == 0, "only root can unmount /proc"))
  func `arguments arrive without /proc`() throws {
    let script = "umount -l /proc && exec '\(Program.path)' units gain"
    let outcome = try Program.run(
      ["-m", "sh", "-c", script], executable: "/usr/bin/unshare", in: folder.path)
    if outcome.errorText.contains("unshare:") || outcome.errorText.contains("umount:") {
      try Test.cancel("skipped: \(outcome.errorText)")
    }
    #expect(outcome.exitCode == 0)
    #expect(outcome.text.hasPrefix("gain: "))
  }

  @Test func `a pipe shows no progress`() throws {
    let program = try waitingRender(terminal: false)
    program.pump(limit: 0.8) { _ in false }
    program.closeInput()
    let outcome = try program.finish()
    #expect(outcome.exitCode == 0)
    // There is only the warning about the truncated stream.
    #expect(outcome.errorText.hasPrefix("warning: standard input: truncated"))
    #expect(!outcome.errorText.dropLast().contains("\n"))
  }

  @Test(arguments: ["--quiet", "-q", "--json"])
  func `quiet and JSON show no bar on a terminal`(_ option: String) throws {
    let program = try waitingRender(option, terminal: true)
    program.pump(limit: 0.8) { _ in false }
    program.closeInput()
    let outcome = try program.finish()
    #expect(outcome.exitCode == 0)
    // The truncated input is still reported.
    let warning = "warning: standard input: truncated: the stream ended before its header said\r\n"
    #expect(outcome.errorText == (option == "--json" ? "" : warning))
    #expect(outcome.text.isEmpty == (option != "--json"))
  }

  @Test func `mistakes are coloured on a terminal and nowhere else`() throws {
    try folder.write("chain.json", #"{ "version": 1, "chian": [] }"#)
    let arguments = ["check", "chain.json"]
    func errors(_ environment: [String: String], terminal: Bool) throws -> String {
      try Program.run(
        ["chain.json", "x.wav", "-o", "y.wav"], in: folder.path, environment: environment,
        terminal: terminal
      ).errorText
    }
    #expect(try errors([:], terminal: true).contains("\u{1B}["))
    #expect(try !errors([:], terminal: false).contains("\u{1B}["))
    #expect(try !errors(["NO_COLOR": "1"], terminal: true).contains("\u{1B}["))
    #expect(try !errors(["TERM": "dumb"], terminal: true).contains("\u{1B}["))
    // Text in a file has no colours, even if standard error is a terminal.
    let checked = try Program.run(arguments, in: folder.path, terminal: true)
    #expect(!checked.text.contains("\u{1B}["))
  }

  @Test func `the summary says length, speed, peak, clipping and latency`() throws {
    let loud = (0..<44100).map { Float($0 % 100 == 0 ? 1.5 : 0.1) }
    try folder.write("in.wav", Sound([loud]))
    try folder.write(
      "chain.json",
      #"{ "version": 1, "tail": "0.5 s", "chain": [{ "unit": "limiter", "wet": 0 }] }"#)
    let outcome = try folder.run("chain.json", "in.wav", "-o", "out.wav")
    #expect(outcome.exitCode == 0)
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.first == "out.wav: peak 3.5 dB, 441 samples beyond full scale")
    let facts = (lines.last ?? "").components(separatedBy: " · ")
    #expect(facts.count == 4)
    #expect(facts[0] == "1.50 s at 44100 Hz")
    #expect(facts[1] == "tail 0.50 s")
    #expect(facts[2] == "54 frames of latency removed")
    #expect(facts[3].contains("× real time ("))
  }

  @Test func `the summary as JSON has the documented keys`() throws {
    try folder.write("in.wav", Sound([Signal.constant(0.5, 1000), Signal.silence(1000)]))
    try folder.write("chain.json", #"{ "version": 1, "chain": [{ "unit": "limiter" }] }"#)
    let outcome = try folder.run(
      "chain.json", "in.wav", "-o", "out.wav", "--json", "--block-size", "100")
    #expect(outcome.exitCode == 0)
    let summary = try JSONValue(outcome.output)
    #expect(
      summary.keys == [
        "blockSize", "diagnostics", "elapsedSeconds", "faults", "frames", "latencyChanges",
        "latencyFrames", "outputs", "pageFaults", "processorSeconds", "readings", "sampleRate",
        "seconds", "speed", "tail", "warnings", "wasStopped",
      ])
    #expect(summary["blockSize"].number == 100)
    #expect(summary["frames"].number == 1000)
    #expect(summary["latencyFrames"].number == 54)
    #expect(summary["sampleRate"].number == 44100)
    #expect(summary["wasStopped"] == .bool(false))
    #expect(summary["warnings"] == .array([]))
    #expect(summary["tail"].keys == ["frames", "policy", "wasCut"])
    #expect(summary["tail"]["policy"].text == "declared")
    let output = summary["outputs"][0]
    #expect(
      output.keys == [
        "channels", "clippedSamples", "frames", "isPartial", "name", "nonFiniteSamples",
        "overrunFrames", "peak", "peakDecibels",
      ])
    #expect(output["name"].text == "out.wav")
    #expect(output["peak"].number == 0.5)
    #expect(output["channels"].number == 2)
    #expect(output["frames"].number == 1000)
  }

  @Test func `warnings about the chain are on standard error, or in the summary as JSON`() throws {
    try folder.write("in.wav", Sound([Signal.noise(100)]))
    try folder.write(
      "chain.json",
      """
      { "version": 1,
        "nodes": {
          "in": { "source": "main" }, "mix": { "unit": "mixer", "strips": { "in": {}, "x": {} } },
          "out": { "sink": "main" } },
        "connections": ["in -> mix -> out"] }
      """)
    let told = try folder.run("chain.json", "in.wav", "-o", "out.wav")
    #expect(told.exitCode == 0)
    #expect(told.errorText.contains("warning: nothing feeds 'x' of 'mix'"))
    let outcome = try folder.run("chain.json", "in.wav", "-o", "out.wav", "--json")
    #expect(outcome.errorText == "")
    let diagnostic = try JSONValue(outcome.output)["diagnostics"][0]
    #expect(diagnostic["severity"].text == "warning")
    #expect(diagnostic["line"].number == 3)
  }

  @Test func `a pipe that does not say its length shows time and speed`() throws {
    try folder.write("chain.json", emptyChain)
    let program = try Program(
      ["chain.json", "-", "-o", "out.wav"], in: folder.path, input: .pipe, terminal: true)
    let bytes = try folder.bytes(Fixture.audio("no-tag.mp3"))
    for _ in 0..<10 { program.send(bytes) }
    program.pump(limit: 30) { $0.errorText.contains("× real time") }
    #expect(!program.outcome.errorText.contains("%"))
    program.closeInput()
    #expect(try program.finish().exitCode == 0)
  }

  @Test func `quiet prints nothing but mistakes`() throws {
    try folder.write("in.wav", Sound([Signal.noise(100)]))
    try folder.write("chain.json", emptyChain)
    let outcome = try folder.run("chain.json", "in.wav", "-o", "out.wav", "--quiet")
    #expect((outcome.exitCode, outcome.text, outcome.errorText) == (0, "", ""))
    let failed = try folder.run("chain.json", "no.wav", "-o", "out.wav", "--quiet")
    #expect(failed.exitCode == 4)
    #expect(failed.errorText.contains("no.wav"))
  }

  @Test func `a failure as JSON is one object on standard output`() throws {
    try folder.write("chain.json", emptyChain)
    let failed = try folder.run("chain.json", "no.wav", "-o", "out.wav", "--json")
    #expect(failed.exitCode == 4)
    #expect(failed.errorText == "")
    let failure = try JSONValue(failed.output)["error"]
    #expect(failure["kind"].text == "input")
    #expect(failure["code"].text == "not-found")
    #expect(failure["path"].text == "no.wav")
  }
}
