import FxAudio
@testable import FxChain
import FxEngine
import Testing

/// Every code, each from the shortest chain that causes it.
struct MistakeTests {
  struct Case: CustomTestStringConvertible {
    let code: DiagnosticCode
    let text: String
    let message: String
    var environment = ChainEnvironment()
    var testDescription: String { "\(code.rawValue): \(message)" }

    init(
      _ code: DiagnosticCode, _ text: String, _ message: String,
      _ environment: ChainEnvironment = ChainEnvironment()
    ) {
      self.code = code
      self.text = text
      self.message = message
      self.environment = environment
    }
  }

  static let comp = "{ \"id\": \"comp\", \"unit\": \"compressor\" }"
  private static func automated(_ points: String, _ parameter: String = "comp.ratio") -> String {
    list(
      comp, "\"automation\": [ { \"parameter\": \"\(parameter)\", \"points\": [ \(points) ] } ]")
  }

  static let cases: [Case] = [
    Case(.invalidJSON, "{", "the file ends before the object that begins here is closed"),
    Case(.wrongType, "[]", "a chain is an object, not a list"),
    Case(.missingKey, "{ \"chain\": [] }", "a chain needs the key 'version'"),
    Case(
      .missingKey, "{ \"version\": 1 }",
      "a chain needs 'chain' (a list) or 'nodes' and 'connections' (a graph)"),
    Case(.outOfRange, "{ \"version\": 0, \"chain\": [] }", "'version' 0 is below the minimum of 1"),
    Case(
      .newerVersion, "{ \"version\": 3, \"chane\": [] }",
      "written for a newer fxrun (version 3 of the format; this one reads version 2)"),
    Case(
      .newerVersion, "{ \"version\": \"3\", \"chain\": [] }",
      "written for a newer fxrun (version 3 of the format; this one reads version 2)"),
    Case(
      .notAnInteger, "{ \"version\": \"4:1\", \"chain\": [] }",
      "'version' is a whole number, \"4:1\" is not"),
    Case(.notAnInteger, list("", "\"seed\": \"4:1\""), "'seed' is a whole number, \"4:1\" is not"),
    Case(
      .notAnInteger, list("", "\"sampleRate\": 44100.5"),
      "'sampleRate' is a whole number of hertz, not 44100.5"),
    Case(.unknownKey, list("", "\"sampelRate\": 1"), "a chain has no key 'sampelRate'"),
    Case(
      .duplicateKey, list("", "\"seed\": 1, \"seed\": 2"),
      "the key 'seed' is written twice in this object"),
    Case(
      .duplicateKey, list("{ \"unit\": \"gain\", \"unit\": \"pan\" }"),
      "the key 'unit' is written twice in this object"),
    Case(
      .conflictingKeys, "{ \"version\": 1, \"chain\": [], \"nodes\": {} }",
      "a chain has either 'chain' or 'nodes', not both"),
    Case(
      .conflictingKeys, list("", "\"connections\": []"),
      "a list is connected in its order; it has no 'connections'"),
    Case(
      .conflictingKeys, list("{ \"unit\": \"gain\", \"lv2\": \"x\" }"),
      "a node is one kind; 'unit' and 'lv2' exclude each other"),
    Case(.wrongType, list("\"gain\""), "a node is an object, not a string"),
    Case(.wrongType, list("", "\"name\": 5"), "'name' is a string, not a number"),
    Case(
      .wrongType, list("{ \"unit\": \"gain\", \"parameters\": { \"gain\": null } }"),
      "a value is a number, a string, true or false, not null"),
    Case(.unknownKey, list("{ \"unti\": \"gain\" }"), "a node has no key 'unti'"),
    Case(
      .missingKey, list("{ }"), "a node needs one of 'unit', 'lv2', 'use', 'source', 'sink'"),
    Case(.invalidName, list("{ \"id\": \"2nd\", \"unit\": \"gain\" }"), "'2nd' cannot name a node"),
    Case(
      .duplicateName,
      list("{ \"id\": \"a\", \"unit\": \"gain\" }, { \"id\": \"a\", \"unit\": \"gain\" }"),
      "two nodes are called 'a'"),
    Case(
      .duplicateName,
      list("{ \"unit\": \"equalizer\", \"bands\": [ {\"id\": \"x\"}, {\"id\": \"x\"} ] }"),
      "two of the bands are called 'x'"),
    Case(
      .misplacedNode, list("{ \"unit\": \"gain\" }, { \"source\": \"main\" }"),
      "a source stands at the beginning of a list"),
    Case(
      .misplacedNode, list("{ \"sink\": \"main\" }, { \"unit\": \"gain\" }"),
      "a sink stands at the end of a list"),
    Case(
      .unknownVariable, list("{ \"unit\": \"convolver\", \"impulse\": \"${x}\" }"),
      "the chain declares no variable 'x'"),
    // Not yet.
    Case(
      .noControlSignal, list(comp, modulation("input", "comp.threshold")),
      "'input' gives no control signal"),
    Case(
      .noControlSignal, list("{ \"unit\": \"lfo\" }, \(comp)", modulation("lfo:in", "comp.ratio")),
      "'lfo' has no control signal 'in'"),
    Case(
      .unknownParameter, list("{ \"unit\": \"lfo\" }, \(comp)", modulation("lfo", "comp.depth")),
      "'comp' has no parameter 'depth'"),
    Case(
      .outOfRange,
      list("{ \"unit\": \"lfo\" }, \(comp)", modulation("lfo", "comp.ratio", "\"depth\": 40")),
      "'lfo' 40 is above the maximum of 19"),
    Case(
      .wrongUnit,
      list(
        "{ \"unit\": \"lfo\" }, \(comp)",
        modulation("lfo", "comp.threshold", "\"depth\": \"2 ms\"")),
      "'lfo' \"2 ms\" has the wrong unit of measure"),
    Case(
      .outOfRange,
      list(
        "{ \"unit\": \"lfo\" }, \(comp)",
        modulation("lfo", "comp.threshold", "\"range\": [1, -1]")),
      "the range's first value is not below its second"),
    Case(
      .unknownScene, list(comp, "\"scenes\": { \"clean\": {} }, \"scene\": \"claen\""),
      "the chain has no scene 'claen'"),

    Case(
      .invalidValue, list("{ \"unit\": \"gain\", \"isolated\": true }"),
      "only an LV2 plugin runs in a process of its own"),
    // Values.
    Case(
      .outOfRange, list("{ \"unit\": \"highPass\", \"parameters\": { \"frequency\": 5 } }"),
      "'frequency' 5 is below the minimum of 10 Hz"),
    Case(
      .outOfRange, list("", "\"sampleRate\": 1"), "'sampleRate' 1 is below the minimum of 1000 Hz"),
    Case(
      .outOfRange,
      list(
        "{ \"unit\": \"highPass\", \"parameters\": { \"frequency\": 9000 } }",
        "\"sampleRate\": 16000"),
      "'frequency' 9000 is above the maximum of 7840 Hz"),
    Case(
      .unusedParameter,
      list("{ \"unit\": \"equalizer\", \"bands\": [ { \"q\": 2, \"type\": \"highShelf\" } ] }"),
      "'bands.1.q' has no effect with \"type\": \"highShelf\""),
    Case(
      .outOfRange, list("{ \"unit\": \"gain\", \"wet\": \"150 %\" }"),
      "'wet' \"150 %\" is above the maximum of 1"),
    Case(
      .wrongUnit, list("{ \"unit\": \"highPass\", \"parameters\": { \"frequency\": \"5 ms\" } }"),
      "'frequency' \"5 ms\" has the wrong unit of measure"),
    Case(
      .invalidValue, list("{ \"unit\": \"gain\", \"parameters\": { \"gain\": \"loud\" } }"),
      "'gain' cannot be \"loud\""),
    Case(
      .notAChoice, list("{ \"unit\": \"highPass\", \"parameters\": { \"slope\": 13 } }"),
      "'slope' cannot be 13"),
    Case(
      .notAChoice, list("{ \"unit\": \"equalizer\", \"bands\": [ { \"type\": \"peek\" } ] }"),
      "'type' cannot be \"peek\""),
    Case(
      .notAChoice, list("{ \"sink\": { \"file\": \"x.wav\", \"bits\": 20 } }"),
      "'bits' cannot be 20"),
    Case(
      .notAnInteger, list("{ \"unit\": \"reverb\", \"parameters\": { \"voices\": 2.5 } }"),
      "'voices' is a whole number, 2.5 is not"),
    Case(
      .needsTempo, list("{ \"unit\": \"delay\", \"parameters\": { \"time\": \"1/8\" } }"),
      "'time' \"1/8\": beats need a tempo"),
    Case(
      .changingBeat,
      """
      { "version": 2,
        "tempo": [ { "bar": 1, "tempo": 120 }, { "bar": 2, "metre": "6/8" } ],
        "chain": [ { "unit": "delay", "parameters": { "time": "1/8" } } ] }
      """, "'time' \"1/8\": the note that is a beat changes during the chain"),
    Case(
      .needsSampleRate, list("{ \"unit\": \"delay\", \"parameters\": { \"time\": \"9 frames\" } }"),
      "'time' \"9 frames\": the sample rate is not known here"),
    // Units.
    Case(.unknownUnit, list("{ \"unit\": \"highpas\" }"), "there is no unit 'highpas'"),
    Case(
      .unknownRevision, list("{ \"unit\": \"reverb@2\" }"),
      "unit 'reverb' has no revision 2 in this fxrun"),
    Case(.unknownRevision, list("{ \"unit\": \"reverb@x\" }"), "'x' is not a revision"),
    Case(
      .missingPlugin, list("{ \"lv2\": \"http://example.org/fil5\" }"),
      "no LV2 plugin 'http://example.org/fil5' is installed"),
    Case(
      .unusablePlugin, list("{ \"lv2\": \"http://example.org/picky\" }"),
      "the LV2 plugin 'http://example.org/picky' cannot be used: it requires the feature "
        + "http://example.org/ext#magic"),
    Case(
      .unknownParameter, list("{ \"unit\": \"highPass\", \"parameters\": { \"freq\": 5 } }"),
      "unit 'highPass' has no parameter 'freq'"),
    Case(
      .unknownKey, list("{ \"unit\": \"highPass\", \"frequency\": 5 }"),
      "unit 'highPass' has no key 'frequency'"),
    Case(
      .unknownKey, list("{ \"unit\": \"equalizer\", \"bands\": [ { \"freq\": 5 } ] }"),
      "a band of unit 'equalizer' has no 'freq'"),
    Case(
      .wrongType, list("{ \"unit\": \"equalizer\", \"bands\": { \"a\": {} } }"),
      "'bands' is a list of objects"),
    Case(.missingKey, list("{ \"unit\": \"convolver\" }"), "unit 'convolver' needs 'impulse'"),
    Case(
      .wrongType, list("{ \"unit\": \"convolver\", \"impulse\": 5 }"),
      "'impulse' is a string, 5 is not"),
    Case(
      .outOfRange, list("{ \"unit\": \"downmix\", \"channels\": 65 }"),
      "'channels' 65 is above the maximum of 64"),
    Case(
      .noDrySignal, graph("\"m\": { \"unit\": \"mixer\", \"bypass\": true }", "\"in -> m -> out\""),
      "unit 'mixer' has no single input that 'bypass' could pass on"),
    // References.
    Case(.unknownNode, graph("", "\"in -> out\", \"in -> otu\""), "the chain has no node 'otu'"),
    Case(
      .invalidConnection, graph("", "\"in -> out\", \"in\""),
      "a connection leads from one node to another"),
    Case(
      .invalidConnection, graph("", "\"in -> out\", \"in -> -> out\""), "a node's name is missing"),
    Case(
      .invalidConnection, graph("", "\"in -> out\", \"in -> o:in[0]\""),
      "'o:in[0]': a channel is a number from 1 in brackets"),
    Case(
      .invalidConnection, graph("", "{ \"from\": \"in\", \"to\": \"out\", \"delay\": 1 }"),
      "'delay' belongs to a loop; add \"feedback\": true"),
    Case(
      .missingKey, graph("", "\"in -> out\", { \"from\": \"in\" }"),
      "a connection needs the key 'to'"),
    Case(
      .wrongType, graph("", "\"in -> out\", 5"),
      "a connection is a string or an object, not a number"),
    Case(
      .outOfRange, graph("", "{ \"from\": \"in\", \"to\": \"out\", \"channels\": [0] }"),
      "a channel is a whole number from 1 to 256"),
    Case(
      .outOfRange, graph("", "{ \"from\": \"in\", \"to\": \"out\", \"channels\": [3] }"),
      "'in' has no channel 3; it has 2 channels"),
    Case(
      .unknownPort,
      graph("\"c\": { \"unit\": \"compressor\" }", "\"in -> c -> out\", \"in -> c:sidechian\""),
      "'c' has no input 'sidechian'"),
    Case(.unknownPort, graph("", "\"in -> out\", \"out -> out\""), "nothing comes out of 'out'"),
    Case(.unknownPort, graph("", "\"in -> out\", \"in -> in\""), "nothing can be led into 'in'"),
    Case(.unknownPort, graph("", "\"in -> out\", \"in:out[3] -> out\""), "'in:out' has 2 channels"),
    Case(
      .loopDelay,
      graph("", "\"in -> out\", { \"from\": \"in\", \"to\": \"out\", \"feedback\": true }"),
      "a loop's closing connection needs a 'delay'"),
    Case(
      .unknownParameter, list("", "\"expose\": { \"a\": \"b\" }"), "'b' is not a parameter"),
    Case(
      .unknownParameter, list(comp), "'comp' has no parameter 'ration'",
      ChainEnvironment(overrides: [ParameterSetting("comp.ration", "2")])),
    Case(
      .outOfRange, list(comp), "'ratio' \"40\" is above the maximum of 20",
      ChainEnvironment(overrides: [ParameterSetting("comp.ratio", "40")])),
    Case(
      .unknownNode, list(comp), "the chain has no node 'cmp'", ChainEnvironment(bypassed: ["cmp"])),
    Case(
      .unboundInput, list(""), "nothing is bound to the input 'main'", ChainEnvironment(inputs: [])),
    Case(
      .unboundOutput, list(""), "nothing is bound to the output 'main'",
      ChainEnvironment(outputs: [])),
    Case(
      .unknownInput, list(""), "the chain has no input 'voice'",
      ChainEnvironment(inputs: ["main", "voice"])),
    Case(
      .unknownOutput, list(""), "the chain has no output 'stems'",
      ChainEnvironment(outputs: ["main", "stems"])),
    // The graph.
    Case(
      .duplicateConnection, graph("", "\"in -> out\", \"in -> out\""),
      "this connection is written twice: the signal is added to itself"),
    Case(
      .invalidRegion,
      "{ \"version\": 1, \"nodes\": { \"p\": { \"source\": { \"player\": [ { \"file\": \"a.wav\" } ] } }, \"out\": { \"sink\": \"main\" } }, \"connections\": [\"p -> out\"] }",
      "the start lies behind the end of the file",
      ChainEnvironment(
        sourceFacts: { _ in
          SourceFacts(
            StreamFormat(sampleRate: 48000, channelCount: 2), .finite,
            mistakes: [
              RegionMistake(0, "file", "the start lies behind the end of the file")
            ])
        })),
    Case(
      .duplicateSource, graph("\"two\": { \"source\": \"main\" }", "\"in -> out\", \"two -> out\""),
      "two sources are the input 'main'"),
    Case(
      .duplicateSink,
      graph(
        "\"one\": { \"sink\": \"alsa\" }, \"two\": { \"sink\": { \"alsa\": \"default\" } }",
        "\"in -> out\", \"in -> one\", \"in -> two\""),
      "two sinks play on the device 'default'"),
    Case(
      .duplicateClock,
      graph(
        "\"mic\": { \"source\": { \"alsa\": \"a\", \"clock\": true } }, "
          + "\"two\": { \"sink\": { \"alsa\": \"b\", \"clock\": true } }",
        "\"mic -> out\", \"in -> two\""),
      "two devices are to set the pace of the chain"),
    Case(
      .duplicateSink, graph("\"two\": { \"sink\": \"main\" }", "\"in -> out\", \"in -> two\""),
      "two sinks are the output 'main'"),
    Case(
      .duplicateSink,
      graph(
        "\"a\": { \"sink\": \"a.wav\" }, \"b\": { \"sink\": \"./a.wav\" }",
        "\"in -> out\", \"in -> a\", \"in -> b\""),
      "two sinks write the file './a.wav'"),
    Case(
      .noOutput, "{ \"version\": 1, \"nodes\": { \"in\": { \"source\": \"main\" } } }",
      "the chain has no sink: nothing comes out of it"),
    Case(
      .unfedOutput, graph("\"end\": { \"sink\": \"null\" }", "\"in -> end\""),
      "nothing feeds the output 'main'"),
    Case(
      .unfedNode, graph("\"g\": { \"unit\": \"gain\" }", "\"in -> out\", \"g -> out\""),
      "nothing feeds 'g'"),
    Case(
      .unfedNode,
      graph("\"c\": { \"unit\": \"compressor\" }", "\"in -> c:sidechain\", \"c -> out\""),
      "nothing feeds 'c:in'"),
    Case(
      .danglingNode, graph("\"g\": { \"unit\": \"gain\" }", "\"in -> out\", \"in -> g\""),
      "'g' leads nowhere"),
    Case(
      .unfedStrip,
      graph("\"m\": { \"unit\": \"mixer\", \"strips\": { \"inn\": {} } }", "\"in -> m -> out\""),
      "nothing feeds 'inn' of 'm'"),
    // Automation.
    Case(
      .pointOrder, automated("[1, 2], [1, 3]"), "this point is not later than the one before it"),
    Case(
      .invalidCurve, automated("[1, 2, \"linear\"]"),
      "the first point has none before it to draw a line from"),
    Case(
      .invalidCurve, automated("[1, -2], [2, -1, \"exponential\"]", "comp.threshold"),
      "an exponential curve leads from one positive value to another"),
    Case(
      .invalidCurve, automated("[1, true], [2, false, \"linear\"]", "comp.auto"),
      "'auto' has nothing between its values; it can only step"),
    Case(.notAChoice, automated("[1, 2], [2, 3, \"cubic\"]"), "a curve cannot be \"cubic\""),
    Case(.wrongType, automated("[1]"), "a point is [time, value] or [time, value, curve]"),
    Case(.outOfRange, automated("[-1, 2]"), "'time' -1 is below the minimum of 0 s"),
    Case(.unknownParameter, automated("[1, 2]", "comp.x"), "'comp' has no parameter 'x'"),
    Case(
      .duplicateAutomation,
      list(
        comp,
        "\"automation\": [ { \"parameter\": \"comp.ratio\", \"points\": [[0, 2]] }, { \"parameter\": \"comp.ratio\", \"points\": [[0, 2]] } ]"
      ), "'comp.ratio' is automated twice"),
    Case(
      .duplicateAutomation, automated("[0, 2]"),
      "'comp.ratio' is automated; a value would not last",
      ChainEnvironment(overrides: [ParameterSetting("comp.ratio", "2")])),
  ]

  @Test(arguments: cases + stateCases)
  func `each mistake has one message with its code`(_ mistake: Case) {
    let (chain, diagnostics) = build(mistake.text, mistake.environment)
    #expect(
      diagnostics.all.map { "\($0.code.rawValue): \($0.message)" }
        == ["\(mistake.code.rawValue): \(mistake.message)"])
    #expect((chain == nil) == (mistake.code.severity == .error))
    #expect(diagnostics.all.allSatisfy { $0.place != nil || $0.origin != nil })
  }

  @Test func `every mistake is named in one pass`() {
    let (_, diagnostics) = build(
      """
      { "version": 1, "nmae": "x", "tempo": "fast",
        "chain": [
          { "unit": "highPass", "parameters": { "freq": 80, "slope": 13 } },
          { "unit": "compresor" },
          { "unit": "gain", "bypas": true, "wet": 3 }
        ],
        "automation": [ { "parameter": "highPass.frequency", "points": [ [0, "1 dB"] ] } ] }
      """)
    #expect(
      diagnostics.codes == [
        .unknownKey, .invalidValue, .unknownParameter, .notAChoice, .unknownUnit, .unknownKey,
        .outOfRange, .wrongUnit,
      ])
  }
}
