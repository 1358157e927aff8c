/// What a kind of unit is: its ports, parameters, build options and readings, declared once.
package struct UnitSpec: Sendable, Hashable {
  /// What a unit is for in a chain.
  package enum Role: Sendable, Hashable {
    /// Its output is what it was put there for.
    case effect
    /// It looks at the signal and passes it on; its output may lead nowhere.
    case observer
    /// It plays what MIDI says; audio may come in as well.
    case instrument
  }

  /// The name in a chain file (`highPass`), or a plugin's URI.
  package var id: String
  package var name: String
  /// One sentence for lists and the reference page.
  package var summary: String
  /// The heading that it is listed under.
  package var category: String
  package var role: Role
  /// What it measures of the whole sound that reaches its first input, in a pass before the render:
  /// `peak`. nil for a unit that renders at once.
  package var measures: String?
  /// It also renders what has not been measured, in another way; otherwise it cannot be played live.
  package var rendersUnmeasured: Bool
  /// It wants to know, live, how long what is played takes to be recorded.
  package var usesRoundTrip: Bool
  /// Counts the sounds that the unit has had. A unit that comes to sound otherwise gets the next
  /// number; the kernel that made the sound before stays, in `BuiltInUnits.earlier`.
  package var revision: Int
  package var parameters: [ParameterSpec]
  package var options: [OptionSpec]
  /// What a unit may have several of, each with parameters of its own: bands, strips.
  package var list: ListSpec?
  package var inputs: [InputBusSpec]
  package var outputs: [OutputBusSpec]
  package var readings: [ReadingSpec]
  package var eventInputs: [EventPortSpec] = []
  package var eventOutputs: [EventPortSpec] = []
  /// All ports of a plugin by their symbols, for messages; empty for a built-in unit.
  package var ports: [NamedPort] = []
  package var presets: [UnitPreset]
  /// Dry/wet where the chain does not say.
  package var wet: Double
  /// False when an output must not share memory with an input (every LV2 plugin).
  package var rendersInPlace: Bool
  /// False when parameters are read once a block only (LV2 control ports).
  package var readsParametersPerFrame: Bool
  /// Where they are read once a block: the last so many are read per frame all the same (LV2 CV
  /// ports).
  package var perFrameParameterCount = 0
  /// It plays MIDI.
  package var takesMIDI = false
  /// It says of itself that it never waits or allocates while it renders.
  package var isRealtimeCapable = true

  package init(
    _ id: String, name: String, summary: String, category: String, role: Role = .effect,
    revision: Int = 1, measures: String? = nil, rendersUnmeasured: Bool = false,
    usesRoundTrip: Bool = false,
    parameters: [ParameterSpec] = [], options: [OptionSpec] = [], list: ListSpec? = nil,
    inputs: [InputBusSpec] = [.main], outputs: [OutputBusSpec] = [.main],
    readings: [ReadingSpec] = [], presets: [UnitPreset] = [], wet: Double = 1,
    rendersInPlace: Bool = true,
    readsParametersPerFrame: Bool = true
  ) {
    self.id = id
    self.name = name
    self.summary = summary
    self.category = category
    self.role = role
    self.measures = measures
    self.rendersUnmeasured = rendersUnmeasured
    self.usesRoundTrip = usesRoundTrip
    self.revision = revision
    self.parameters = parameters
    self.options = options
    self.list = list
    self.inputs = inputs
    self.outputs = outputs
    self.readings = readings
    self.presets = presets
    self.wet = wet
    self.rendersInPlace = rendersInPlace
    self.readsParametersPerFrame = readsParametersPerFrame
  }
}

