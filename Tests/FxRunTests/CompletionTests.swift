import FxTestSupport
import Glibc
import Testing

/// Completion in a shell: `fxrun __complete CURSOR WORDS…` and the scripts that run it.
@Suite struct CompletionTests {
  private let folder = Folder()

  /// The words that can stand at the end of a command line.
  private func words(_ line: [String]) throws -> [String] {
    let outcome = try Program.run(["__complete", "\(line.count - 1)"] + line)
    #expect(outcome.exitCode == 0)
    return outcome.text.split(separator: "\n").map { line in
      line.split(separator: "\t").first.map(String.init) ?? ""
    }
  }

  @Test func `the first word is a command or a chain`() throws {
    let found = try words(["fxrun", ""])
    #expect(found.contains("check"))
    #expect(found.contains("batch"))
    #expect(found.contains(":files json"))
    #expect(
      try words(["fxrun", "pl"]).filter { $0 != ":files json" } == ["plan", "plot", "plugins"])
  }

  @Test func `a sentence follows each command and option`() throws {
    for line in [["fxrun", "st"], ["fxrun", "chain.json", "--loud"]] {
      let outcome = try Program.run(["__complete", "\(line.count - 1)"] + line)
      #expect(outcome.text.contains("\t"))
      #expect(!outcome.text.contains("\t\n"))
    }
  }

  @Test func `options of a render need no command`() throws {
    let found = try words(["fxrun", "chain.json", "in.mp3", "--"])
    for option in ["--output", "--loudness", "--format", "--set"] {
      #expect(found.contains(option))
    }
    #expect(try words(["fxrun", "run", "chain.json", "in.mp3", "--"]) == found)
    // Those of other commands are not among them.
    #expect(!found.contains("--dot"))
    #expect(try words(["fxrun", "plan", "--"]).contains("--dot"))
  }

  @Test func `an option that is given once is not offered again`() throws {
    let found = try words([
      "fxrun", "a.json", "in.mp3", "--loudness", "-16", "--set", "a.b=1", "--",
    ])
    #expect(!found.contains("--loudness"))
    #expect(found.contains("--set"))
  }

  @Test func `values are words, files or folders`() throws {
    #expect(try words(["fxrun", "a.json", "--resampling", "v"]) == ["veryHigh"])
    #expect(try words(["fxrun", "a.json", "--resampling=v"]) == ["--resampling=veryHigh"])
    #expect(
      try words(["fxrun", "a.json", "--resampling="])
        == ["low", "medium", "high", "veryHigh"].map { "--resampling=\($0)" })
    #expect(try words(["fxrun", "a.json", ""]) == [":files"])
    #expect(try words(["fxrun", "a.json", "in.wav", ""]) == [])
    #expect(try words(["fxrun", "save-state", "-o", ""]) == [":folders"])
    #expect(try words(["fxrun", "a.json", "--loudness", ""]) == [])
    #expect(try words(["fxrun", "units", "comp"]).contains("compressor"))
    #expect(try words(["fxrun", "control", "guitar", "byp"]) == ["bypass"])
    #expect(try words(["fxrun", "control", "guitar", "bypass", "delay", ""]).contains("on"))
    #expect(try words(["fxrun", "batch", "merge", ""]) == [":files jsonl"])
  }

  @Test func `a cursor in the middle of a line completes its word`() throws {
    let outcome = try Program.run(["__complete", "1", "fxrun", "ch", "chain.json"])
    #expect(outcome.text.contains("check\t"))
    #expect(try Program.run(["__complete", "9", "fxrun"]).exitCode == 0)
    #expect(try Program.run(["__complete"]).text == "")
  }

  @Test func `bash completes commands, options, values and files`() throws {
    try folder.write("voice.json", "{}")
    try folder.write("voice.wav", "")
    func replies(_ words: String, _ cursor: Int) throws -> [String] {
      let script = """
        eval "$('\(Program.path)' --generate-completion-script bash)"
        COMP_WORDS=('\(Program.path)' \(words)); COMP_CWORD=\(cursor)
        COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; _fxrun 2>/dev/null
        printf '%s\\n' "${COMPREPLY[@]}"
        """
      return try Program.run(["-c", script], executable: "/bin/bash", in: folder.path).text
        .split(separator: "\n").map(String.init).sorted()
    }
    #expect(try replies("chec", 1) == ["check"])
    #expect(try replies("vo", 1) == ["voice.json"])
    #expect(try replies("voice.json vo", 2) == ["voice.json", "voice.wav"])
    #expect(try replies("voice.json --resamp", 2) == ["--resampling"])
    #expect(try replies("voice.json --resampling h", 3) == ["high"])
  }
}

/// Completion in interactive shells on a pseudo-terminal.
@Suite struct ShellTests {
  @Test(arguments: ["bash", "zsh", "fish"])
  func `an interactive shell completes command lines`(_ shell: String) throws {
    let (python, script) = (
      "/usr/bin/python3", "\(Fixture.tests)/Completion/complete.py"
    )
    for needed in [python, "/usr/bin/\(shell)"] where access(needed, X_OK) != 0 {
      try Test.cancel("skipped: \(needed) is not installed; scripts/test installs it")
    }
    let outcome = try Program.run([script, Program.path, shell], executable: python, limit: 300)
    #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errorText)")
    let counted = outcome.text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    #expect(counted ?? 0 >= 40)
  }
}
