import FxAudio
@testable import FxChain
import FxEngine
import FxPlaying

/// Units shaped like the real ones, and two plugins; none of them renders.
struct FakeCatalog: UnitCatalog {
  static let specs: [UnitSpec] = [
    UnitSpec(
      "highPass", name: "High-pass", summary: "Cuts what is low.", category: "filter",
      parameters: [
        .frequency("frequency", "Corner.", default: 80),
        ParameterSpec(
          "slope", "Steepness.", .none, 12...48, default: 12,
          choices: [.init("12 dB/oct", 12), .init("24 dB/oct", 24), .init("48 dB/oct", 48)]),
      ]),
    UnitSpec(
      "lowPass", name: "Low-pass", summary: "Cuts what is high.", category: "filter",
      parameters: [
        .frequency("frequency", "Corner.", default: 1000),
        ParameterSpec("q", "Resonance.", .none, 0.1...30, default: 0.7),
      ]),
    UnitSpec(
      "equalizer", name: "Equalizer", summary: "Bands.", category: "filter",
      parameters: [.gain("output", "Level.")],
      list: ListSpec(
        "bands", element: "band", form: .ordered,
        parameters: [
          .frequency("frequency", "Centre.", default: 1000), .gain("gain", "Boost.", -36...36),
          ParameterSpec("q", "Narrowness.", .none, 0.1...30, default: 0.7)
            .needing("type", [.text("peak"), .text("lowShelf")]),
        ],
        options: [
          OptionSpec(
            "type", "Shape.", .choice(["peak", "lowShelf", "highShelf"]), default: .text("peak"))
        ])),
    UnitSpec(
      "compressor", name: "Compressor", summary: "Evens out.", category: "dynamics",
      parameters: [
        ParameterSpec("threshold", "From here.", .decibels, -80...0, default: -18),
        ParameterSpec("ratio", "How much.", .ratio, 1...20, default: 2),
        ParameterSpec("attack", "How soon.", .seconds, 0...0.5, default: 0.01),
        .toggle("auto", "Make-up."),
      ],
      inputs: [.main, .sidechain]),
    UnitSpec(
      "mixer", name: "Mixer", summary: "Sums.", category: "routing",
      parameters: [.gain("gain", "Level.")],
      list: ListSpec(
        "strips", element: "strip", form: .namedInputs,
        parameters: [.gain("gain", "Level."), .toggle("mute", "Silence.")]),
      inputs: []),
    UnitSpec(
      "limiter", name: "Limiter", summary: "Holds a ceiling.", category: "dynamics",
      parameters: [ParameterSpec("ceiling", "Never above.", .decibels, -24...0, default: -1)]),
    UnitSpec(
      "reverb", name: "Reverb", summary: "A room.", category: "space",
      parameters: [
        ParameterSpec("decay", "How long.", .seconds, 0.1...20, default: 1.5),
        ParameterSpec("voices", "How dense.", .none, 1...8, default: 4, isInteger: true),
      ], wet: 0.3),
    UnitSpec(
      "delay", name: "Delay", summary: "Later.", category: "space",
      parameters: [ParameterSpec("time", "How late.", .seconds, 0...5, default: 0.25)]),
    UnitSpec(
      "convolver", name: "Convolver", summary: "A response.", category: "space",
      options: [
        OptionSpec("impulse", "The response.", .sound(.oneInputOrSquare(of: nil)), default: nil)
      ]),
    UnitSpec(
      "downmix", name: "Downmix", summary: "Fewer channels.", category: "routing",
      options: [OptionSpec("channels", "How many.", .integer(1...64), default: .number(1))],
      outputs: [OutputBusSpec("out", width: .option("channels"))]),
    UnitSpec(
      "meter", name: "Meter", summary: "Measures.", category: "measurement", role: .observer,
      readings: [ReadingSpec("peak", "Peak.", .decibels)]),
    UnitSpec(
      "lfo", name: "LFO", summary: "Swings.", category: "modulation",
      parameters: [ParameterSpec("rate", "How fast.", .hertz, 0.01...50, default: 1)],
      inputs: [], outputs: [.control("out", -1...1)]),
    UnitSpec(
      "envelope", name: "Envelope", summary: "Follows.", category: "modulation",
      parameters: [ParameterSpec("release", "How slow.", .seconds, 0...10, default: 0.1)],
      outputs: [.control("out", 0...1), .control("level", -60...0)]),
    UnitSpec(
      "gain", name: "Gain", summary: "Level.", category: "level",
      parameters: [.gain("gain", "Level.")]),
  ]

