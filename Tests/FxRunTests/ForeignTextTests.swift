import Foundation
import FxTestSupport
import Testing

/// Text from chains, files, arguments and plugins is shown and cannot imitate fxrun's messages.
@Suite struct ForeignTextTests {
  private let folder = Folder()
  private static let forged = "\u{1B}]0;x\u{7}\u{1B}[2Kerror: forged\u{9B}2J\u{202E}"

  /// Checks that the output has no control characters but line feeds and no forged line.
  private func check(_ arguments: [String], _ place: SourceLocation = #_sourceLocation) throws {
    let outcome = try Program.run(
      arguments, in: folder.path, environment: TestPlugins.environment)
    for text in [outcome.text, outcome.errorText] {
      let hidden = text.unicodeScalars.filter {
        ($0.value < 0x20 && $0 != "\n") || (0x7F...0x9F).contains($0.value)
          || (0x202A...0x202E).contains($0.value)
      }
      #expect(hidden.isEmpty, "\(arguments): \(text)", sourceLocation: place)
      let lines = text.split(separator: "\n")
      #expect(
        !lines.contains { $0.hasPrefix("error: forged") }, "\(arguments): \(text)",
        sourceLocation: place)
    }
  }

  @Test(arguments: ["check", "plan", "run", "lint", "test"])
  func `control characters in a chain's names are written out`(_ command: String) throws {
    let name = #"a\u001b[2K\nerror: forged\u009b\u202e\r"#
    for chain in [
      #"{ "version": 1, "chain": [ { "unit": "\#(name)" } ] }"#,
      #"{ "version": 1, "chain": [ { "lv2": "\#(name)" } ] }"#,
      #"{ "version": 1, "chain": [ { "use": "\#(name)" } ] }"#,
      #"{ "version": 1, "chain": [ { "source": { "file": "\#(name)" } } ] }"#,
      #"{ "version": 1, "chain": [ { "source": { "alsa": "\#(name)" } } ] }"#,
      #"{ "version": 1, "\#(name)": 1, "chain": [ ] }"#,
      "{ \"version\": 1, \"chain\": [ \(Self.forged) ] }",
    ] {
      try folder.write("chain.json", chain)
      let arguments = command == "run" ? ["chain.json", "-o", "out.wav"] : [command, "chain.json"]
      try check(arguments)
    }
  }

  @Test func `control characters in file names are written out`() throws {
    let name = "a\nerror: forged\u{1B}[2K\u{9B}\u{202E}"
    try folder.write("\(name).json", #"{ "version": 1, "chain": [ { "unit": "gain" } ] }"#)
    try folder.write("\(name).wav", Sound([Signal.impulse(2000)]))
    try check(["check", "\(name).json"])
    try check(["plan", "\(name).json"])
    try check(["\(name).json", "\(name).wav", "-o", "\(name)-out.wav"])
    try check(["diff", "\(name).wav", "\(name).wav"])
    try check(["diff", "\(name).wav", "missing\(name).wav"])
    try check(["test", "\(name).json"])
    try check(["lint", "\(name).json"])
    #expect(folder.names.contains("\(name)-out.wav"))
  }

  @Test func `control characters in arguments are written out`() throws {
    try folder.write("chain.json", #"{ "version": 1, "chain": [ { "unit": "gain" } ] }"#)
    let name = "x\nerror: forged\u{1B}[2K\u{9B}"
    try check(["units", name])
    try check(["plugins", "show", name])
    try check(["plugins", "list", name])
    try check(["plugins", name])
    try check(["control", "--control", name, "get", name])
    try check(["control", name])
    try check(["check", "chain.json", name])
    try check(["--\(name)"])
    try check(["chain.json", "in.wav", "-o", "out.wav", "--set", name])
    try check(["chain.json", "in.wav", "-o", "out.wav", "--set=\(name)"])
    try check(["chain.json", "in.wav", "-o", "out.wav", "--set", "\(name)=1"])
    try check(["chain.json", "in.wav", "-o", "out.wav", "--scene", name])
    try check(["chain.json", "in.wav", "-o", "out.wav", "--define", "\(name)=1"])
    try check(["chain.json", "in.wav", "-o", "out.wav", "--bits", name])
    try check(["chain.json", "--device", name])
  }

  @Test func `JSON keeps the text unchanged`() throws {
    try folder.write(
      "chain.json", #"{ "version": 1, "chain": [ { "unit": "a\u001b\u009b\u202e" } ] }"#)
    let outcome = try folder.run("check", "chain.json", "--json")
    #expect(outcome.text.unicodeScalars.allSatisfy { $0.isASCII || $0.value > 0x2FFF })
    let json = try JSONValue(outcome.output)
    #expect(
      json["diagnostics"].elements.first?["message"].text
        == "there is no unit 'a\u{1B}\u{9B}\u{202E}'")
  }
}
