import FxDiagnostics
import Foundation
import Testing

@testable import fxrun

/// Words, objects, help, completion and docs/control.md agree about each request.
@Suite struct ControlVerbTests {
  /// Arguments of each request, as a user types them.
  private static let words: [String: [String]] = [
    "get": ["comp.ratio"], "set": ["comp.threshold", "-20dB", "0.5"], "bypass": ["delay", "on"],
    "mute": [], "solo": ["mix.strips.voice", "off"], "scene": ["clean"],
    "midi": ["176", "74", "64"], "learn": ["off"], "load": [], "seek": ["1:30"],
    "skip": ["-10"], "loop": ["10", "20"], "volume": ["-6dB", "2"], "rest": ["10"], "ab": ["b"],
    "tempo": ["96"], "play": ["jingle.wav", "1:30", "show"], "remove": ["jingle"],
    "record": ["start", "take"], "list": [], "watch": ["changes"],
  ]

  @Test(arguments: ControlVerbs.names)
  func `the words of a request become an object that is read as that request`(
    _ name: String
  ) throws {
    let words = try ControlWords([name] + (Self.words[name] ?? []))
    let line = words.request.text(indented: false)
    #expect(line.hasPrefix("{\"\(name)\":"))
    let read = ControlRequest.read(Array(line.utf8))
    #expect(throws: Never.self, "\(line)") { try read.verb.get() }
    #expect(throws: (any Error).self) {
      try ControlWords([name] + [String](repeating: "x", count: 9))
    }
  }

  @Test(arguments: ControlVerbs.names)
  func `a request has help, a line in the list and rows in the documentation`(
    _ name: String
  ) throws {
    let verb = try #require(ControlVerbs.named(name))
    let help = try #require(ControlWords.help([name, "--help"]))
    #expect(help.contains("fxrun control PERFORMANCE \(verb.usage)"))
    #expect(ControlVerbs.help.contains("\(verb.usage) "))
    #expect(verb.objects.allSatisfy { $0.key.contains("{\"\(name)\":") })
    #expect(!verb.objects.isEmpty)
  }

  @Test func `a value may begin with a minus`() throws {
    let words = try ControlWords(["set", "comp.threshold", "-20dB"])
    #expect(
      words.request.text(indented: false) == #"{"set":"comp.threshold","to":"-20dB"}"#)
  }

  @Test func `completion offers the words that may follow`() {
    #expect(ControlVerbs.completions(after: ["fxrun", "control", "guitar"]).contains("bypass"))
    #expect(
      ControlVerbs.completions(after: ["fxrun", "control", "guitar", "bypass", "delay"])
        == ["on", "off"])
  }

  /// `FXRUN_RECORD=1 swift test --filter ControlVerbTests` writes the tables again.
  @Test func `the tables of the documentation are the generated ones`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/control.md")
    var text = try String(contentsOf: file, encoding: .utf8)
    for (head, table) in [
      ("| request | |\n", ControlVerbs.wordTable),
      ("| request | answer |\n", ControlVerbs.objectTable),
    ] {
      let start = try #require(text.range(of: head)?.lowerBound)
      let end = try #require(text.range(of: "\n\n", range: start..<text.endIndex)?.lowerBound)
      if ProcessInfo.processInfo.environment["FXRUN_RECORD"] != nil {
        text.replaceSubrange(start..<end, with: table.dropLast())
      } else {
        #expect(
          text[start..<end] + "\n" == table, "FXRUN_RECORD=1 swift test --filter ControlVerbTests")
      }
    }
    if ProcessInfo.processInfo.environment["FXRUN_RECORD"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
  }
}
