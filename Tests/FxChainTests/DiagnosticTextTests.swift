import FxAudio
@testable import FxChain
import FxEngine
import FxPlaying
import Testing

struct DiagnosticTextTests {
  @Test func `a report shows the line, underlines the mistake and offers a remedy`() {
    let (_, diagnostics) = build(
      """
      {
        "version": 1,
        "chain": [
          { "unit": "highPass",
            "parameters": { "freq": "80 Hz" } },
          { "unit": "equalizer", "bands": [
              { "gain": "99 dB" } ] },
          { "lv2": "http://gareus.org/oss/lv2/fil4#stero" }
        ],
        "automation": [ { "parameter": "equaliser.output", "points": [ [0, 1] ] } ]
      }
      """, ChainEnvironment(overrides: [ParameterSetting("highPass.slope", "30")]),
      path: "voice.json")
    #expect(
      diagnostics.text() == """
        voice.json:5:23: error: unit 'highPass' has no parameter 'freq'
              "parameters": { "freq": "80 Hz" } },
                              ^~~~~~
          did you mean 'frequency'?  (frequency: 10…23520 Hz, default 80)
        voice.json:7:19: error: 'gain' "99 dB" is above the maximum of 36 dB
                { "gain": "99 dB" } ] },
                          ^~~~~~~
          (gain: -36…36 dB, default 0)
        voice.json:8:14: error: no LV2 plugin 'http://gareus.org/oss/lv2/fil4#stero' is installed
            { "lv2": "http://gareus.org/oss/lv2/fil4#stero" }
                     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
          nearest: http://gareus.org/oss/lv2/fil4#stereo · searched: ~/.lv2, /usr/lib/lv2 (684 plugins)
        voice.json:10:34: error: the chain has no node 'equaliser'
          "automation": [ { "parameter": "equaliser.output", "points": [ [0, 1] ] } ]
                                         ^~~~~~~~~~~~~~~~~~
          did you mean 'equalizer'?
        --set highPass.slope=30: error: 'slope' cannot be "30"
          one of: 12 dB/oct, 24 dB/oct, 48 dB/oct
        5 errors

        """)
  }

  @Test func `one end of a connection is underlined, not all of it`() throws {
    let (_, diagnostics) = build(
      graph("\"fx\": { \"unit\": \"gain\" }", "\"in -> fx -> out\",\n  \"in -> fx:sidechain\""))
    let text = diagnostics.text()
    #expect(
      text.hasPrefix(
        """
        chain.json:4:10: error: 'fx' has no input 'sidechain'
          "in -> fx:sidechain" ] }
                 ^~~~~~~~~~~~
        """), "\(text)")
  }

  @Test func `tabs stay and wide characters take two columns`() {
    let (_, diagnostics) = build(
      "{ \"version\": 1,\n\t\"name\": \"日本\", \"x\": 1, \"chain\": [] }")
    #expect(
      diagnostics.text().hasPrefix(
        "chain.json:2:16: error: a chain has no key 'x'\n\t\"name\": \"日本\", \"x\": 1, \"chain\": [] }\n"
          + "\t" + String(repeating: " ", count: 16) + "^~~\n"), "\(diagnostics.text())")
  }

  @Test func `a long line is shown around the mistake`() throws {
    let nodes = [String](repeating: "{ \"unit\": \"gain\" }", count: 500)
    let (_, diagnostics) = build(
      list((nodes + ["{ \"unit\": \"gian\" }"] + nodes).joined(separator: ", ")))
    let lines = diagnostics.text().split(separator: "\n")
    try #require(lines.count == 5)
    #expect(lines[0] == "chain.json:1:10038: error: there is no unit 'gian'")
    #expect(lines[1].count <= 122)
    #expect(lines[1].hasPrefix("…") && lines[1].hasSuffix("…"))
    let caret = try #require(lines[2].firstIndex(of: "^"))
    let offset = lines[2].distance(from: lines[2].startIndex, to: caret)
    #expect(lines[1].dropFirst(offset).hasPrefix("\"gian\""))
    #expect(lines[2].dropFirst(offset) == "^~~~~~")
  }

  @Test func `colours are for terminals only`() {
    let (_, diagnostics) = build("{ \"version\": 1, \"chain\": [], \"x\": 1 }")
    #expect(!diagnostics.text().contains("\u{1B}"))
    #expect(diagnostics.text(isColored: true).contains("\u{1B}[1;31merror:\u{1B}[0m"))
  }

  @Test func `the report as JSON names code, place and pointer`() {
    let (_, diagnostics) = build(list("{ \"unit\": \"gain\", \"a/b~\": 1 }"))
    #expect(
      diagnostics.json.text(indented: false)
        == #"{"diagnostics":[{"severity":"error","code":"unknown-key","message":"unit 'gain' has "#
        + #"no key 'a/b~'","file":"chain.json","line":1,"column":46,"length":6,"#
        + #""path":"/chain/0/a~1b~0","hints":["its keys: unit, id, parameters, bypass, wet, wetLaw, "#
        + #"latency, isolated, tap, comment, preset"]}],"errors":1,"warnings":0}"#)
  }

  @Test func `errors after the build show the line of their node or connection`() throws {
    let built = try #require(
      build(
        """
        { "version": 1, "nodes": { "in": { "source": "main" },
            "fx": { "unit": "gain" }, "out": { "sink": "main" } },
          "connections": [
            "in -> fx",
            { "from": "fx", "to": "out" } ] }
        """
      ).chain)
    let node = try #require(built.node(id: "fx"))
    let atNode = built.diagnostic(forNode: node, .width, "three into two")
    #expect(atNode.line == 2 && atNode.column == 5 && atNode.length == 4)
    #expect(built.diagnostic(forConnection: 0, .cycle, "a -> b -> a").line == 4)
    #expect(built.diagnostic(forConnection: 1, .cycle, "a -> b -> a").line == 5)
    #expect(built.diagnostic(forConnection: 9, .cycle, "none").line == nil)
  }

  @Test func `parameters can be found and read while a chain runs`() throws {
    let built = try #require(
      build(
        list(
          MistakeTests.comp,
          "\"expose\": { \"amount\": { \"parameter\": \"comp.ratio\", \"range\": [2, 4] } }")
      )
      .chain)
    let ratio = try built.parameter("comp.ratio")
    #expect(try built.value("10:1", for: ratio) == 10)
    let amount = try built.parameter("amount")
    #expect(amount.node == ratio.node && amount.slot == ratio.slot)
    #expect(throws: ValueProblem.self) { try built.value("10:1", for: amount) }
    for name in ["comp.ration", "cmp.ratio", "amuont", "in.x", ".", "comp."] {
      #expect(throws: ValueProblem.self) { try built.parameter(name) }
    }
  }
}

