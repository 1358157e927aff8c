/// The declaration of a type of unit: its ports, parameters, build options and readings.
public struct UnitSpec: Sendable, Hashable {
  /// The role of a unit in a chain.
  public enum Role: Sendable, Hashable {
    /// It processes the signal, and its output is used.
    case effect
    /// It measures the signal and passes it on; its output may be unconnected.
    case observer
    /// It plays MIDI; it may have audio inputs too.
    case instrument
  }

  /// The name in a chain file (`highPass`), or a plugin's URI.
  public var id: String
  public var name: String
  /// One sentence for lists and the reference page.
  public var summary: String
  /// The heading under which it is listed.
  public var category: String
  public var role: Role
  /// The quantity that a pass before the render measures over the whole sound at its first input:
  /// `peak`. nil for a unit that needs no such pass.
  public var measures: String?
  /// It can also render without a measurement, in a different way; otherwise it cannot be played
  /// live.
  public var rendersUnmeasured: Bool
  /// It needs the live round-trip latency.
  package var usesRoundTrip: Bool
  /// The version of the unit's sound. A change of the sound gets the next number; the earlier
  /// kernel stays in `BuiltInUnits.earlier`.
  public var revision: Int
  public var parameters: [ParameterSpec]
  public var options: [OptionSpec]
  /// A list of elements with their own parameters: bands, strips.
  public var list: ListSpec?
  public var inputs: [InputBusSpec]
  public var outputs: [OutputBusSpec]
  public var readings: [ReadingSpec]
  public var eventInputs: [EventPortSpec]
  public var eventOutputs: [EventPortSpec] = []
  /// All ports of a plugin by their symbols, for messages; empty for a built-in unit.
  package var ports: [NamedPort] = []
  public var presets: [UnitPreset]
  /// Dry/wet where the chain does not set it.
  public var wet: Double
  /// False when an output must not share memory with an input (every LV2 plugin).
  public var rendersInPlace: Bool
  /// False when parameters are read only once per block (LV2 control ports).
  package var readsParametersPerFrame: Bool
  /// With parameters that are read once per block: this many at the end are read per frame
  /// nevertheless (LV2 CV ports).
  package var perFrameParameterCount = 0
  /// It plays MIDI: its kernel has a `MIDIInput`. It is never taken to be at rest.
  public var takesMIDI: Bool
  /// It declares that it never blocks or allocates while it renders.
  package var isRealtimeCapable = true

  public init(
    _ id: String, name: String? = nil, summary: String, category: String = "own",
    role: Role = .effect,
    revision: Int = 1, measures: String? = nil, rendersUnmeasured: Bool = false,
    usesRoundTrip: Bool = false,
    parameters: [ParameterSpec] = [], options: [OptionSpec] = [], list: ListSpec? = nil,
    inputs: [InputBusSpec] = [.main], outputs: [OutputBusSpec] = [.main],
    readings: [ReadingSpec] = [], presets: [UnitPreset] = [], wet: Double = 1,
    takesMIDI: Bool = false, rendersInPlace: Bool = true,
    readsParametersPerFrame: Bool = true
  ) {
    self.id = id
    self.name = name ?? id
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
    self.takesMIDI = takesMIDI
    eventInputs = takesMIDI ? [EventPortSpec("midi")] : []
    self.rendersInPlace = rendersInPlace
    self.readsParametersPerFrame = readsParametersPerFrame
  }
}

/// An input of a unit: one or more channels that belong together.
public struct InputBusSpec: Sendable, Hashable {
  public enum Width: Sendable, Hashable {
    /// As many channels as its source.
    case any
    /// Exactly this many channels; mono is copied to all of them.
    case exactly(Int)
    /// Up to as many channels as the first output.
    case upToOutput
  }

  public var name: String
  public var width: Width
  /// The unit renders without it; unconnected, it has no channels.
  public var isOptional: Bool
  /// Names of ports with one channel each (LV2 symbols), in channel order.
  package var channelNames: [String]
  /// The layout of its channels; nil for the layout of its source.
  public var layout: ChannelLayout?
  /// A control voltage rather than sound: it replaces a parameter, and does not count for the
  /// unit's channels.
  public var isControl: Bool

  public init(
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

  public static let main = InputBusSpec("in")
  /// A key input of any width; where it is unconnected, the unit uses its own input.
  public static let sidechain = InputBusSpec("sidechain", isOptional: true)
}

/// An output of a unit.
public struct OutputBusSpec: Sendable, Hashable {
  public enum Width: Sendable, Hashable {
    case sameAsInput
    case exactly(Int)
    /// Set by the build option of this name: a number, or the name of a layout.
    case option(String)
  }

  /// The layout of the output's channels.
  public enum Layout: Sendable, Hashable {
    /// The layout of the first input with the same number of channels.
    case kept
    /// The usual layout for this number of channels.
    case usual
    case exactly(ChannelLayout)
    /// The layout that the build option of this name sets.
    case option(String)
  }

  public var name: String
  public var width: Width
  public var layout: Layout
  package var channelNames: [String]
  /// The range of a control signal; nil for sound.
  public var controlRange: ClosedRange<Double>?
  /// The build options that set the ends of the control range, where there are any.
  package private(set) var rangeOptions: [String] = []

