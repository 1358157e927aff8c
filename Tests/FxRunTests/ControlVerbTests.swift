import Foundation
import FxChain
import FxKit
@testable import FxRun
import FxTestSupport
import Testing

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

  @Test(arguments: [
    #"{"id":7,"play":"a.wav"}"#, #"{"id":7,"play":"a.wav","region":"jingle"}"#,
    #"{"id":7,"get":"comp.ratio"}"#, #"{"id":7,"mute":true,"on":true}"#, #"{"id":7}"#,
  ])
  func `an id is repeated, whether or not the request is right`(_ line: String) {
    guard case .number(7)? = ControlRequest.read(Array(line.utf8)).id else {
      Issue.record("\(line) has lost its id")
      return
    }
  }

  @Test(arguments: [
    (#"{"id":7,"play":"a.wav"}"#, nil), (#"{"id":"x","play":"a.wav"}"#, "x"),
    (#"{"id":7,"play":"a.wav","region":"jingle"}"#, "jingle"),
    (#"{"id":"x","play":"a.wav","region":"jingle"}"#, "jingle"),
  ])
  func `a region is named by 'region', or by an id that is a text`(
    _ line: String, _ name: String?
  ) throws {
    let verb = try ControlRequest.read(Array(line.utf8)).verb.get()
    guard case .live(.play(let region)) = verb else {
      Issue.record("\(line) plays nothing")
      return
    }
    #expect(region.id == name)
  }

  @Test(arguments: [
    #"{"mute":true,"on":"x"}"#, #"{"mute":true,"on":true}"#, #"{"mute":false,"on":true}"#,
    #"{"mute":"output","on":"x"}"#, #"{"id":{},"pause":true}"#, #"{"id":[1],"pause":true}"#,
    #"{"id":true,"pause":true}"#, #"{"id":null,"pause":true}"#,
    #"{"id":12345678901234567890,"pause":true}"#, #"{"loop":true,"to":"x"}"#,
    #"{"loop":true,"to":20}"#, #"{"loop":false,"crossfade":1}"#, #"{"loop":10,"to":"x"}"#,
    #"{"loop":-1}"#, #"{"seek":-5}"#, #"{"seek":true}"#, #"{"rest":true}"#, #"{"rest":-1}"#,
    #"{"play":"a.wav","at":"soon"}"#, #"{"play":"a.wav","at":-1}"#,
    #"{"play":"a.wav","region":5}"#, #"{"play":"a.wav","player":{}}"#,
    #"{"play":"a.wav","gain":"loud"}"#, #"{"record":"yes"}"#, #"{"record":true,"sink":1}"#,
    #"{"solo":true}"#, #"{"bypass":"delay","on":1}"#, #"{"watch":{}}"#, #"{"watch":[]}"#,
    #"{"watch":["changes",5]}"#, #"{"watch":5}"#, #"{"list":true}"#, #"{"ab":false}"#,
    #"{"ab":5}"#, #"{"tempo":"fast"}"#, #"{"tap":5}"#, #"{"skip":"far"}"#, #"{"volume":true}"#,
    #"{"volume":-6,"seconds":"x"}"#, #"{"set":"comp.ratio"}"#, #"{"set":"comp.ratio","to":[]}"#,
    #"{"set":"a.b","to":1,"to":2}"#, #"{"midi":[1.5]}"#, #"{"midi":[]}"#, #"{"load":false}"#,
    #"{"learn":true}"#, #"{"scene":1}"#, #"{"stop":1}"#, #"{"remove":"a","player":5}"#,
  ])
  func `a member of the wrong kind, or without a meaning, is refused`(_ line: String) {
    let read = ControlRequest.read(Array(line.utf8))
    guard case .failure(let failure) = read.verb else {
      Issue.record("\(line) is accepted")
      return
    }
    #expect(!failure.message.isEmpty)
  }

  @Test func `a value may begin with a minus`() throws {
    let words = try ControlWords(["set", "comp.threshold", "-20dB"])
    #expect(
      words.request.text(indented: false) == #"{"set":"comp.threshold","to":"-20dB"}"#)
  }

  /// `FXRUN_RECORD=1 swift test --filter ControlVerbTests` writes the tables again.
  @Test func `the tables of the documentation are the generated ones`() throws {
    let file = URL(filePath: "\(Fixture.repository)/docs/control.md")
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