  static let mono = UnitSpec(
    "http://example.org/mono#amp", name: "Amp", summary: "", category: "plugin",
    parameters: [ParameterSpec("drive", "", .none, 0...1, default: 0.5)],
    inputs: [InputBusSpec("in", width: .exactly(1), channelNames: ["in_l"])],
    outputs: [OutputBusSpec("out", width: .exactly(1), channelNames: ["out_l"])],
    readings: [ReadingSpec("peak", "", .none), loudness],
    rendersInPlace: false, readsParametersPerFrame: false)
  private static var loudness: ReadingSpec {
    var reading = ReadingSpec("loudness", "", .decibels)
    reading.range = -60...0
    return reading
  }

  static let stereo = UnitSpec(
    "http://gareus.org/oss/lv2/fil4#stereo", name: "Fil4", summary: "", category: "plugin",
    parameters: [
      ParameterSpec("LSfreq", "", .hertz, 25...400, default: 80),
      ParameterSpec("LSgain", "", .decibels, -18...18, default: 0),
      ParameterSpec("coef", "", .ratio, 0...2, default: 1),
    ],
    inputs: [InputBusSpec("in", width: .exactly(2), channelNames: ["inL", "inR"])],
    outputs: [OutputBusSpec("out", width: .exactly(2), channelNames: ["outL", "outR"])],
    rendersInPlace: false, readsParametersPerFrame: false)

  /// An instrument with a control voltage in and one out.
  static var synth: UnitSpec {
    var spec = UnitSpec(
      "http://example.org/synth", name: "Synth", summary: "", category: "instrument",
      parameters: [ParameterSpec("mod", "", .none, 0...1, default: 0.5)],
      inputs: [InputBusSpec("mod", width: .exactly(1), isOptional: true, isControl: true)],
      outputs: [
        OutputBusSpec("out", width: .exactly(2)),
        OutputBusSpec.control("envelope", 0...1),
      ],
      rendersInPlace: false, readsParametersPerFrame: false)
    spec.takesMIDI = true
    return spec
  }

  static var piano: UnitSpec {
    var spec = synth
    spec.id = "http://drobilla.net/plugins/mda/Piano"
    return spec
  }

  private static var electricPiano: UnitSpec {
    var spec = synth
    spec.id = "http://drobilla.net/plugins/mda/EPiano"
    spec.eventInputs = [EventPortSpec("event_in")]
    return spec
  }

  /// A filter of MIDI.
  private static func midiFilter(_ name: String) -> UnitSpec {
    var spec = UnitSpec(
      "http://gareus.org/oss/lv2/midifilter#\(name)", name: name, summary: "", category: "midi",
      inputs: [], outputs: [])
    spec.takesMIDI = true
    spec.eventInputs = [EventPortSpec("midiin")]
    spec.eventOutputs = [EventPortSpec("midiout")]
    return spec
  }

  /// Receives audio and sends its results to its window.
  private static var scope: UnitSpec {
    var spec = UnitSpec(
      "http://example.org/scope", name: "Scope", summary: "", category: "plugin", outputs: [])
    spec.eventOutputs = [EventPortSpec("notify")]
    return spec
  }

  /// A mono filter with a control voltage.
  static let filter = UnitSpec(
    "http://example.org/filter", name: "Filter", summary: "", category: "filter",
    inputs: [
      InputBusSpec("in", width: .exactly(1)),
      InputBusSpec("fm", width: .exactly(1), isOptional: true, isControl: true),
    ],
    outputs: [OutputBusSpec("out", width: .exactly(1))], rendersInPlace: false)

  private static func type(_ spec: UnitSpec) -> UnitType {
    UnitType(spec: spec) { _ throws(Failure) in
      throw Failure(.unusablePlugin, "it is a fake")
    }
  }

  func unit(named name: String) -> UnitType? {
    Self.specs.first { $0.id == name }.map { Self.type($0) }
  }

  var unitNames: [String] { Self.specs.map(\.id) }

  func plugin(uri: String) throws(Failure) -> UnitType? {
    if uri == "http://example.org/picky" {
      throw Failure(.unusablePlugin, "it requires the feature http://example.org/ext#magic")
    }
    let known = [
      Self.mono, Self.stereo, Self.synth, Self.piano, Self.filter, Self.electricPiano, Self.scope,
      Self.midiFilter("midichord"), Self.midiFilter("midistrum"),
    ]
    return known.first { $0.id == uri }.map { Self.type($0) }
  }

  func nearestPlugins(to uri: String) -> [String] {
    uri.contains("fil4") ? ["http://gareus.org/oss/lv2/fil4#stereo"] : []
  }

  var pluginSearch: (folders: [String], pluginCount: Int) { (["~/.lv2", "/usr/lib/lv2"], 684) }

