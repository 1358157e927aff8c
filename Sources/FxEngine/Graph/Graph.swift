package import FxAudio

/// A chain as nodes and connections, checked and named, with bus widths still as declared.
///
/// A plain value: the chain reader builds it, tests print it, `GraphCompiler` compiles it to a
/// `RenderPlan`.
package struct Graph: Sendable, Equatable {
  package var nodes: [Node]
  /// In the file's order, which is the order in which signals into one input are summed.
  package var connections: [Connection]

  package init(nodes: [Node] = [], connections: [Connection] = []) {
    self.nodes = nodes
    self.connections = connections
  }
}

extension Graph {
  /// One node of a graph.
  package struct Node: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
      /// An audio input of the graph.
      case source(SourceEndpoint)
      /// An audio output of the graph. An unaligned sink is not delayed to match the latest one.
      case sink(SinkEndpoint, isAligned: Bool)
      case unit(UnitConfiguration)
    }

    /// The name in the chain; inside an included chain `inner/comp`.
    package var id: String
    package var content: Content
    package var inputs: [InputBusSpec]
    package var outputs: [OutputBusSpec]
    package var eventInputs: [EventPortSpec]
    package var eventOutputs: [EventPortSpec]
    /// One mono input and one mono output: a wide signal has one instance for each channel.
    package var isReplicable: Bool
    /// False when an output must not share memory with an input.
    package var rendersInPlace: Bool
    /// Keeps the dry signal of the node, which `wet` and `bypass` mix with the output.
    package var keepsDry: Bool
    /// Also keeps it if the node has as many output channels as input channels: `wet` or `bypass` may
    /// change while it runs.
    package var offersDry: Bool
    /// Frames by which its recorded sound lags behind files that play at the same time.
    package var lateness = 0

    package init(
      id: String, content: Content, inputs: [InputBusSpec], outputs: [OutputBusSpec],
      eventInputs: [EventPortSpec] = [], eventOutputs: [EventPortSpec] = [],
      isReplicable: Bool = false, rendersInPlace: Bool = true, keepsDry: Bool = false,
      offersDry: Bool = false
    ) {
      self.id = id
      self.content = content
      self.inputs = inputs
      self.outputs = outputs
      self.eventInputs = eventInputs
      self.eventOutputs = eventOutputs
      self.isReplicable = isReplicable
      self.rendersInPlace = rendersInPlace
      self.keepsDry = keepsDry
      self.offersDry = offersDry
    }
  }
}

/// A signal path from an output bus to an input bus.
package struct Connection: Sendable, Equatable {
  package struct Endpoint: Sendable, Equatable, Hashable {
    package var node: Int
    package var bus: Int
    /// A single channel of the bus; nil for all channels.
    package var channel: Int?

    package init(node: Int, bus: Int = 0, channel: Int? = nil) {
      self.node = node
      self.bus = bus
      self.channel = channel
    }
  }

  package var from: Endpoint
  package var to: Endpoint
  /// Linear amplitude, applied as the signal enters the sum.
  package var gain: Float
  /// Source channels (from 0), in the order of the destination's channels.
  package var channels: [Int]?
  /// True for events; the buses at the ends are then event ports.
  package var carriesEvents: Bool
  /// The delay of a connection that closes a loop, in seconds; nil for an ordinary connection.
  package var feedbackDelay: Double?

  package init(
    from: Endpoint, to: Endpoint, gain: Float = 1, channels: [Int]? = nil,
    carriesEvents: Bool = false, feedbackDelay: Double? = nil
  ) {
    self.from = from
    self.to = to
    self.gain = gain
    self.channels = channels
    self.carriesEvents = carriesEvents
    self.feedbackDelay = feedbackDelay
  }
}