/// An input of a unit: one or more channels that belong together.
package struct InputBusSpec: Sendable, Hashable {
  package enum Width: Sendable, Hashable {
    /// As wide as what feeds it.
    case any
    /// Exactly so many channels; mono is copied.
    case exactly(Int)
    /// Any width up to the first output's.
    case upToOutput
  }

  package var name: String
  package var width: Width
  /// A unit renders without it; unconnected it has no channels.
  package var isOptional: Bool
  /// Ports of single channels by name (LV2 symbols), in channel order.
  package var channelNames: [String]
  /// What its channels are for; nil for those of what feeds it.
  package var layout: ChannelLayout?
  /// A control voltage rather than sound: it stands in place of a parameter, and a unit is not
  /// counted as wider for it.
  package var isControl: Bool

  package init(
    _ name: String, width: Width = .any, isOptional: Bool = false, channelNames: [String] = [],
    layout: ChannelLayout? = nil, isControl: Bool = false
  ) {
    self.name = name
    self.width = width
    self.isOptional = isOptional
    self.channelNames = channelNames
    self.layout = layout
    self.isControl = isControl
  }

  package static let main = InputBusSpec("in")
  /// A key input of any width that a unit replaces with its own input when nothing feeds it.
  package static let sidechain = InputBusSpec("sidechain", isOptional: true)
}

/// An output of a unit.
package struct OutputBusSpec: Sendable, Hashable {
  package enum Width: Sendable, Hashable {
    case sameAsInput
    case exactly(Int)
    /// Given by the build option of this name: a number, or the name of a layout.
    case option(String)
  }

  /// What its channels are for.
  package enum Layout: Sendable, Hashable {
    /// The same as those of the first input that is as wide.
    case kept
    /// The usual of so many channels.
    case usual
    case exactly(ChannelLayout)
    /// The one that the build option of this name names.
    case option(String)
  }

  package var name: String
  package var width: Width
  package var layout: Layout
  package var channelNames: [String]
  /// The values that a control signal ranges over; nil for sound.
  package var controlRange: ClosedRange<Double>?
  /// The build options that have the ends of the control range, where they decide it.
  package private(set) var rangeOptions: [String] = []

  package init(
    _ name: String, width: Width = .sameAsInput, layout: Layout = .kept,
    channelNames: [String] = [], controlRange: ClosedRange<Double>? = nil
  ) {
    self.name = name
    self.width = width
    self.layout = layout
    self.channelNames = channelNames
    self.controlRange = controlRange
  }

  /// A control signal rather than sound.
  package var isControl: Bool { controlRange != nil }

  package static let main = OutputBusSpec("out")

  /// One control signal of a modulator, from 0 to 1 or from -1 to 1.
  package static func control(_ name: String, _ range: ClosedRange<Double>) -> OutputBusSpec {
    OutputBusSpec(name, width: .exactly(1), controlRange: range)
  }

  /// The same control signal, whose range two build options decide.
  package func ranging(_ low: String, _ high: String) -> OutputBusSpec {
    var output = self
    output.rangeOptions = [low, high]
    return output
  }
}

/// What a unit needs to be built, beside its parameters; it cannot move while running.
package struct OptionSpec: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case choice([String])
    case number(Measure, ClosedRange<Double>)
    case integer(ClosedRange<Int>)
    case flag
    case text
    /// A sound file, relative to the chain's folder; the unit gets the sound.
    case sound(SoundWidth)
    /// Arithmetic of these variables.
    case formula([String])
    /// A text of bands that other programs write, relative to the chain's folder.
    case equalizerFile
    /// An object of texts by their key.
    case texts
  }

  package var key: String
  package var summary: String
  package var kind: Kind
  /// nil when the option must be given.
  package var defaultValue: OptionValue?

  package init(_ key: String, _ summary: String, _ kind: Kind, default defaultValue: OptionValue?) {
    self.key = key
    self.summary = summary
    self.kind = kind
    self.defaultValue = defaultValue
  }
}

/// The value of a build option.
package enum OptionValue: Sendable, Hashable {
  case text(String)
  case number(Double)
  case flag(Bool)
  /// The file of a sound, from the current folder.
  case sound(String)
  case texts([String: String])
}

