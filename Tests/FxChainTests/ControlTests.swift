import FxAudio
@testable import FxChain
import FxEngine
import Testing

@Suite struct ControlTests {
  private static let nodes = """
    { "id": "low", "unit": "highPass" }, { "id": "comp", "unit": "compressor" },
    { "id": "echo", "unit": "delay" }, { "id": "room", "unit": "reverb" },
    { "id": "out", "unit": "gain" }
    """
  private static let scenes = "\"scenes\": { \"clean\": {}, \"solo\": {} }"

  private func text(_ controls: String, _ more: String = "") -> String {
    list(Self.nodes, "\(Self.scenes), \"midi\": [ \(controls) ]\(more)")
  }

  private func built(_ controls: String, _ more: String = "") throws -> BuiltChain {
    let (chain, diagnostics) = build(text(controls, more))
    #expect(diagnostics.isEmpty, "\(diagnostics.text())")
    return try #require(chain)
  }

  /// The number that one message sets.
  private func value(_ control: String, _ status: UInt8, _ data1: UInt8, _ data2: UInt8) throws
    -> Double?
  {
    let actions = try built(control).controls.actions(for: (status, data1, data2))
    guard case .set(_, let value)? = actions.first, actions.count == 1 else { return nil }
    return value
  }

  @Test func `a controller moves a parameter along its range`() throws {
    let control = "{ \"cc\": 74, \"parameter\": \"comp.threshold\", \"range\": [-60, \"-20 dB\"] }"
    #expect(try value(control, 0xb0, 74, 0) == -60)
    #expect(try value(control, 0xb5, 74, 127) == -20)
    let middle = try #require(try value(control, 0xb0, 74, 64))
    #expect(abs(middle - (-60 + 40 * 64 / 127.0)) < 1e-12)
    #expect(try value(control, 0xb0, 75, 64) == nil)
    #expect(try value(control, 0x90, 74, 64) == nil)
  }

  @Test func `a range may run backwards, and is the exposed one by default`() throws {
    let down = "{ \"cc\": 1, \"parameter\": \"comp.ratio\", \"range\": [8, 2] }"
    #expect(try value(down, 0xb0, 1, 0) == 8)
    #expect(try value(down, 0xb0, 1, 127) == 2)
    let built = try built(
      "{ \"cc\": 1, \"parameter\": \"squeeze\" }",
      ", \"expose\": { \"squeeze\": { \"parameter\": \"comp.ratio\", \"range\": [2, 6] } }")
    guard case .set(let parameter, 6)? = built.controls.actions(for: (0xb0, 1, 127)).first else {
      Issue.record("it does not reach the end of the range")
      return
    }
    #expect(parameter.node == built.node(id: "comp"))
  }

  @Test func `frequencies move in ratios by default`() throws {
    let range = "\"range\": [\"100 Hz\", \"10 kHz\"]"
    let usual = "{ \"bend\": true, \"parameter\": \"low.frequency\", \(range) }"
    let linear =
      "{ \"bend\": true, \"parameter\": \"low.frequency\", \(range), \"curve\": \"linear\" }"
    let middle = try #require(try value(usual, 0xe0, 0, 64))
    #expect(abs(middle - 1000) < 1e-9)
    #expect(try value(linear, 0xe0, 0, 64) == 5050)
    #expect(try value(usual, 0xe0, 0, 0) == 100)
    #expect(try value(usual, 0xe0, 127, 127) == 10000)
  }