/// The unit of a processing node, and its settings.
package struct UnitConfiguration: Sendable, Equatable {
  package enum Kind: Sendable, Hashable {
    case builtIn(name: String, revision: Int)
    case lv2(uri: String)
  }

  package var kind: Kind
  package var options: [String: OptionValue]
  package var items: [ListItem]
  /// The unit's parameters in slot order, the node's own `wet` and `bypass`, then the depths of its
  /// modulations.
  package var parameters: [ParameterSlot]
  /// In the chain's units of measure, one for each slot.
  package var values: [Double]
  package var automation: [Automation]
  /// The modulations by control signals, in the chain's order. Each has its own input bus, after
  /// those of the unit.
  package var modulations: [Modulation]
  /// The control outputs of a plugin that have an output bus, after those of its spec, as indices
  /// into its readings.
  package var controlReadings: [Int]
  /// Replaces the latency that a plugin reports, in frames.
  package var latencyOverride: Int?
  /// The chain's settings for a plugin, apart from its parameters.
  package var setup: PluginSetup
  /// MIDI for an LV2 plugin, sorted by time.
  package var events: [TimedMIDI]
  /// The port for live MIDI; nil if it receives none.
  package var midiPort: MIDIPort?
  /// By slot: values that the chain gives in beats. Their time follows tempo changes while the
  /// chain is played.
  package var beats: [Int: Double]
  /// `wet` mixes with equal power instead of linearly.
  package var mixesByPower = false

  package init(
    kind: Kind, options: [String: OptionValue] = [:], items: [ListItem] = [],
    parameters: [ParameterSlot], values: [Double], automation: [Automation] = [],
    modulations: [Modulation] = [], controlReadings: [Int] = [], latencyOverride: Int? = nil,
    setup: PluginSetup = PluginSetup(), events: [TimedMIDI] = [],
    midiPort: MIDIPort? = nil, beats: [Int: Double] = [:]
  ) {
    self.kind = kind
    self.options = options
    self.items = items
    self.parameters = parameters
    self.values = values
    self.automation = automation
    self.modulations = modulations
    self.controlReadings = controlReadings
    self.latencyOverride = latencyOverride
    self.setup = setup
    self.events = events
    self.midiPort = midiPort
    self.beats = beats
  }
}

extension UnitConfiguration {
  /// The sound files named by its options and by the options of its items, each once.
  package var soundPaths: [String] {
    let values = Array(options.values) + items.flatMap { $0.options.values }
    return Set(values.compactMap(\.soundPath)).sorted()
  }

  /// The files of models that its options name, each once.
  package var modelPaths: [String] {
    Set(options.values.compactMap(\.modelPath)).sorted()
  }
}

/// How one parameter moves over time.
package struct Automation: Sendable, Equatable {
  package enum Curve: String, Sendable, Hashable, CaseIterable {
    /// To the value at the point's time, as fast as the parameter's smoothing allows.
    case step
    /// On a line that ends here, from the point before (in decibels for a level).
    case linear
    /// On a geometric line, for frequencies.
    case exponential
  }

  package struct Point: Sendable, Equatable {
    package var seconds: Double
    package var value: Double
    package var curve: Curve

    package init(seconds: Double, value: Double, curve: Curve = .step) {
      self.seconds = seconds
      self.value = value
      self.curve = curve
    }
  }

  /// Index into `UnitConfiguration.parameters`.
  package var slot: Int
  /// In time order.
  package var points: [Point]

  package init(slot: Int, points: [Point]) {
    self.slot = slot
    self.points = points
  }
}

/// The parameters that every processing node has in addition to its unit's.
package enum NodeParameters {
  /// 0 is only the dry signal, 1 only the unit's output. Values between mix both linearly, which
  /// keeps the level of a signal present in both.
  package static func wet(default value: Double) -> ParameterSpec {
    ParameterSpec("wet", "Share of the processed signal.", .ratio, 0...1, default: value)
  }

  package static let bypass = ParameterSpec.toggle(
    "bypass", "Passes the input on, with the latency of the unit.")

  /// A node's slots: its unit's, then these two.
  ///
  /// Many plugins have their own `bypass` or `wet`; these are `node.parameters.bypass`.
  package static func slots(of spec: UnitSpec, items: [ListItem]) -> [ParameterSlot] {
    let own = [
      ParameterSlot(path: "wet", spec: wet(default: spec.wet)),
      ParameterSlot(path: "bypass", spec: bypass),
    ]
    return spec.parameterSlots(items: items).map { slot in
      guard own.contains(where: { $0.path == slot.path }) else { return slot }
      return ParameterSlot(path: "parameters.\(slot.path)", spec: slot.spec, item: slot.item)
    } + own
  }
}
