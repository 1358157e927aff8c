package import FxAudio
import FxEngine

/// The objects of the chain format and their keys.
package enum ChainFormat {
  /// The newest version of the format. Version 1 is read too.
  package static let version = 2
  /// The first version in which a time such as `1/8` is a note; before it was a fraction of a beat.
  static let noteVersion = 2
  package static let sampleRates = 1000.0...768_000
  package static let tempos = 1.0...1000
  package static let channelCounts = EndpointSpec.channelCounts
  package static let blockSizes = 1...8192

  static let comment = KeySpec("comment", .string, "For people; fxrun ignores it.")
  private static let levels: ValueShape = .quantity(.decibels, -(.infinity)...120)
  private static let times: ValueShape = .quantity(.seconds, 0...86400)
  /// A loop keeps its whole delay in memory, so the delay is limited.
  static let loopTimes: ValueShape = .quantity(.seconds, 0...120)

  package static let chain = ObjectSpec(
    "chain", "a chain",
    "The whole file. Exactly one of `chain` (a list) and `nodes` (a graph) says what is in it.",
    keys: [
      KeySpec("$schema", .string, "Where an editor finds the JSON Schema; fxrun ignores it."),
      KeySpec(
        "version", .integer(1...1_000_000),
        "The format: 2. Version 1 is still read; in it a time such as `\"1/8\"` is a fraction of a beat.",
        isRequired: true),
      KeySpec("name", .string, "What the chain is called."),
      comment,
      KeySpec(
        "sampleRate", .quantity(.hertz, sampleRates),
        "Frames a second; default: the main input's, without one the highest of the files', live the device's."
      ),
      KeySpec(
        "resampling", .word(RateConversion.Quality.allCases.map(\.rawValue)),
        "How sounds of another rate are converted; default `\"veryHigh\"`."),
      KeySpec(
        "channels", .integer(channelCounts),
        "The number of channels of every named output, and of an input whose number is not known."),
      KeySpec(
        "blockSize", .integer(blockSizes),
        "Frames a block as plugins see it; default 256, live the device's period."),
      KeySpec(
        "tail", .either([.word(["auto", "none"]), .quantity(.seconds, 0...3600)]),
        "The tail that is rendered after the input has ended: `\"none\"`, a time, or `\"auto\"` (default)."
      ),
      KeySpec(
        "tempo", .either([.quantity(.bpm, tempos), .list(.object(tempoPoint))]),
        "Beats a minute, for values in beats and for plugins; or a list of points where it changes."
      ),
      KeySpec(
        "metre", .string,
        "Beats of a bar and the note that is a beat: `\"4/4\"` (default), `\"6/8\"`; with `tempo`."),
      KeySpec(
        "seed", .integer(0...9_007_199_254_740_991),
        "For units with noise in them; the same seed gives the same bits. Default 0."),
      KeySpec(
        "variables", .map(.either([.value, .object(variable)])),
        "Variables, written as `${name}` in strings, with their defaults. One without a default is "
          + "`{ \"required\": true }`."),
      KeySpec(
        "chain", .list(.object(node)),
        "Nodes in the order of the signal, with the input before and the output after them."),
      KeySpec("nodes", .map(.object(node)), "Nodes by id."),
      KeySpec(
        "connections", .list(.either([.string, .object(connection)])),
        "The connections; signals into one input sum in this order."),
      KeySpec(
        "expose", .map(.either([.string, .object(exposure)])),
        "Own names for parameters inside, for `--set` and for chains that use this one."),
      KeySpec("automation", .list(.object(automation)), "Parameters that move over time."),
      KeySpec(
        "modulation", .list(.object(modulation)), "Parameters that control signals move."),
      KeySpec(
        "midi", .either([.list(.object(control)), .object(controlInput)]),
        "What MIDI moves while the chain is played: a list of mappings, or an object."),
      KeySpec("scenes", .map(.object(scene)), "Values that are set together, by name."),
      KeySpec("scene", .string, "The scene that the chain begins with."),
    ])

  static let tempoPoint = ObjectSpec(
    "tempoPoint", "a tempo point", "Where a tempo or a metre begins.",
    keys: [
      KeySpec("bar", .integer(1...1_000_000), "The bar that it begins with; or:"),
      KeySpec("time", .quantity(.seconds, 0...(1e7)), "Where it begins in the chain's input."),
      KeySpec("tempo", .quantity(.bpm, tempos), "Beats a minute."),
      KeySpec("metre", .string, "`\"3/4\"`; a new metre begins a new bar."),
      KeySpec(
        "curve", .word(["step", "linear"]),
        "How the tempo comes here: at once (default), or evenly from the point before."),
      comment,
    ])

  package static let variable = ObjectSpec(
    "variable", "a variable", "A variable that has no default.",
    keys: [
      KeySpec("required", .on, "It must be given.", isRequired: true),
      comment,
    ])

  /// The keys that select the kind of a node.
  package static let kinds = ["unit", "lv2", "use", "source", "sink"]

  private static let id = KeySpec(
    "id", .string, "The node's name in a list; default: the unit's. In `nodes` the key is the id.")
  private static let processing: [KeySpec] = [
    KeySpec("parameters", .map(.value), "The unit's parameters by id."),
    KeySpec("bypass", .boolean, "Passes the input on, with the latency of the node."),
    KeySpec(
      "wet", .quantity(.ratio, 0...1),
      "Share of the processed signal; the rest is the input, with the same latency. Default: the unit's."
    ),
    KeySpec(
      "wetLaw", .word(["linear", "power"]),
      "How `wet` mixes: in linear proportion, or with equal power, so that sounds that differ keep their "
        + "loudness in the middle; default: linear."),
    KeySpec(
      "latency", .quantity(.frames, 0...10_000_000),
      "In place of the latency that a plugin reports: frames or a time."),
    KeySpec(
      "isolated", .boolean,
      "Runs an LV2 plugin in a process of its own, one block later; live, a crash there does not "
        + "end the chain. Built-in units cannot be isolated."),
    tapKey,
    comment,
  ]

  private static let midiKey = KeySpec(
    "midi", .either([.string, .object(midi)]),
    "What an instrument or a unit with a MIDI input plays: a standard MIDI file, relative to the chain's "
      + "folder, or an object. No built-in unit has one.")

  /// Any node; its keys apart from `id` depend on its kind.
  package static let node = ObjectSpec(
    "node", "a node", "One of the five kinds below.", isOpen: true, keys: [])

  static let unitNode = ObjectSpec(
    "unitNode", "a unit", "A built-in unit. Its options and its list stand beside `parameters`.",
    isOpen: true,
    keys: [
      KeySpec(
        "unit", .string, "The unit's name, with `@1` for a revision of it.", isRequired: true),
      id,
    ] + processing + [
      midiKey,
      KeySpec(
        "preset", .string,
        "One of the unit's presets, by name; options and `parameters` override it."),
    ])

  static let lv2Node = ObjectSpec(
    "lv2Node", "an LV2 plugin", "An installed LV2 plugin. Parameters are its control ports.",
    isOpen: true,
    keys: [
      KeySpec("lv2", .string, "The plugin's URI.", isRequired: true),
      id,
    ] + processing + [
      midiKey,
      KeySpec(
        "preset", .string,
        "One of the plugin's presets, by label or URI; `parameters` override it."),
      KeySpec(
        "state", .string,
        "The folder of a saved state, relative to the chain's; in place of `preset`."),
      KeySpec(
        "properties", .map(.value),
        "The plugin's properties (`patch:writable`): files, relative to the chain's "
          + "folder, numbers, words."),
    ])

  static let useNode = ObjectSpec(
    "useNode", "an included chain",
    "Another chain file in this one's place: its nodes are `id/inner`, its named inputs and outputs "
      + "the node's ports.",
    keys: [
      KeySpec("use", .string, "The file, relative to this one.", isRequired: true),
      id,
      KeySpec(
        "parameters", .map(.value), "Names that the chain exposes, or `inner.parameter`."),
      KeySpec("variables", .map(.value), "Values for the chain's variables."),
      KeySpec("scene", .string, "The scene of the included chain that it begins with."),
      tapKey,
      KeySpec("bypass", .boolean, "The whole chain's.", isSupported: false),
      KeySpec("wet", .quantity(.ratio, 0...1), "The whole chain's.", isSupported: false),
      KeySpec(
        "latency", .quantity(.frames, 0...10_000_000), "The whole chain's.", isSupported: false),
      KeySpec("isolated", .boolean, "In a process of its own.", isSupported: false),
      comment,
    ])

  static let sourceNode = ObjectSpec(
    "sourceNode", "a source", "Where audio comes in.",
    keys: [
      KeySpec(
        "source", .either([.string, .object(source(EndpointCatalog()))]),
        "What it is. As a string: a word such as `stdin`, a file (has a `.` or `/`), or an input's "
          + "name.",
        isRequired: true),
      id, tapKey, comment,
    ])

  static let sinkNode = ObjectSpec(
    "sinkNode", "a sink", "Where audio goes out.",
    keys: [
      KeySpec(
        "sink", .either([.string, .object(sink(EndpointCatalog()))]),
        "What it is. As a string: a word such as `stdout`, a file (has a `.` or `/`), or an output's "
          + "name.",
        isRequired: true),
      id, comment,
    ])

  /// The object of a source, of any kind.
  package static func source(_ endpoints: EndpointCatalog) -> ObjectSpec {
    ObjectSpec(
      "source", "a source", "Exactly one of the kinds.",
      keys: keys(of: endpoints.sources.map(\.spec)) + [comment])
  }

  /// The object of a sink, of any kind.
  package static func sink(_ endpoints: EndpointCatalog) -> ObjectSpec {
    ObjectSpec(
      "sink", "a sink", "Exactly one of the kinds.",
      keys: keys(of: endpoints.sinks.map(\.spec)) + [
        KeySpec(
          "align", .boolean,
          "Live: false leaves the alignment out: a device plays as early as it can, and a file keeps the round trip. Default true."
        ),
        KeySpec("channels", .integer(channelCounts), "Channels; default: as many as arrive."),
        comment,
      ])
  }

  /// The kinds' own keys, followed by their options.
  private static func keys(of kinds: [EndpointSpec]) -> [KeySpec] {
    kinds.map { KeySpec($0.key, $0.target.shape, $0.summary) }
      + kinds.allKeys.compactMap { key in
        // Kinds with the same description of a key share a sentence.
        var sentences: [(owners: [String], summary: String)] = []
        var shape: ValueShape?
        for kind in kinds {
          let own = kind.options.first { $0.key == key }.map { ($0.shape, $0.summary) }
          let piece = kind.isRegion ? pieceKeys.first { $0.key == key } : nil
          guard let (ownShape, summary) = own ?? piece.map({ ($0.shape, $0.summary) }) else {
            continue
          }
          shape = shape ?? ownShape
          let known = sentences.firstIndex { $0.summary == summary }
          if let known {
            sentences[known].owners.append("`\(kind.key)`")
          } else {
            sentences.append((["`\(kind.key)`"], summary))
          }
        }
        let text = sentences.map { "With \($0.owners.joined(separator: ", ")). \($0.summary)" }
        return shape.map { KeySpec(key, $0, text.joined(separator: " ")) }
      }
  }

  package static let connection = ObjectSpec(
    "connection", "a connection", "A connection that says more than `\"a -> b\"`.",
    keys: [
      KeySpec("from", .string, "A node, or `node:port`.", isRequired: true),
      KeySpec(
        "to", .string, "A node, `node:port`, or `node.parameter` for a control signal.",
        isRequired: true),
      KeySpec("gain", levels, "Applied on the way; default 0 dB."),
      KeySpec(
        "id", .string,
        "A name, which makes the gain a parameter: `name.gain`, up to 48 dB. To a "
          + "parameter: the name of the depth, `filter.frequency.id`; default: the source's."),
      KeySpec(
        "channels", .list(.integer(channelCounts)),
        "The source's channels, from 1, in the order in which they arrive: `[2, 1]` swaps."),
      KeySpec("feedback", .boolean, "True on the connection that closes a loop."),
      KeySpec("delay", loopTimes, "The loop's delay; with `feedback`."),
      comment,
    ] + depthKeys.map { $0.beginning("To a parameter. ") })

  static let exposure = ObjectSpec(
    "exposure", "an exposed parameter", "A name of the chain's own for a parameter inside.",
    keys: [
      KeySpec("parameter", .string, "`node.parameter`.", isRequired: true),
      KeySpec(
        "range", .list(.value), "The least and the greatest value under this name."),
      comment,
    ])

  package static let automation = ObjectSpec(
    "automation", "an automation", "How one parameter moves over time, to the frame.",
    keys: [
      KeySpec("parameter", .string, "`node.parameter`.", isRequired: true),
      KeySpec(
        "points", .list(.list(.value)),
        "`[time, value]` or `[time, value, curve]`, in order; the curve leads to the point: `step` "
          + "(default), `linear`, `exponential`.",
        isRequired: true),
      KeySpec(
        "time", .word(AutomationDocument.Origin.allCases.map(\.rawValue)),
        "Where the times count from: `input`, the beginning of the chain's input (default), or "
          + "`start`, where the render begins (`--start`)."),
      comment,
    ])

  /// In the order of the reference page.
  package static func objects(_ endpoints: EndpointCatalog) -> [ObjectSpec] {
    [
      chain, unitNode, lv2Node, midi, midiEvent, useNode, sourceNode, source(endpoints), region,
      fade,
      sinkNode, sink(endpoints), connection, tap, tempoPoint, automation, modulation, scene,
      control,
      controlInput,
      exposure,
      variable,
    ]
  }
}

extension EndpointSpec.Target {
  fileprivate var shape: ValueShape {
    switch self {
    case .name, .path, .address: .string
    case .text: .either([.string, .on])
    case .choice(let labels): .word(labels)
    case .presence: .on
    case .regions: .list(.object(ChainFormat.region))
    }
  }
}

extension OptionSpec {
  fileprivate var shape: ValueShape {
    switch kind {
    case .choice(let labels): .word(labels)
    case .number(let measure, let range): .quantity(measure, range)
    case .integer(let range): .integer(range)
    case .numbers(let range): .list(.integer(range))
    case .flag: .boolean
    case .text, .sound, .formula, .equalizerFile, .neuralModel, .channels: .string
    case .texts: .map(.string)
    }
  }
}