  @Test func `a range in hertz ends where the sample rate lets filters end`() throws {
    let built = try built(
      "{ \"cc\": 1, \"parameter\": \"low.frequency\" }", ", \"sampleRate\": 32000")
    #expect(
      built.controls.actions(for: (0xb0, 1, 127))
        == [.set(try built.parameter("low.frequency"), 15680)])
  }

  @Test func `a level range that begins at silence starts 60 dB below its end`() throws {
    let fader = "{ \"cc\": 7, \"parameter\": \"out.gain\", \"range\": [\"-inf dB\", \"0 dB\"] }"
    #expect(try value(fader, 0xb0, 7, 0) == -.infinity)
    let first = try #require(try value(fader, 0xb0, 7, 1))
    #expect(abs(first - (-60 + 60 / 127.0)) < 1e-12)
    #expect(try value(fader, 0xb0, 7, 127) == 0)
    #expect(try value("{ \"cc\": 7, \"parameter\": \"out.gain\" }", 0xb0, 7, 127) == 24)
  }

  @Test func `choices, whole numbers and switches take the nearest value`() throws {
    let slope = "{ \"cc\": 1, \"parameter\": \"low.slope\" }"
    #expect(
      try [0, 42, 43, 100, 127].map { try value(slope, 0xb0, 1, $0) } == [12, 12, 24, 48, 48])
    let voices = "{ \"pressure\": true, \"parameter\": \"room.voices\" }"
    #expect(try [0, 8, 10, 127].map { try value(voices, 0xd0, $0, 0) } == [1, 1, 2, 8])
    let toggle = "{ \"cc\": 1, \"parameter\": \"comp.auto\" }"
    #expect(try [0, 63, 64, 127].map { try value(toggle, 0xb0, 1, $0) } == [0, 0, 1, 1])
    let inverted = "{ \"cc\": 1, \"parameter\": \"echo.bypass\", \"range\": [true, false] }"
    #expect(try [0, 127].map { try value(inverted, 0xb0, 1, $0) } == [1, 0])
  }

  @Test func `a note toggles or holds a parameter`() throws {
    let built = try built(
      """
      { "note": 60, "bypass": "echo" }, { "note": "D4", "bypass": "echo", "mode": "momentary" },
      { "note": 64, "parameter": "comp.auto" }, { "note": 65, "parameter": "comp.ratio", "range": [2, 9] }
      """)
    let echo = try #require(built.node(id: "echo"))
    let auto = try built.parameter("comp.auto")
    let ratio = try built.parameter("comp.ratio")
    func actions(_ status: UInt8, _ note: UInt8, _ velocity: UInt8 = 90) -> [ControlAction] {
      built.controls.actions(for: (status, note, velocity))
    }
    #expect(actions(0x90, 60) == [.toggleBypass(node: echo)])
    #expect(actions(0x90, 60, 0) == [])
    #expect(actions(0x80, 60) == [])
    #expect(actions(0x90, 62) == [.bypass(node: echo, true)])
    #expect(actions(0x90, 62, 0) == [.bypass(node: echo, false)])
    #expect(actions(0x80, 62) == [.bypass(node: echo, false)])
    #expect(actions(0x90, 64) == [.toggle(auto)])
    #expect(actions(0x90, 65) == [.set(ratio, 9)])
    #expect(actions(0x80, 65) == [.set(ratio, 2)])
  }

  @Test func `pedals bypass, programs and notes set scenes`() throws {
    let built = try built(
      """
      { "cc": 64, "bypass": "echo" }, { "cc": 65, "bypass": "echo", "mode": "toggle" },
      { "program": 3, "scene": "clean", "channel": 16 }, { "note": 62, "scene": "solo" },
      { "cc": 66, "scene": "solo" }, { "cc": 67, "tap": true }
      """)
    let echo = try #require(built.node(id: "echo"))
    func actions(_ status: UInt8, _ data1: UInt8, _ data2: UInt8 = 0) -> [ControlAction] {
      built.controls.actions(for: (status, data1, data2))
    }
    #expect(actions(0xb0, 64, 64) == [.bypass(node: echo, true)])
    #expect(actions(0xb0, 64, 63) == [.bypass(node: echo, false)])
    #expect(actions(0xb0, 65, 127) == [.toggleBypass(node: echo)])
    #expect(actions(0xb0, 65, 0) == [])
    #expect(actions(0xcf, 3) == [.scene(0)])
    #expect(actions(0xc0, 3) == [])
    #expect(actions(0xcf, 4) == [])
    #expect(actions(0x92, 62, 1) == [.scene(1)])
    #expect(actions(0xb0, 66, 100) == [.scene(1)])
    #expect(actions(0xb0, 67, 127) == [.tap])
    #expect(actions(0xb0, 67, 0) == [])
    #expect(actions(0xb0, 66, 10) == [])
  }

  @Test func `one message moves everything that is mapped to it`() throws {
    let built = try built(
      "{ \"cc\": 1, \"parameter\": \"comp.ratio\" }, { \"cc\": 1, \"parameter\": \"echo.time\" }")
    #expect(built.controls.actions(for: (0xb0, 1, 0)).count == 2)
  }

  @Test func `the object form names the sender`() throws {
    let text = list(
      Self.nodes,
      "\"midi\": { \"from\": \"nano:0\", \"map\": [ { \"cc\": 1, \"parameter\": \"comp.ratio\" } ] }"
    )
    let built = try #require(build(text).chain)
    #expect(built.controlSender == "nano:0")
    #expect(built.controls.count == 1)
  }

  @Test func `mappings in an included chain are checked and ignored`() throws {
    func inner(_ parameter: String) -> String {
      list(
        "{ \"unit\": \"gain\" }", "\"midi\": [ { \"cc\": 1, \"parameter\": \"\(parameter)\" } ]")
    }
    let outer = list("{ \"use\": \"inner.json\" }")
    let (chain, _) = build(outer, files: ["inner.json": inner("gain.gain")])
    #expect(try #require(chain).controls == [])
    let found = build(outer, files: ["inner.json": inner("gain.gian")]).diagnostics
    #expect(found.all.map(\.code) == [.unknownParameter])
  }

  @Test(arguments: [
    ("5", "a MIDI mapping is an object, not a number"),
    ("{ \"parameter\": \"comp.ratio\" }", "a MIDI mapping needs one of 'cc', 'note'"),
    ("{ \"cc\": 1 }", "a MIDI mapping needs one of 'parameter', 'bypass', 'scene', 'tap'"),
    ("{ \"cc\": 1, \"tap\": false }", "'tap' is true or left out"),
    ("{ \"bend\": true, \"tap\": true }", "'tap' does not go with 'bend'"),
    ("{ \"note\": 1, \"tap\": true, \"mode\": \"toggle\" }", "'mode' does not go with 'tap'"),
    ("{ \"cc\": 1, \"paramter\": \"comp.ratio\" }", "a MIDI mapping has no key 'paramter'"),
    ("{ \"cc\": 1, \"note\": 2, \"scene\": \"solo\" }", "'cc' and 'note' exclude each other"),
    ("{ \"cc\": 1, \"bypass\": \"echo\", \"scene\": \"solo\" }", "'bypass' and 'scene' exclude"),
    ("{ \"cc\": 128, \"scene\": \"solo\" }", "'cc' 128 is above the maximum of 127"),
    ("{ \"cc\": 1, \"channel\": 0, \"scene\": \"solo\" }", "'channel' 0 is below the minimum"),
    ("{ \"note\": \"H1\", \"scene\": \"solo\" }", "'note' cannot be \"H1\""),
    ("{ \"program\": 1, \"bypass\": \"echo\" }", "'bypass' does not go with 'program'"),
    ("{ \"bend\": true, \"scene\": \"solo\" }", "'scene' does not go with 'bend'"),
    ("{ \"bend\": false, \"parameter\": \"comp.ratio\" }", "'bend' is true or left out"),
    ("{ \"cc\": 1, \"scene\": \"sola\" }", "the chain has no scene 'sola'"),
    ("{ \"cc\": 1, \"bypass\": \"eco\" }", "the chain has no node 'eco'"),
    ("{ \"cc\": 1, \"bypass\": \"output\" }", "'output' is not a unit or a plugin"),
    ("{ \"cc\": 1, \"parameter\": \"comp.ratoi\" }", "'comp' has no parameter 'ratoi'"),
    ("{ \"cc\": 1, \"parameter\": \"comp.ratio\", \"range\": [1, 40] }", "'ratio' 40 is above"),
    ("{ \"cc\": 1, \"parameter\": \"comp.ratio\", \"range\": [1] }", "is a list of two values"),
    ("{ \"cc\": 1, \"bypass\": \"echo\", \"range\": [0, 1] }", "'range' does not go with 'bypass'"),
    ("{ \"cc\": 1, \"scene\": \"solo\", \"mode\": \"toggle\" }", "'mode' does not go with 'scene'"),
    ("{ \"cc\": 1, \"bypass\": \"echo\", \"mode\": \"tog\" }", "'mode' cannot be \"tog\""),
    (
      "{ \"cc\": 1, \"parameter\": \"comp.ratio\", \"mode\": \"toggle\" }",
      "'mode' belongs to a switch, and 'comp.ratio' is not one"
    ),
    (
      "{ \"cc\": 1, \"parameter\": \"comp.threshold\", \"curve\": \"log\" }",
      "a 'log' curve leads from one value above 0 to another"
    ),
    (
      "{ \"cc\": 1, \"parameter\": \"comp.auto\", \"curve\": \"linear\" }",
      "'comp.auto' has nothing between its values"
    ),
    (
      "{ \"cc\": 1, \"parameter\": \"out.gain\", \"range\": [\"-inf dB\", \"-inf dB\"] }",
      "'out.gain' has no end that a controller could reach"
    ),
  ])
  func `a mistake is reported once`(_ control: String, _ message: String) {
    let found = build(text(control)).diagnostics
    #expect(found.errorCount == 1, "\(found.text())")
    #expect(found.all.first?.message.contains(message) == true, "\(found.text())")
    #expect(found.all.first?.place != nil)
  }

  @Test func `an automated parameter cannot be mapped to MIDI`() {
    let text = text(
      "{ \"cc\": 1, \"parameter\": \"comp.ratio\" }",
      ", \"automation\": [ { \"parameter\": \"comp.ratio\", \"points\": [ [0, 2] ] } ]")
    #expect(build(text).diagnostics.all.map(\.code) == [.duplicateAutomation])
  }

  // MARK: Learning

  @Test func `a moved controller is learned`() throws {
    let built = try built("")
    func learned(_ name: String, _ status: UInt8, _ data1: UInt8, _ data2: UInt8) throws -> String?
    {
      MIDIControl.learned(
        from: (status, data1, data2), parameter: try built.parameter(name), name: name)?
        .json.text(indented: false)
    }
    #expect(
      try learned("comp.ratio", 0xb0, 21, 3) == #"{"cc":21,"channel":1,"parameter":"comp.ratio"}"#)
    #expect(
      try learned("comp.auto", 0x9f, 60, 3) == #"{"note":60,"channel":16,"parameter":"comp.auto"}"#)
    #expect(
      try learned("low.frequency", 0xe1, 0, 3)
        == #"{"bend":true,"channel":2,"parameter":"low.frequency"}"#)
    #expect(try learned("comp.ratio", 0x80, 60, 3) == nil)
    #expect(try learned("comp.ratio", 0x90, 60, 0) == nil)
    #expect(try learned("comp.ratio", 0xc0, 60, 0) == nil)
  }

  @Test(arguments: [
    #"{"cc":74,"channel":1,"parameter":"comp.threshold","range":[-60,-20]}"#,
    #"{"cc":74,"parameter":"low.frequency","range":[20,2000],"curve":"linear"}"#,
    #"{"cc":7,"parameter":"out.gain","range":["-inf",0]}"#,
    #"{"note":60,"bypass":"echo"}"#, #"{"note":60,"bypass":"echo","mode":"momentary"}"#,
    #"{"cc":64,"bypass":"echo"}"#, #"{"cc":64,"bypass":"echo","mode":"toggle"}"#,
    #"{"program":3,"scene":"clean"}"#, #"{"note":3,"tap":true}"#,
    #"{"cc":1,"parameter":"comp.auto","range":[true,false]}"#,
    #"{"note":1,"parameter":"comp.auto","mode":"momentary"}"#,
    #"{"cc":1,"parameter":"comp.auto","mode":"toggle"}"#,
    #"{"pressure":true,"parameter":"comp.ratio"}"#,
  ])
  func `a mapping is written as it was read`(_ control: String) throws {
    #expect(try built(control).controls.first?.json.text(indented: false) == control)
  }
}