/// Several of a kind within one unit: an equalizer's bands, a mixer's strips.
package struct ListSpec: Sendable, Hashable {
  package enum Form: Sendable, Hashable {
    /// A JSON array; an element has an `id` or counts from 1.
    case ordered
    /// A JSON object by name; each element is also an input bus of the unit, and a connection from
    /// a node of that name feeds it. Elements that are only connected to need not be written down.
    case namedInputs
  }

  package var key: String
  package var element: String
  package var form: Form
  /// No unit has more of them; nil where only memory is the limit.
  package var maximumCount: Int?
  package var parameters: [ParameterSpec]
  package var options: [OptionSpec]
  /// Each element is an output bus of the unit as well, by its id or its number: `band2`.
  package var givesOutputs: Bool

  package init(
    _ key: String, element: String, form: Form, maximumCount: Int? = nil,
    parameters: [ParameterSpec], options: [OptionSpec] = [], givesOutputs: Bool = false
  ) {
    self.key = key
    self.element = element
    self.form = form
    self.maximumCount = maximumCount
    self.parameters = parameters
    self.options = options
    self.givesOutputs = givesOutputs
  }
}

/// One element of a unit's list as a chain gives it.
package struct ListItem: Sendable, Hashable {
  package var id: String?
  package var options: [String: OptionValue]

  package init(id: String? = nil, options: [String: OptionValue] = [:]) {
    self.id = id
    self.options = options
  }
}

/// A figure that a unit publishes while it runs: a peak, a gain reduction.
package struct ReadingSpec: Sendable, Hashable {
  package var id: String
  package var summary: String
  package var measure: Measure
  /// One cell a channel of the first output, or one for the unit.
  package var isPerChannel: Bool
  /// The values that it may have, where the unit says so.
  package var range: ClosedRange<Double>?

  package init(_ id: String, _ summary: String, _ measure: Measure, isPerChannel: Bool = false) {
    self.id = id
    self.summary = summary
    self.measure = measure
    self.isPerChannel = isPerChannel
  }
}

/// A parameter of one node: where the list's parameters have taken their place.
package struct ParameterSlot: Sendable, Hashable {
  /// As chains spell it after the node: `threshold`, `bands.presence.gain`, `strips.voice.mute`.
  package let path: String
  /// The spelling by number where the element has an id: `bands.2.gain`.
  package let ordinalPath: String?
  package let spec: ParameterSpec
  /// The item of the unit's list that it belongs to; nil for the unit's own.
  package let item: Int?

  package init(path: String, ordinalPath: String? = nil, spec: ParameterSpec, item: Int? = nil) {
    self.path = path
    self.ordinalPath = ordinalPath
    self.spec = spec
    self.item = item
  }

  /// The requirement of the parameter that a unit's options do not meet; nil where it has an effect.
  package func unmetRequirement(
    options: [String: OptionValue], items: [ListItem]
  ) -> ParameterRequirement? {
    guard let requirement = spec.requirement else { return nil }
    var given = options
    if let item { given = items.indices.contains(item) ? items[item].options : [:] }
    return requirement.isMet(by: given) ? nil : requirement
  }
}

extension UnitSpec {
  /// Gives control signals and no sound.
  package var isModulator: Bool {
    eventOutputs.isEmpty && !outputs.isEmpty && outputs.allSatisfy(\.isControl)
  }

  /// The name of this revision alone: `reverb@1`.
  package var revisionName: String { "\(id)@\(revision)" }

  /// The output buses of a node of this kind with these list items.
  package func outputs(items: [ListItem]) -> [OutputBusSpec] {
    guard let list, list.givesOutputs else { return outputs }
    return items.enumerated().map { OutputBusSpec($1.id ?? "\(list.element)\($0 + 1)") }
  }

  /// Every parameter of a node of this kind with these list items, in the order in which the unit
  /// receives them: the unit's own first, then item by item.
  package func parameterSlots(items: [ListItem]) -> [ParameterSlot] {
    var slots = parameters.map { ParameterSlot(path: $0.id, spec: $0) }
    guard let list else { return slots }
    for (index, item) in items.enumerated() {
      let ordinal = "\(list.key).\(index + 1)"
      for parameter in list.parameters {
        slots.append(
          ParameterSlot(
            path: "\(item.id.map { "\(list.key).\($0)" } ?? ordinal).\(parameter.id)",
            ordinalPath: item.id == nil ? nil : "\(ordinal).\(parameter.id)", spec: parameter,
            item: index))
      }
    }
    return slots
  }
}