struct RobustnessTests {
  private static let chain = """
    {"version":1,"variables":{"v":"1 dB"},"nodes":{"a":{"source":"main"},"m":{"unit":"mixer",
    "strips":{"a":{"gain":-3}}},"e":{"unit":"equalizer","bands":[{"id":"b","q":1}]},"o":{"sink":
    {"file":"x.wav","bits":16}}},"connections":["a -> m:a -> e -> o",{"from":"e:out[1]","to":"m",
    "feedback":true,"delay":"9 ms","gain":"${v}"}],"expose":{"x":{"parameter":
    "e.bands.b.gain","range":[0,1]}},"automation":[{"parameter":"m.gain","points":[[0,1],["0:01",
    "-3 dB","linear"]]}]}
    """

  @Test func `a chain with a byte changed or cut out never traps`() {
    #expect(build(Self.chain).chain != nil, "\(build(Self.chain).diagnostics.text())")
    let bytes = Array(Self.chain.utf8)
    let replacements = Array("\"{[]},:-09. ".utf8)
    for index in stride(from: 0, to: bytes.count, by: 2) {
      var changed = bytes
      changed[index] = replacements[index / 2 % replacements.count]
      var cut = bytes
      cut.remove(at: index)
      for variant in [changed, cut] {
        let (chain, diagnostics) = ChainBuilder.build(
          bytes: variant, path: "x", catalog: FakeCatalog(),
          environment: ChainEnvironment(endpoints: .all))
        #expect(chain != nil || diagnostics.hasErrors)
        #expect(diagnostics.text().isEmpty == diagnostics.isEmpty)
      }
    }
  }

  @Test(arguments: [
    "null", "true", "5", "-1e300", "\"\"", "\"x\"", "[]", "{}", "[null]", "{ \"\": null }",
    "[[[]]]",
  ])
  func `any value in any place is refused or read and never traps`(_ value: String) {
    for key in ChainFormat.chain.keys.map(\.key) {
      _ = build("{ \"version\": 1, \"chain\": [], \"\(key)\": \(value) }").diagnostics.text()
      _ = build("{ \"\(key)\": \(value) }").diagnostics.text()
    }
    let keys = Set(ChainFormat.objects(.all).flatMap(\.keys).map(\.key))
    for key in keys.union(["bands", "strips", "impulse"]) {
      let unit = ["strips": "mixer", "impulse": "convolver"][key] ?? "equalizer"
      _ = build(list("{ \"unit\": \"\(unit)\", \"\(key)\": \(value) }")).diagnostics.text()
      _ = build(graph("\"x\": { \"\(key)\": \(value) }", value)).diagnostics.text()
      _ = build(graph("\"x\": { \"sink\": { \"\(key)\": \(value) } }", "{ \"\(key)\": \(value) }"))
        .diagnostics.text()
      _ = build(
        list("", "\"automation\": [ { \"\(key)\": \(value) } ], \"expose\": { \"x\": \(value) }")
      )
      .diagnostics.text()
    }
  }
}
