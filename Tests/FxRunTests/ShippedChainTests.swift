import Foundation
import FxTestSupport
import Testing

/// Chains that are installed with fxrun, found by their names beside the program.
@Suite struct ShippedChainTests {
  private let folder = Folder()

  /// fxrun in a folder with the layout of an installation, and chains beside it.
  private func install(_ chains: [String: String] = Self.chains) throws -> String {
    for (name, text) in chains { try folder.write("opt/share/fxrun/chains/\(name).json", text) }
    try folder.write(
      "opt/share/fxrun/chains/impulses/room.wav", Sound([[0.5, 0, 0, 0.25]]), bits: 32)
    let program = folder.file("opt/bin/fxrun")
    try FileManager.default.createDirectory(
      atPath: folder.file("opt/bin"), withIntermediateDirectories: true)
    // Another process copies it: a program that this one has open for writing cannot be started.
    let copy = try BuiltProgram.run(
      URL(filePath: "/bin/cp"), ["--reflink=auto", Program.path, program])
    try #require(copy.status == 0, "\(copy.text)")
    return program
  }

  private static let chains = [
    "half": #"""
    { "version": 2, "comment": "For a sound that is too loud.",
      "chain": [ { "unit": "gain", "parameters": { "gain": "-6.0206 dB" } } ], "tail": "none" }
    """#,
    "small-room": #"""
    { "version": 2, "comment": "For a dry sound.",
      "chain": [ { "unit": "convolver", "impulse": "impulses/room.wav", "normalize": false } ] }
    """#,
    "old-half": #"""
    { "version": 1, "chain": [ { "unit": "gain", "parameters": { "gain": "-6.0206 dB" } } ] }
    """#,
    "half.test": "{}",
  ]

  private func run(_ program: String, _ arguments: String...) throws -> Program.Outcome {
    try Program.run(arguments, executable: program, in: folder.path)
  }

  @Test func `a shell completes the names of the installed chains`() throws {
    let program = try install()
    func words(_ line: String...) throws -> [String] {
      try Program.run(
        ["__complete", "\(line.count - 1)"] + line, executable: program, in: folder.path
      ).text.split(separator: "\n")
        .map { $0.split(separator: "\t").first.map(String.init) ?? "" }
    }
    #expect(try words("fxrun", "sm") == ["small-room", ":files json"])
    #expect(
      try words("fxrun", "check", "") == ["half", "old-half", "small-room", "none", ":files json"])
    #expect(try words("fxrun", "batch", "ha").contains("half"))
  }

  @Test func `a name renders the installed chain, with the files beside it`() throws {
    let program = try install()
    try folder.write("in.wav", Sound([[1, 0, 0, 0]]))
    let half = try run(program, "half", "in.wav", "-o", "half.wav")
    #expect(half.exitCode == 0, "\(half.errorText)")
    #expect(abs(try folder.sound("half.wav").channels[0][0] - 0.5) < 1e-5)
    let room = try run(program, "small-room", "in.wav", "-o", "room.wav")
    #expect(room.exitCode == 0, "\(room.errorText)")
    #expect(abs(try folder.sound("room.wav").channels[0][3] - 0.25) < 1e-5)
  }

  @Test(arguments: [
    ["check", "half"], ["plan", "half"], ["profile", "half", "in.wav"],
    ["plot", "half", "-o", "half.svg"], ["lint", "half", "in.wav"],
    ["lint", "half", "small-room"], ["batch", "half", "in.wav", "-o", "{name}-out.wav"],
    ["run", "half", "in.wav", "-o", "half.flac"],
  ])
  func `every command that takes a chain takes its name`(_ arguments: [String]) throws {
    let program = try install()
    try folder.write("in.wav", Sound([[Float](repeating: 0.1, count: 48000)]))
    let outcome = try Program.run(arguments, executable: program, in: folder.path)
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
  }

  @Test func `a file comes before an installed chain, and a folder does not`() throws {
    let program = try install()
    try folder.write("in.wav", Sound([[1, 0, 0, 0]]))
    try folder.write("half", emptyChain)
    #expect(try run(program, "half", "in.wav", "-o", "out.wav").exitCode == 0)
    #expect(try folder.sound("out.wav").channels[0][0] > 0.99)
    try FileManager.default.removeItem(atPath: folder.file("half"))
    try FileManager.default.createDirectory(
      atPath: folder.file("half"), withIntermediateDirectories: false)
    #expect(try run(program, "half", "in.wav", "-o", "out2.wav").exitCode == 0)
    #expect(abs(try folder.sound("out2.wav").channels[0][0] - 0.5) < 1e-5)
  }

  @Test func `a path and a name with an ending are files`() throws {
    let program = try install()
    for word in ["./half", "half.json", "chains/half.json"] {
      let outcome = try run(program, "check", word)
      #expect(outcome.exitCode == 2, "\(word)")
      #expect(outcome.text.isEmpty)
    }
    let hint = try run(program, "check", "chains/half.json").errorText
    #expect(hint.contains("the installed chain of this name is 'half'"), "\(hint)")
  }

  @Test func `a missing name is reported with a near name`() throws {
    let program = try install()
    let outcome = try run(program, "smal-room", "in.wav", "-o", "out.wav")
    #expect(outcome.exitCode == 2)
    #expect(
      outcome.errorText == """
        error: smal-room: the chain cannot be read: there is no file and no installed chain of this name
          did you mean 'small-room'?
          'fxrun chains' lists the installed chains

        """)
    let plot = try run(program, "plot", "smal-room")
    #expect(plot.errorText.contains("did you mean 'small-room'?"), "\(plot.errorText)")
    let lint = try run(program, "lint", "smal-room")
    #expect(lint.exitCode == 2)
    #expect(lint.errorText.contains("did you mean 'small-room'?"), "\(lint.errorText)")
    // Without installed chains there is nothing to say about them.
    let bare = try folder.run("smal-room", "in.wav", "-o", "out.wav")
    #expect(bare.exitCode == 2)
    #expect(!bare.errorText.contains("installed"), "\(bare.errorText)")
  }

  @Test func `the installed chains are listed with their purpose`() throws {
    let program = try install()
    let list = try run(program, "chains")
    #expect(
      list.text == """
        half        For a sound that is too loud.
        old-half
        small-room  For a dry sound.

        """, "\(list.text)")
    let path = folder.file("opt/share/fxrun/chains/half.json")
    #expect(try run(program, "chains", "half").text == "\(path)\n")
    let json = try JSONValue(run(program, "chains", "half", "--json").output)
    #expect(json["file"].text == path && json["comment"].text == "For a sound that is too loud.")
    let missing = try run(program, "chains", "hulf")
    #expect(missing.exitCode == 64)
    #expect(missing.errorText.contains("did you mean 'half'?"), "\(missing.errorText)")
    let bare = try folder.run("chains")
    #expect(bare.exitCode == 4)
    #expect(bare.errorText.contains("no chains are installed"), "\(bare.errorText)")
  }

  @Test func `a rewritten chain is the installed file`() throws {
    let program = try install()
    #expect(try run(program, "check", "old-half", "--fix").exitCode == 0)
    #expect(!folder.names.contains("old-half"))
    let text = try folder.bytes("opt/share/fxrun/chains/old-half.json")
    #expect(String(decoding: text, as: UTF8.self).contains("\"version\": 2"))
  }

  @Test func `a link to the program leads to its chains`() throws {
    let program = try install()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("linked"), withDestinationPath: program)
    #expect(try run(folder.file("linked"), "check", "half").exitCode == 0)
  }

  @Test func `a playing chain is replaced by an installed one`() throws {
    let program = try install([
      "half": Self.playing("-6 dB"), "full": Self.playing("0 dB"),
    ])
    let socket = folder.file("control.sock")
    let player = try Program(
      ["half", "--control", socket, "--quiet"], executable: program, in: folder.path)
    for _ in 0..<1000 where !folder.names.contains("control.sock") { usleep(10_000) }
    let load = try run(program, "control", socket, "load", "full")
    let gain = try run(program, "control", socket, "get", "level.gain")
    let object = try Program.run(
      ["control", socket], executable: program, in: folder.path,
      input: .bytes(Array("{\"load\":\"half\"}\n".utf8)))
    let status = try run(program, "control", socket, "status")
    player.signal(SIGTERM)
    #expect(try player.finish(limit: 30).exitCode == 0)
    #expect(load.exitCode == 0, "\(load.errorText)")
    #expect(gain.text == "0\n")
    #expect(object.exitCode == 0, "\(object.errorText)")
    #expect(status.text.contains("share/fxrun/chains/half.json"), "\(status.text)")
  }

  private static func playing(_ gain: String) -> String {
    #"""
    { "version": 2, "sampleRate": 48000, "chain": [ { "source": "null" },
      { "id": "level", "unit": "gain", "parameters": { "gain": "\#(gain)" } },
      { "sink": { "alsa": "null" } } ] }
    """#
  }
}
