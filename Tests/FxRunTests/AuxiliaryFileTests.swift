import Foundation
import FxTestSupport
import Glibc
import Testing

/// Files that are named beside the sounds: each place refuses a file of the wrong kind, and a damaged
/// one.
@Suite struct AuxiliaryFileTests {
  private let folder = Folder()
  private static let responses = "/usr/share/libmysofa/MIT_KEMAR_normal_pinna.sofa"

  init() throws {
    try folder.write("in.wav", Sound([Signal.noise(4800), Signal.noise(4800)]))
    try folder.write("none.json", #"{ "version": 1, "chain": [] }"#)
    mkfifo(folder.file("pipe"), 0o600)
  }

  private func chain(_ node: String) throws {
    try folder.write("chain.json", #"{ "version": 1, "chain": [\#(node)] }"#)
  }

  private static let nodes = [
    #"{ "use": "FILE" }"#, #"{ "unit": "convolver", "impulse": "FILE" }"#,
    #"{ "unit": "spatial", "hrtf": "FILE" }"#, #"{ "unit": "equalizer", "file": "FILE" }"#,
    #"{ "unit": "neuralAmp", "model": "FILE" }"#,
  ]

  @Test(arguments: nodes, ["pipe", "/dev/zero", "/dev/log", "."])
  func `a chain that names no regular file is refused at the place`(
    _ node: String, _ file: String
  ) throws {
    guard file != "/dev/log" || access(file, F_OK) == 0 else { return }
    try chain(node.replacing("FILE", with: file))
    for command in [["check", "chain.json"], ["chain.json", "in.wav", "-o", "out.wav"]] {
      let outcome = try Program.run(command, in: folder.path)
      #expect(outcome.exitCode == 2)
      let text = outcome.text + outcome.errorText
      #expect(
        text.contains("chain.json:1:") && text.contains("cannot be read: it is a "), "\(text)")
    }
    #expect(!folder.names.contains("out.wav"))
  }

  @Test(arguments: [
    (["--cover", "pipe"], 4), (["--cover", "/dev/zero"], 4), (["--cover", "."], 4),
    (["--replay", "pipe"], 4), (["--replay", "/dev/zero"], 4),
  ])
  func `an option that names no regular file is refused`(
    _ options: [String], _ status: Int
  ) throws {
    let outcome = try Program.run(
      ["none.json", "in.wav", "-o", "out.flac"] + options, in: folder.path)
    #expect(outcome.exitCode == Int32(status))
    #expect(outcome.errorText.contains("it is a "), "\(outcome.errorText)")
    #expect(!folder.names.contains("out.flac"))
  }

  @Test func `a picture that is cut short is no cover`() throws {
    try folder.write("c.jpg", [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xda, 0, 3, 0, 9])
    let outcome = try Program.run(
      ["none.json", "in.wav", "-o", "out.flac", "--cover", "c.jpg"], in: folder.path)
    #expect(outcome.exitCode == 4)
    #expect(outcome.errorText.contains("c.jpg: this picture is cut short"))
  }

  /// Each change once made a sample that is no number, or a crash of the library.
  @Test(
    .enabled(if: access(responses, R_OK) == 0, "no SOFA file is installed"),
    arguments: [788_998])
  func `a damaged SOFA file is an error and no crash`(_ place: Int) throws {
    var bytes = try [UInt8](Data(contentsOf: URL(filePath: Self.responses)))
    bytes[place] = 0x80
    try folder.write("bad.sofa", bytes)
    try chain(Self.nodes[2].replacing("FILE", with: "bad.sofa"))
    for command in [
      ["check", "chain.json"], ["chain.json", "in.wav", "-o", "out.wav"],
      ["plot", "chain.json", "-o", "out.svg"],
    ] {
      let outcome = try Program.run(command, in: folder.path)
      #expect(outcome.signal == nil && outcome.exitCode == 2)
      let text = outcome.text + outcome.errorText
      #expect(text.contains("bad.sofa' cannot be read: it is damaged"), "\(text)")
    }
  }

  @Test(.enabled(if: access(responses, R_OK) == 0, "no SOFA file is installed"))
  func `a whole SOFA file is read, and a cut one is refused`() throws {
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: Self.responses)))
    try folder.write("good.sofa", bytes)
    try folder.write("cut.sofa", Array(bytes.prefix(bytes.count / 2)))
    try chain(Self.nodes[2].replacing("FILE", with: "good.sofa"))
    let run = ["chain.json", "in.wav", "-o", "out.wav"]
    #expect(try Program.run(run, in: folder.path).exitCode == 0)
    try chain(Self.nodes[2].replacing("FILE", with: "cut.sofa"))
    let outcome = try Program.run(run, in: folder.path)
    #expect(outcome.signal == nil && outcome.exitCode == 2)
  }

  @Test func `an impulse with samples that are no numbers is refused`() throws {
    try folder.write("in.wav", Sound([Signal.noise(4800)]))
    try folder.write("nan.wav", Sound([[1, .nan, 0.5]]))
    try chain(Self.nodes[1].replacing("FILE", with: "nan.wav"))
    let outcome = try Program.run(["chain.json", "in.wav", "-o", "out.wav"], in: folder.path)
    #expect(outcome.exitCode == 2)
    #expect(outcome.errorText.contains("not numbers"), "\(outcome.errorText)")
  }
}
