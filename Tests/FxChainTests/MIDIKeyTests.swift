import FxAudio
@testable import FxChain
import FxEngine
import FxPlaying
import Testing

@Suite struct MIDIKeyTests {
  private func node(_ midi: String) -> String {
    list("{ \"id\": \"synth\", \"lv2\": \"http://example.org/synth\", \"midi\": \(midi) }")
  }

  private func events(_ events: String, _ more: String = "") throws -> [TimedMIDI] {
    let text = list(
      """
      { "id": "synth", "lv2": "http://example.org/synth", "midi": { "events": [ \(events) ] } }
      """, more)
    let (chain, diagnostics) = build(text)
    #expect(diagnostics.isEmpty, "\(diagnostics.text())")
    return try #require(chain?.unit("synth")).events
  }

  @Test func `a list that begins with an instrument has no input`() throws {
    let (chain, diagnostics) = build(
      list("{ \"lv2\": \"http://example.org/synth\" }, { \"unit\": \"reverb\" }"))
    #expect(diagnostics.isEmpty)
    let built = try #require(chain)
    #expect(built.arrows == ["synth -> reverb", "reverb -> output"])
    #expect(built.inputNames == [])
  }

  @Test func `events become messages in the order of time`() throws {
    let found = try events(
      """
      { "at": "0:02", "note": "C4" }, { "at": "250 ms", "note": 62, "velocity": 7, "duration": 1,
        "channel": 16 }, { "at": 1, "controller": 74, "value": 64 }, { "at": 1, "program": 5 },
      { "at": 1, "pitchBend": -8192 }, { "at": 1, "pitchBend": 8191 }, { "at": 0, "pressure": 90 },
      { "at": 3, "bytes": "a2 3C 64" }
      """)
    #expect(
      found == [
        TimedMIDI(seconds: 0, bytes: [0xd0, 90]), TimedMIDI(seconds: 0.25, bytes: [0x9f, 62, 7]),
        TimedMIDI(seconds: 1, bytes: [0xb0, 74, 64]), TimedMIDI(seconds: 1, bytes: [0xc0, 5]),
        TimedMIDI(seconds: 1, bytes: [0xe0, 0, 0]), TimedMIDI(seconds: 1, bytes: [0xe0, 127, 127]),
        TimedMIDI(seconds: 1.25, bytes: [0x8f, 62, 64]),
        TimedMIDI(seconds: 2, bytes: [0x90, 60, 100]),
        TimedMIDI(seconds: 2.5, bytes: [0x80, 60, 64]),
        TimedMIDI(seconds: 3, bytes: [0xa2, 60, 100]),
      ])
  }

  @Test func `times are in beats where there is a tempo`() throws {
    let found = try events(
      "{ \"at\": \"1/2\", \"note\": 60, \"duration\": \"2 beats\" }", "\"tempo\": 120")
    #expect(found.map(\.seconds) == [0.25, 1.25])
  }

  @Test(arguments: [
    ("C4", 60), ("a4", 69), ("F#3", 54), ("Bb2", 46), ("C-1", 0), ("G9", 127), ("61", 61),
    ("Cb4", 59), (" c♯4 ", 61), ("Fbb3", 51), ("E##2", 42), ("b♭-1", 10),
  ])
  func `a note has a name`(_ name: String, _ number: UInt8) throws {
    #expect(try events("{ \"at\": 0, \"note\": \"\(name)\" }").first?.bytes[1] == number)
  }

  @Test func `bytes need no spaces`() throws {
    let found = try events(
      "{ \"at\": 0, \"bytes\": \"903C64\" }, { \"at\": 1, \"bytes\": \"c3 7\" }")
    #expect(found.map(\.bytes) == [[0x90, 60, 100], [0xc3, 7]])
  }

  @Test(arguments: [
    (
      "{ \"at\": -1, \"note\": 128, \"velocity\": 0, \"channel\": 17, \"duration\": -2 }",
      ["'at' -1", "'note' cannot be 128", "'velocity' 0", "'channel' 17", "'duration' -2"]
    ),
    (
      "{ \"note\": 1, \"velocity\": 128, \"value\": 1 }",
      ["needs the key 'at'", "'velocity' 128", "'value' does not go with 'note'"]
    ),
    (
      "{ \"at\": -1, \"controller\": 128 }",
      ["'at' -1", "'controller' 128", "needs the key 'value'"]
    ),
    (
      "{ \"at\": -1, \"program\": 128, \"pressure\": 1 }",
      ["'at' -1", "'program' 128", "'program' and 'pressure' exclude each other"]
    ),
  ])
  func `every mistake of an event is named`(_ event: String, _ messages: [String]) {
    let found = build(node("{ \"events\": [ \(event) ] }")).diagnostics
    #expect(found.errorCount == messages.count, "\(found.text())")
    for message in messages {
      #expect(found.all.contains { $0.message.contains(message) }, "\(message): \(found.text())")
    }
  }

  @Test func `a file without some of its tracks causes a warning`() {
    var song = MIDIFileTests.file([[0, 0x90, 60, 1, 96, 0x80, 60, 0]])
    song[11] = 2
    let bytes = song
    var environment = ChainEnvironment(endpoints: .all)
    environment.read = { _ throws(Failure) in bytes }
    let (chain, diagnostics) = ChainBuilder.build(
      bytes: Array(node("\"a.mid\"").utf8), path: "chain.json", catalog: FakeCatalog(),
      environment: environment)
    #expect(chain != nil)
    #expect(diagnostics.all.map(\.severity) == [.warning])
    #expect(diagnostics.all.first?.message.contains("2 tracks, and there are 1") == true)
  }

  @Test func `a live port has a name and optionally a sender`() throws {
    let built = try #require(build(node("{ \"port\": \"keys\", \"from\": \"Piano:0\" }")).chain)
    #expect(built.unit("synth")?.midiPort == MIDIPort(name: "keys", sender: "Piano:0"))
  }

  @Test func `a file is read from the chain's folder`() throws {
    let song = MIDIFileTests.file([[0, 0x90, 60, 1, 96, 0x81, 61, 0, 0, 0x80, 60, 0]])
    var environment = ChainEnvironment(endpoints: .all)
    environment.read = { path throws(Failure) in
      guard path == "songs/a.mid" else { throw Failure(.notFound, "there is no such file") }
      return song
    }
    for (midi, count) in [("\"a.mid\"", 3), ("{ \"file\": \"a.mid\", \"channel\": 2 }", 1)] {
      let (chain, diagnostics) = ChainBuilder.build(
        bytes: Array(node(midi).utf8), path: "songs/chain.json", catalog: FakeCatalog(),
        environment: environment)
      #expect(diagnostics.isEmpty)
      #expect(chain?.unit("synth")?.events.count == count)
    }
  }

  @Test(arguments: [
    ("5", "'midi' is a string or an object, not a number"),
    ("\"\"", "'midi' names no file"), ("{}", "'midi' needs one of 'file', 'events', 'port'"),
    ("{ \"file\": \"a\", \"port\": \"b\" }", "'file' and 'port' exclude each other"),
    ("{ \"port\": \"a\", \"channel\": 1 }", "'channel' belongs to 'file'"),
    ("{ \"port\": \"\" }", "'port' is the name of a MIDI input"),
    ("{ \"events\": [ { \"at\": 0, \"notes\": 1 } ] }", "a MIDI event has no key 'notes'"),
    ("{ \"events\": [ { \"at\": 0 } ] }", "a MIDI event needs one of"),
    ("{ \"events\": [ { \"note\": 1 } ] }", "a MIDI event needs the key 'at'"),
    ("{ \"events\": [ { \"at\": 0, \"note\": 128 } ] }", "'note' cannot be 128"),
    ("{ \"events\": [ { \"at\": 0, \"note\": \"H1\" } ] }", "'note' cannot be \"H1\""),
    ("{ \"events\": [ { \"at\": 0, \"note\": 1, \"velocity\": 0 } ] }", "'velocity' 0 is below"),
    ("{ \"events\": [ { \"at\": 0, \"program\": 1, \"value\": 0 } ] }", "'value' does not go with"),
    ("{ \"events\": [ { \"at\": 0, \"controller\": 1 } ] }", "a controller needs the key 'value'"),
    ("{ \"events\": [ { \"at\": 0, \"pitchBend\": 8192 } ] }", "'pitchBend' 8192 is above"),
    ("{ \"events\": [ { \"at\": 0, \"bytes\": \"F0 1 2\" } ] }", "is no channel message"),
    ("{ \"events\": [ { \"at\": 0, \"bytes\": \"903C6\" } ] }", "is no channel message"),
    ("{ \"events\": [ { \"at\": \"1/2\", \"note\": 1 } ] }", "beats need a tempo"),
    ("{ \"events\": [ { \"at\": -1, \"note\": 1 } ] }", "'at' -1 is below the minimum"),
    (
      "{ \"events\": [ { \"at\": 0, \"note\": 1, \"duration\": 0 } ] }",
      "a note with the duration 0 is not heard"
    ),
    ("\"none.mid\"", "the MIDI file 'none.mid' cannot be read: there is no such file"),
  ])
  func `a mistake is reported once`(_ midi: String, _ message: String) {
    let found = build(node(midi)).diagnostics
    #expect(found.errorCount == 1, "\(found.text())")
    #expect(found.all.first?.message.contains(message) == true, "\(found.text())")
  }

  @Test func `MIDI for a plugin that takes none is a mistake`() {
    let text = list("{ \"lv2\": \"http://example.org/mono#amp\", \"midi\": \"a.mid\" }")
    let found = build(text).diagnostics
    #expect(found.all.map(\.code) == [.noMIDIInput])
  }

  @Test func `a broken file is reported with the byte's position`() {
    let (_, diagnostics) = build(node("\"a.mid\""), files: ["a.mid": "MThd"])
    #expect(diagnostics.all.map(\.code) == [.invalidMIDI])
    #expect(diagnostics.all.first?.message.contains("(byte 4)") == true)
  }

  @Test func `a control voltage keeps a mono plugin replicable`() throws {
    let built = try #require(
      build(
        graph(
          "\"s\": { \"lv2\": \"http://example.org/synth\" }, "
            + "\"f\": { \"lv2\": \"http://example.org/filter\" }",
          "\"in -> f\", \"s:envelope -> f:fm\", \"f -> out\", \"s -> out\"")
      ).chain)
    let filter = try #require(built.node(id: "f"))
    #expect(built.graph.nodes[filter].isReplicable)
    let resolved = try built.graph.resolved()
    #expect(resolved.inputWidths[filter] == [2, 1])
    #expect(resolved.outputWidths[try #require(built.node(id: "s"))] == [2, 1])
  }
}
