package import FxAudio

/// A chain as nodes and connections, checked and named, with every width still as declared.
///
/// A plain value: built by the chain reader, printed by tests, compiled to a `RenderPlan`.
package struct Graph: Sendable, Equatable {
  package var nodes: [Node]
  /// In the file's order, which is the order in which signals into one input are summed.
  package var connections: [Connection]

  package init(nodes: [Node] = [], connections: [Connection] = []) {
    self.nodes = nodes
    self.connections = connections
  }
}

/// One node of a graph.
package struct Node: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    /// Where audio comes in.
    case source(SourceEndpoint)
    /// Where audio goes out. An unaligned sink is not delayed to meet the latest one.
    case sink(SinkEndpoint, isAligned: Bool)
    case unit(UnitConfiguration)
  }

  /// As the chain names it; inside an included chain `inner/comp`.
  package var id: String
  package var content: Content
  package var inputs: [InputBusSpec]
  package var outputs: [OutputBusSpec]
  package var eventInputs: [EventPortSpec]
  package var eventOutputs: [EventPortSpec]
  /// One mono input and one mono output: on a wide path there is one instance a channel.
  package var isReplicable: Bool
  /// False when an output must not share memory with an input.
  package var rendersInPlace: Bool
  /// Keeps the dry signal beside the node, so that `wet` and `bypass` have something to mix with.
  package var keepsDry: Bool
  /// Keeps it as well where the node passes on as many channels as it takes: for a change of `wet`
  /// or `bypass` that may come while it runs.
  package var offersDry: Bool
  /// Frames by which its sound is behind that of files which play beside it, because it is recorded.
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

/// A signal path from an output bus to an input bus.
package struct Connection: Sendable, Equatable {
  package struct Endpoint: Sendable, Equatable, Hashable {
    package var node: Int
    package var bus: Int
    /// One channel of the bus rather than all of it.
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
  /// Source channels (from 0) in the order in which they become the destination's.
  package var channels: [Int]?
  /// It carries events, and the buses of its ends are event ports.
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

/// What a processing node is made of.
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
  /// In the chain's units of measure, one a slot.
  package var values: [Double]
  package var automation: [Automation]
  /// What control signals move, in the order of the chain. Each arrives at an input bus of its own,
  /// behind those of the unit.
  package var modulations: [Modulation]
  /// Control outputs of a plugin that have an output bus, behind those of its spec: their places among
  /// its readings.
  package var controlReadings: [Int]
  /// Frames, in place of the latency that a plugin reports.
  package var latencyOverride: Int?
  /// What the chain says of a plugin beside its parameters.
  package var setup: PluginSetup
  /// MIDI for an LV2 plugin, in the order of its times.
  package var events: [TimedMIDI]
  /// Where it hears MIDI that is played live; nil where it does not.
  package var midiPort: MIDIPort?
  /// By slot: the values that the chain gives in beats, whose time follows a tempo that is changed
  /// while the chain is played.
  package var beats: [Int: Double]
  /// `wet` mixes with equal power rather than in linear proportion.
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
  /// The files of the sounds that its options and those of its items name, each once.
  package var soundPaths: [String] {
    let values = Array(options.values) + items.flatMap { $0.options.values }
    return Set(values.compactMap(\.soundPath)).sorted()
  }
}

/// How one parameter moves over time.
package struct Automation: Sendable, Equatable {
  package enum Curve: String, Sendable, Hashable, CaseIterable {
    /// To the value at the point's time, as fast as the parameter's smoothing lets it.
    case step
    /// On a line from the point before that ends here (in decibels where the parameter is a level).
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

/// The parameters that every processing node has beside its unit's.
package enum NodeParameters {
  /// 0 is the dry signal alone, 1 the unit's alone; between them both in linear proportion, which
  /// keeps the level of what is common to both.
  package static func wet(default value: Double) -> ParameterSpec {
    ParameterSpec("wet", "Share of the processed signal.", .ratio, 0...1, default: value)
  }

  package static let bypass = ParameterSpec.toggle(
    "bypass", "Passes the input on, with the latency of the unit.")

  /// A node's slots: its unit's, then these two.
  ///
  /// Many plugins have a `bypass` or a `wet` of their own; theirs are `node.parameters.bypass`.
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
