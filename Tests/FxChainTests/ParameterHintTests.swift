import FxAudio
@testable import FxChain
import Testing

@Suite struct ParameterHintTests {
  private static let threshold = ParameterSpec(
    "al", "Attack threshold", .gain, 0.001...1, default: 0.251189)

  private let plugin: UnitSpec = {
    var spec = UnitSpec(
      "urn:example:comp", name: "Comp", summary: "", category: "compressor",
      parameters: [
        threshold, ParameterSpec("at", "Attack time", .seconds, 0...2, default: 0.02),
        ParameterSpec("rrl", "Release threshold", .gain, 0...1, default: 0),
        ParameterSpec("cr", "Ratio", .none, 1...100, default: 4),
        ParameterSpec("g_out", "Output gain", .gain, 0...10, default: 1),
      ], readings: [ReadingSpec("elm", "Envelope level meter", .gain)])
    spec.ports =
      spec.parameters.map { NamedPort($0.id, $0.summary, .parameter) } + [
        NamedPort("elm", "Envelope level meter", .reading),
        NamedPort("in_l", "Input L", .audioInput), NamedPort("out_l", "Output L", .audioOutput),
        NamedPort("notes", "notes", .eventOutput), NamedPort("midi", "MIDI", .eventInput),
        NamedPort("on", "Enabled", .enabled), NamedPort("latency", "Latency", .hostOwned),
      ]
    return spec
  }()

  private func hint(_ name: String) -> String {
    ParameterHints(slots: plugin.parameterSlots(items: []), spec: plugin).hints(for: name)
      .joined(separator: "; ")
  }

  @Test(arguments: ["Attack threshold", "attack-threshold", "attackThreshold", "Attack treshold"])
  func `a parameter is found by the name in the plugin's window`(_ name: String) {
    #expect(
      hint(name)
        == "did you mean 'al' (Attack threshold)?  (al: -60…0 dB, default -12 dB)")
  }

  @Test func `a word of several names leads to all of them`() {
    #expect(
      hint("threshold") == "did you mean 'al' (Attack threshold) or 'rrl' (Release threshold)?")
    #expect(hint("ratio").hasPrefix("did you mean 'cr' (Ratio)?"))
    #expect(hint("output").hasPrefix("did you mean 'g_out' (Output gain)?"))
  }

  @Test(arguments: [
    ("elm", "'elm' (Envelope level meter) is a reading: the unit sets it"),
    ("in_l", "'in_l' (Input L) is an audio input"),
    ("out_l", "'out_l' (Output L) is an audio output"),
    ("notes", "'notes' is an event output"), ("midi", "'midi' (MIDI) is an event input"),
    ("on", "'on' (Enabled) is fxrun's own: use 'bypass', which is true for off"),
    ("latency", "'latency' (Latency) is fxrun's own and cannot be set"),
    ("enabled", "use 'bypass', which is true for off"),
    ("enable", "use 'bypass', which is true for off"),
  ])
  func `a name that is no parameter is explained`(_ name: String, _ sentence: String) {
    #expect(hint(name) == sentence)
  }

  @Test func `nothing is suggested where no name is similar`() {
    #expect(hint("zzzz") == "it has: al, at, rrl, cr, g_out")
  }

  // MARK: Gains

  private func value(_ raw: RawValue) throws(ValueProblem) -> Double {
    try Self.threshold.value(raw, context: ValueContext())
  }

  @Test func `a gain takes decibels, and a number without a unit is a factor`() throws {
    #expect(abs(try value(.text("-6 dB")) - 0.501187) < 1e-6)
    #expect(try value(.number(0.5)) == 0.5)
    #expect(try value(.text("0.5")) == 0.5)
    #expect(try value(.text("50 %")) == 0.5)
    #expect(throws: ValueProblem.self) { try value(.text("3 Hz")) }
    let silent = ParameterSpec("g", "", .gain, 0...2, default: 1)
    #expect(try silent.value(.text("-inf dB"), context: ValueContext()) == 0)
    #expect(silent.described == "g: -inf…6.02 dB, default 0 dB")
    #expect(try silent.value(.text("6.02 dB"), context: ValueContext()) <= 2)
  }

  @Test func `a gain that is out of range is shown in decibels`() {
    let problem = #expect(throws: ValueProblem.self) { try value(.number(2)) }
    #expect(problem?.message == "'al' 2 (6.02 dB) is above the maximum of 0 dB")
    #expect(problem?.hints == ["(al: -60…0 dB, default -12 dB)"])
    let level = #expect(throws: ValueProblem.self) { try value(.text("3 dB")) }
    #expect(level?.message == "'al' \"3 dB\" is above the maximum of 0 dB")
  }

  // MARK: Presets

  private let presets = [
    PluginPreset(uri: "urn:a", label: "Voices: Choir", bank: "Voices"),
    PluginPreset(uri: "urn:b", label: "Voices: Quiet", bank: "Voices"),
    PluginPreset(uri: "urn:c", label: "Rooms: Quiet", bank: "Rooms"),
    PluginPreset(uri: "urn:d", label: "Plain", bank: "Others"),
    PluginPreset(uri: "urn:e", label: "Strings: Slow"),
  ]

  @Test(arguments: [
    ("Choir", ["urn:a"]), ("voices: choir", ["urn:a"]), ("quiet", ["urn:b", "urn:c"]),
    ("Rooms: Quiet", ["urn:c"]), ("Others: Plain", ["urn:d"]), ("plain", ["urn:d"]),
    ("Slow", ["urn:e"]), ("urn:e", ["urn:e"]), ("Voices", []), ("", []),
  ])
  func `a preset is found with and without the name of its bank`(_ name: String, _ uris: [String]) {
    #expect(PluginPreset.find(name, in: presets).map(\.uri) == uris)
  }
}
