package import FxAudio
package import FxEngine

/// A chain with all names resolved: the graph, and the settings of the whole chain.
package struct BuiltChain: Sendable {
  package enum Tail: Sendable, Hashable {
    /// The declared tails of units; a plugin or a loop runs until it is silent.
    case auto
    case none
    case seconds(Double)
  }

  /// A parameter of the graph, as seen under the name used for it.
  package struct Parameter: Sendable, Equatable {
    package var node: Int
    /// Index into the node's `UnitConfiguration.parameters`.
    package var slot: Int
    /// The exposed spec: it may have another name and a narrower range.
    package var spec: ParameterSpec
  }

  package let graph: Graph
  /// Of the format, as the file says; values given while the chain runs are read like its own.
  package let version: Int
  package let name: String?
  /// nil if neither the chain, its sources nor the caller give one.
  package var sampleRate: Double?
  /// The chain's own setting.
  package let ownSampleRate: Double?
  /// The quality of sample rate conversion.
  package let resampling: RateConversion.Quality
  package let blockSize: Int?
  package let channels: Int?
  package let tail: Tail
  /// nil if the chain names none.
  package let tempoMap: TempoMap?
  package let seed: UInt64
  package let inputNames: [String]
  package let outputNames: [String]
  /// Parameters that the chain exposes, by name.
  package let exposed: [String: Parameter]
  /// The chain's own scenes, then those of included chains as `inner/name`.
  package let scenes: [Scene]
  /// The scene whose values the graph starts with.
  package let startScene: Int?
  /// The MIDI mappings, in the order of the file.
  package let controls: [MIDIControl]
  /// The sender that `controls` receive from, `client:port`; nil for any sender that connects.
  package let controlSender: String?
  /// True if a MIDI clock sets tempo and position while the chain is played.
  package let followsClock: Bool
  /// The spec of each node's unit; nil for a source or a sink.
  package let specs: [UnitSpec?]
  let nodePlaces: [Place]
  /// By node and sound file: the place where the file is named.
  let soundPlaces: [Int: [String: Place]]
  /// The models that units play, by path.
  package let models: [String: NeuralModel]
  /// By node: the equalizer file of another program that it has read.
  let equalizers: [Int: EqualizerSource]
  let connectionPlaces: [Place]
  let nodeIndex: [String: Int]

  /// A message about a node, given by its index in the graph, at its line of the chain file.
  package func diagnostic(
    forNode node: Int, _ code: DiagnosticCode, _ message: String, hints: [String] = [],
    severity: Diagnostic.Severity? = nil
  ) -> Diagnostic {
    Diagnostic(
      code, message, at: nodePlaces.indices.contains(node) ? nodePlaces[node] : nil, hints: hints,
      severity: severity)
  }

  /// A message about a sound file of a node, at the place where the chain file names it.
  package func diagnostic(
    forSound path: String, ofNode node: Int, _ code: DiagnosticCode, _ message: String,
    hints: [String] = []
  ) -> Diagnostic {
    guard let place = soundPlaces[node]?[path] else {
      return diagnostic(forNode: node, code, message, hints: hints)
    }
    return Diagnostic(code, message, at: place, hints: hints)
  }

  /// A message about a connection, given by its index in the graph, at its line of the chain file.
  package func diagnostic(
    forConnection connection: Int, _ code: DiagnosticCode, _ message: String, hints: [String] = [],
    severity: Diagnostic.Severity? = nil
  ) -> Diagnostic {
    Diagnostic(
      code, message,
      at: connectionPlaces.indices.contains(connection) ? connectionPlaces[connection] : nil,
      hints: hints, severity: severity)
  }

  /// The tempo at the start, in beats per minute.
  package var tempo: Double? { tempoMap?.initialTempo }

  package func node(id: String) -> Int? { nodeIndex[id] }

  /// The parameter with this name (`comp.threshold`, `inner/comp.threshold`, an exposed name).
  package func parameter(_ reference: String) throws(ValueProblem) -> Parameter {
    guard let dot = reference.firstIndex(of: ".") else {
      if let parameter = exposed[reference] { return parameter }
      throw ValueProblem(
        .unknownParameter, "the chain exposes no parameter '\(reference)'",
        hints: Suggestion.hint(for: reference, in: exposed.keys.sorted()))
    }
    let id = String(reference[..<dot])
    let path = String(reference[reference.index(after: dot)...])
    guard let node = nodeIndex[id] else {
      throw ValueProblem(
        .unknownNode, "the chain has no node '\(id)'",
        hints: Suggestion.hint(for: id, in: graph.nodes.map(\.id)))
    }
    guard case .unit(let unit) = graph.nodes[node].content,
      let slot = unit.parameters.firstIndex(where: { $0.path == path || $0.ordinalPath == path })
    else {
      var slots: [ParameterSlot] = []
      if case .unit(let unit) = graph.nodes[node].content { slots = unit.parameters }
      throw ValueProblem(
        .unknownParameter, "'\(id)' has no parameter '\(path)'",
        hints: ParameterHints(slots: slots, spec: specs[node]).hints(for: path))
    }
    return Parameter(node: node, slot: slot, spec: unit.parameters[slot].spec)
  }

  /// The index of the scene with this name.
  package func scene(_ name: String) throws(ValueProblem) -> Int {
    if let index = scenes.firstIndex(where: { $0.name == name }) { return index }
    let names = scenes.map(\.name)
    var hints = Suggestion.hint(for: name, in: names)
    if hints.isEmpty, !names.isEmpty { hints = ["its scenes: \(names.joined(separator: ", "))"] }
    throw ValueProblem(.unknownScene, "the chain has no scene '\(name)'", hints: hints)
  }

  /// A node's bypass parameter, 0 or 1; nil for a source or a sink.
  package func bypass(ofNode node: Int) -> Parameter? {
    guard graph.nodes.indices.contains(node), case .unit(let unit) = graph.nodes[node].content,
      unit.parameters.indices.contains(unit.slots.bypass)
    else { return nil }
    let slot = unit.slots.bypass
    return Parameter(node: node, slot: slot, spec: unit.parameters[slot].spec)
  }

  /// A number given while the chain runs, in the parameter's own unit of measure.
  package func value(_ number: Double, for parameter: Parameter) throws(ValueProblem) -> Double {
    try value(.number(number), parameter)
  }

  /// A value given as text while the chain runs, in the parameter's own unit of measure.
  package func value(_ text: String, for parameter: Parameter) throws(ValueProblem) -> Double {
    try value(RawValue(text, version: version), parameter)
  }

  private func value(
    _ raw: RawValue, _ parameter: Parameter
  ) throws(ValueProblem) -> Double {
    var context = ValueContext(sampleRate: sampleRate, tempo: tempoMap?.initialTempo)
    context.tempoMap = tempoMap
    let value = try parameter.spec.value(raw, context: context)
    if case .unit(let unit) = graph.nodes[parameter.node].content,
      value != unit.parameters[parameter.slot].spec.defaultValue,
      let problem = unit.parameters[parameter.slot].unusedProblem(
        options: unit.options, items: unit.items)
    {
      throw problem
    }
    return value
  }
}