  func presets(ofPlugin uri: String) -> [PluginPreset] {
    guard uri == Self.stereo.id else { return [] }
    return [
      PluginPreset(uri: "urn:p:hall", label: "Bright Hall"),
      PluginPreset(uri: "urn:p:small", label: "small"),
      PluginPreset(uri: "urn:p:Small", label: "Small"),
      PluginPreset(uri: "urn:p:twin1", label: "Twin", bank: "A"),
      PluginPreset(uri: "urn:p:twin2", label: "Twin", bank: "B"),
      PluginPreset(uri: "urn:p:broken", label: "Broken"),
    ]
  }

  func state(_ state: PluginSetup.State, ofPlugin uri: String) throws(Failure) -> PluginState {
    var found = PluginState(plugin: uri, label: nil, ports: [], propertyCount: 0)
    switch state {
    case .preset("urn:p:hall"):
      found.parameters = ["LSfreq": 200, "LSgain": -40, "wobble": 1]
      found.notes = ["it sets 'wobble', which the plugin does not have"]
    case .preset("urn:p:broken"):
      throw Failure(.unreadable, "it cannot be read")
    case .folder(let path) where path.hasSuffix("/there"):
      found.parameters = ["coef": 0.25]
    case .folder(let path): throw Failure(.unreadable, "'\(path)' is not there")
    default: break
    }
    return found
  }

  func properties(ofPlugin uri: String) -> [PluginProperty] {
    guard uri == Self.stereo.id else { return [] }
    let gain = ParameterSpec("gain", "Gain", .decibels, -20...20, default: 0)
    return [
      PluginProperty(uri: "urn:q#impulse", name: "impulse", label: "Response", kind: .file),
      PluginProperty(uri: "urn:q#gain", name: "gain", label: "Gain", kind: .number(gain)),
      PluginProperty(uri: "urn:q#on", name: "on", label: "On", kind: .flag),
      PluginProperty(uri: "urn:q#title", name: "title", label: "Title", kind: .text),
      PluginProperty(uri: "urn:q#curve", name: "curve", label: "Curve", kind: .unsupported("Vec")),
      PluginProperty(uri: "urn:q#topic", name: "topic", label: "Topic", kind: .uri),
    ]
  }
}

/// Reads and builds a text under the name `chain.json`.
func build(
  _ text: String, _ environment: ChainEnvironment = ChainEnvironment(), path: String = "chain.json",
  defines: [String: String] = [:], files: [String: String] = [:]
) -> (chain: BuiltChain?, diagnostics: Diagnostics) {
  var environment = environment
  environment.endpoints = .all
  environment.read = { path throws(Failure) in
    guard let text = files[path] else { throw Failure(.notFound, "there is no such file") }
    return Array(text.utf8)
  }
  return ChainBuilder.build(
    bytes: Array(text.utf8), path: path, defines: defines, catalog: FakeCatalog(),
    environment: environment)
}

/// A list chain of these nodes.
func list(_ nodes: String, _ more: String = "") -> String {
  "{ \"version\": 1\(more.isEmpty ? "" : ", " + more), \"chain\": [ \(nodes) ] }"
}

/// The modulation of one parameter, beside a list's nodes.
func modulation(_ from: String, _ to: String, _ more: String = "") -> String {
  "\"modulation\": [{ \"from\": \"\(from)\", \"to\": \"\(to)\""
    + (more.isEmpty ? "" : ", ") + "\(more) }]"
}

/// A graph of these nodes and connections, with an input `in` and an output `out`.
func graph(_ nodes: String, _ connections: String, _ more: String = "") -> String {
  """
  { "version": 1\(more.isEmpty ? "" : ", " + more),
    "nodes": { "in": { "source": "main" }, "out": { "sink": "main" }\(nodes.isEmpty ? "" : ", ")\(nodes) },
    "connections": [ \(connections) ] }
  """
}

extension BuiltChain {
  func unit(_ id: String) -> UnitConfiguration? {
    guard let node = node(id: id), case .unit(let unit) = graph.nodes[node].content else {
      return nil
    }
    return unit
  }

  func value(_ reference: String) -> Double? {
    guard let parameter = try? parameter(reference),
      case .unit(let unit) = graph.nodes[parameter.node].content
    else { return nil }
    return unit.values[parameter.slot]
  }

  /// Connections as `a -> b:1`, buses other than the first by number.
  var arrows: [String] {
    graph.connections.map {
      "\(graph.nodes[$0.from.node].id) -> \(graph.nodes[$0.to.node].id)"
        + ($0.to.bus == 0 ? "" : ":\($0.to.bus)")
    }
  }
}
