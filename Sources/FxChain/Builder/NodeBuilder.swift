import FxAudio
import FxEngine

/// Facts of a unit type that the builder needs often.
final class UnitFacts {
  private(set) var spec: UnitSpec
  let kind: UnitConfiguration.Kind
  let parameterIndex: [String: Int]
  let itemParameterIndex: [String: Int]

  init(spec: UnitSpec, kind: UnitConfiguration.Kind) {
    self.spec = spec
    self.kind = kind
    parameterIndex = Self.index(spec.parameters)
    itemParameterIndex = Self.index(spec.list?.parameters ?? [])
  }

  /// Applies the ranges of a sample rate.
  func adopt(sampleRate: Double) { spec = spec.at(sampleRate: sampleRate) }

  private static func index(_ parameters: [ParameterSpec]) -> [String: Int] {
    Dictionary(
      parameters.enumerated().map { ($0.element.id, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  var isPlugin: Bool { if case .lv2 = kind { true } else { false } }
  var isNamedList: Bool { spec.list?.form == .namedInputs }
  /// True if its list names its outputs.
  var givesListedOutputs: Bool { spec.list?.givesOutputs ?? false }
  /// True if it makes its own signal.
  var isGenerator: Bool {
    spec.role == .instrument || spec.inputs.allSatisfy(\.isControl) && !isNamedList
  }
  /// True if its outputs are only control signals.
  var isModulator: Bool { spec.isModulator }
  /// True if it only analyses the signal, so that its output may be unconnected. A unit with a
  /// sound input and only event outputs (results for its window) also counts.
  var isObserver: Bool {
    if spec.role == .observer { return true }
    let hearsSound = spec.inputs.contains { !$0.isControl }
    return spec.outputs.isEmpty && (spec.eventOutputs.isEmpty || hearsSound)
  }
  var hasDrySignal: Bool {
    spec.inputs.first?.isControl == false && !isNamedList && !givesListedOutputs
      && spec.outputs.first?.isControl == false
  }

  /// True for one input channel and one output channel; a side-chain does not count.
  var isReplicable: Bool {
    let inputs = spec.inputs.filter { !$0.isControl }
    let outputs = spec.outputs.filter { !$0.isControl }
    guard !isNamedList, !givesListedOutputs, let main = inputs.first,
      inputs.dropFirst().allSatisfy(\.isOptional),
      outputs.count == 1
    else { return false }
    return main.width == .exactly(1) && !main.isOptional && outputs[0].width == .exactly(1)
  }

  /// The name in messages: `unit 'highPass'`.
  var name: String { isPlugin ? "plugin '\(spec.id)'" : "unit '\(spec.id)'" }
}

/// A node while the graph is built.
final class NodeBuilder {
  enum Content {
    case unit(UnitFacts)
    case source(SourceEndpoint)
    case sink(SinkEndpoint, isAligned: Bool)
    /// A named input or output of an included chain, until it is inlined.
    case inlet(String)
    case outlet(String)
    /// A node that could not be looked up, which was reported.
    case broken
  }

  let id: String
  var content: Content
  let document: NodeDocument?
  let place: Place
  let scope: Scope
  var inputs: [InputBusSpec]
  var outputs: [OutputBusSpec]
  var options: [String: OptionValue] = [:]
  var items: [ListItem] = []
  var itemIndex: [String: Int] = [:]
  /// The items written in the chain; connections may create others.
  var declaredItems: [ItemDocument] = []
  var slots: [ParameterSlot] = []
  var values: [Double] = []
  /// By slot: the values that the chain gives in beats.
  var beats: [Int: Double] = [:]
  private(set) var automation: [Automation] = []
  private(set) var automatedSlots: Set<Int> = []
  private(set) var modulations: [Modulation] = []
  /// Control outputs of a plugin with an output bus, in the order of these buses, which come last.
  var controlReadings: [Int] = []
  var latencyOverride: Int?
  var setup = PluginSetup()
  var events: [TimedMIDI] = []
  /// The equalizer file of another program that it has read.
  var equalizer: EqualizerSource?
  var midiPort: MIDIPort?
  /// By sound file: the place where the text names it.
  var soundPlaces: [String: Place] = [:]
  /// Slots by every spelling, created on first use.
  private var slotIndex: [String: Int]?

  init(
    id: String, content: Content, document: NodeDocument?, place: Place, scope: Scope,
    inputs: [InputBusSpec], outputs: [OutputBusSpec]
  ) {
    self.id = id
    self.content = content
    self.document = document
    self.place = place
    self.scope = scope
    self.inputs = inputs
    self.outputs = outputs
  }

  var facts: UnitFacts? { if case .unit(let facts) = content { facts } else { nil } }

  var isBroken: Bool { if case .broken = content { true } else { false } }

  var isJunction: Bool {
    switch content {
    case .inlet, .outlet: true
    default: false
    }
  }

  private var nodeSlots: NodeSlots {
    NodeSlots(count: slots.count, depthCount: modulations.count)
  }
  var wetSlot: Int { nodeSlots.wet }
  var bypassSlot: Int { nodeSlots.bypass }
  func mixesDry(_ slot: Int) -> Bool { nodeSlots.mixesDry(slot) }

  /// Records that the chain sets a parameter that would otherwise follow the musical time.
  func noteSet(_ slot: Int) {
    guard slots[slot].spec.followsTime else { return }
    setup.setParameters.insert(slots[slot].path)
  }

  func automate(_ slot: Int, _ points: [Automation.Point]) {
    noteSet(slot)
    automatedSlots.insert(slot)
    automation.append(Automation(slot: slot, points: points))
  }

  func endAutomation(of slot: Int) {
    guard automatedSlots.remove(slot) != nil else { return }
    automation.removeAll { $0.slot == slot }
  }

  /// Adds a modulation, and the parameter for its depth.
  ///
  /// - Returns: The input bus of the signal.
  func modulate(_ modulation: Modulation, depth: ParameterSlot, value: Double) -> Int {
    modulations.append(modulation)
    slots.append(depth)
    values.append(value)
    // Making the whole index again for each modulation would take quadratic time.
    slotIndex?[depth.path] = slots.count - 1
    if let ordinal = depth.ordinalPath { slotIndex?[ordinal] = slots.count - 1 }
    inputs.append(
      InputBusSpec(depth.path, width: .exactly(1), isOptional: true, isControl: true))
    return inputs.count - 1
  }

  func slot(_ path: String) -> Int? {
    if let slotIndex { return slotIndex[path] }
    var index: [String: Int] = [:]
    for (number, slot) in slots.enumerated() {
      index[slot.path] = number
      if let ordinal = slot.ordinalPath { index[ordinal] = number }
    }
    slotIndex = index
    return index[path]
  }
}

/// The names of one chain file: the whole chain's, or those of a `use` node.
final class Scope {
  enum Target {
    case draft(Int)
    case chain(Scope)
  }

  struct Exposure {
    var draft: Int
    var slot: Int
    /// The parameter with the chain's own name and range.
    var spec: ParameterSpec
  }

  let document: ChainDocument
  /// The prefix of ids: empty, or `inner/`.
  let prefix: String
  /// Files from the outermost chain to this one.
  let files: [String]
  /// The `use` node.
  let node: NodeDocument?
  let parent: Scope?
  var names: [String: Target] = [:]
  /// Names shared by several nodes without their own ids.
  var ambiguous: Set<String> = []
  /// Ids in the file's order.
  var order: [String] = []
  /// Named inputs and outputs of an included chain.
  var inlets: [String: Int] = [:]
  var outlets: [String: Int] = [:]
  var exposures: [String: Exposure] = [:]
  var scenes: [SceneDraft] = []
  /// Its index in the list of all scopes.
  var number = 0

  init(
    document: ChainDocument, prefix: String, files: [String], node: NodeDocument?, parent: Scope?
  ) {
    self.document = document
    self.prefix = prefix
    self.files = files
    self.node = node
    self.parent = parent
  }
}

/// A connection while the graph is built.
struct Link {
  var from: Connection.Endpoint
  var to: Connection.Endpoint
  var gain: Double = 1
  var channels: [Int]?
  var carriesEvents = false
  var feedbackDelay: Double?
  var document: ConnectionDocument?
  var place: Place
}