  public init(
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
  public var isControl: Bool { controlRange != nil }

  public static let main = OutputBusSpec("out")

  /// One control signal of a modulator, from 0 to 1 or from -1 to 1.
  public static func control(_ name: String, _ range: ClosedRange<Double>) -> OutputBusSpec {
    OutputBusSpec(name, width: .exactly(1), controlRange: range)
  }

  /// The same control signal, with its range set by two build options.
  public func ranging(_ low: String, _ high: String) -> OutputBusSpec {
    var output = self
    output.rangeOptions = [low, high]
    return output
  }
}

/// A build option of a unit. Unlike a parameter, it cannot change while the unit runs.
public struct OptionSpec: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case choice([String])
    case number(Measure, ClosedRange<Double>)
    case integer(ClosedRange<Int>)
    /// A list of whole numbers; the unit receives a text such as `1 2`.
    case numbers(ClosedRange<Int>)
    case flag
    case text
    /// A sound file, relative to the chain's folder; the unit receives the decoded sound.
    case sound(SoundWidth)
    /// A formula with these variables.
    case formula([String])
    /// A text file of bands from another program, relative to the chain's folder.
    case equalizerFile
    /// A `.nam` file, relative to the chain's folder; the unit receives the model.
    case neuralModel
    /// An object whose values are texts.
    case texts
    /// One of these words, or a `ChannelSelection`.
    case channels([String])
  }

  public var key: String
  public var summary: String
  public var kind: Kind
  /// nil when the option is required.
  public var defaultValue: OptionValue?

  public init(_ key: String, _ summary: String, _ kind: Kind, default defaultValue: OptionValue?) {
    self.key = key
    self.summary = summary
    self.kind = kind
    self.defaultValue = defaultValue
  }
}

/// The value of a build option.
public enum OptionValue: Sendable, Hashable {
  case text(String)
  case number(Double)
  case flag(Bool)
  /// The path of a sound file, relative to the current folder.
  case sound(String)
  /// The path of a model, relative to the current folder.
  case model(String)
  case texts([String: String])
}

/// A list of equal elements within a unit: an equalizer's bands, a mixer's strips.
public struct ListSpec: Sendable, Hashable {
  public enum Form: Sendable, Hashable {
    /// A JSON array; an element has an `id`, or is numbered from 1.
    case ordered
    /// A JSON object by name; each element is also an input bus of the unit, fed by a connection
    /// from the node of that name. An element that is only connected need not be listed.
    case namedInputs
  }

  public var key: String
  public var element: String
  public var form: Form
  /// The most elements; nil where only memory is the limit.
  public var maximumCount: Int?
  public var parameters: [ParameterSpec]
  public var options: [OptionSpec]
  /// Each element is also an output bus of the unit, named by its id or its number: `band2`.
  public var givesOutputs: Bool

  public init(
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

/// One element of a unit's list in a chain.
public struct ListItem: Sendable, Hashable {
  public var id: String?
  public var options: [String: OptionValue]

  public init(id: String? = nil, options: [String: OptionValue] = [:]) {
    self.id = id
    self.options = options
  }
}

/// A value that a unit publishes while it runs: a peak, a gain reduction.
public struct ReadingSpec: Sendable, Hashable {
  public var id: String
  public var summary: String
  public var measure: Measure
  /// One cell per channel of the first output, or one for the unit.
  public var isPerChannel: Bool
  /// The range of its values, where the unit declares it.
  public var range: ClosedRange<Double>?

  public init(_ id: String, _ summary: String, _ measure: Measure, isPerChannel: Bool = false) {
    self.id = id
    self.summary = summary
    self.measure = measure
    self.isPerChannel = isPerChannel
  }
}

/// A parameter of one node; the parameters of list items have slots too.
package struct ParameterSlot: Sendable, Hashable {
  /// The path in a chain, after the node's name: `threshold`, `bands.presence.gain`,
  /// `strips.voice.mute`.
  package let path: String
  /// The path by number, where the element has an id: `bands.2.gain`.
  package let ordinalPath: String?
  package let spec: ParameterSpec
  /// The index of its list item; nil for a parameter of the unit itself.
  package let item: Int?

  package init(path: String, ordinalPath: String? = nil, spec: ParameterSpec, item: Int? = nil) {
    self.path = path
    self.ordinalPath = ordinalPath
    self.spec = spec
    self.item = item
  }

  /// The parameter's requirement, if the options do not meet it; nil where it has an effect.
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
  /// It outputs control signals and no sound.
  package var isModulator: Bool {
    eventOutputs.isEmpty && !outputs.isEmpty && outputs.allSatisfy(\.isControl)
  }

  /// The name of exactly this revision: `reverb@1`.
  package var revisionName: String { "\(id)@\(revision)" }

  /// The output buses of a node of this type with these list items.
  package func outputs(items: [ListItem]) -> [OutputBusSpec] {
    guard let list, list.givesOutputs else { return outputs }
    return items.enumerated().map { OutputBusSpec($1.id ?? "\(list.element)\($0 + 1)") }
  }

  /// All parameters of a node of this type with these list items, in the order in which the unit
  /// receives them: its own first, then item by item.
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

/// The most channels of one bus.
package let maximumBusWidth = 256
