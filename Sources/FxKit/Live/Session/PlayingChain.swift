import CRealtime
import FxAudio
import FxChain
import FxEngine
import FxPlaying

/// The chain that plays, with the last values of its parameters. Sends values to the render thread.
final class PlayingChain {
  /// The chain as it was read from its file.
  private(set) var chain: Chain
  private(set) var compiled: CompiledChain
  /// The last value set for each parameter, by node and slot, in the chain's units of measure.
  private(set) var values: [[Double]]
  private let driver: LiveDriver

  init(_ chain: Chain, _ compiled: CompiledChain, _ driver: LiveDriver) {
    self.chain = chain
    self.compiled = compiled
    self.driver = driver
    values = PlayingChain.initialValues(compiled)
  }

  /// Called when another chain has taken over.
  func replace(with chain: Chain, _ compiled: CompiledChain) {
    self.chain = chain
    self.compiled = compiled
    values = PlayingChain.initialValues(compiled)
  }

  private static func initialValues(_ compiled: CompiledChain) -> [[Double]] {
    compiled.resolved.graph.nodes.map { $0.unit?.values ?? [] }
  }

  func parameter(_ name: String) throws(ChainFailure) -> BuiltChain.Parameter {
    do throws(ValueProblem) {
      return try compiled.built.parameter(name)
    } catch {
      throw ChainFailure(error, about: name)
    }
  }

  func value(of parameter: BuiltChain.Parameter) -> Double {
    values[parameter.node][parameter.slot]
  }

  /// The units' readings now.
  func readings() -> [LiveReading] { driver.program.readings(of: compiled) }

  private func reading(_ name: String) -> LiveReading? {
    guard let dot = name.firstIndex(of: "."),
      let node = compiled.built.node(id: String(name[..<dot]))
    else { return nil }
    return driver.program.readings(ofNode: node, of: compiled).first { $0.name == name }
  }

  /// The plugin property with the name `node.property`.
  private func property(_ name: String) -> (node: Int, property: PluginProperty)? {
    guard let dot = name.firstIndex(of: "."),
      let node = compiled.built.node(id: String(name[..<dot])),
      case .unit(let unit) = compiled.resolved.graph.nodes[node].content,
      case .lv2(let uri) = unit.kind,
      let property = PluginProperty.find(
        String(name[name.index(after: dot)...]), in: UnitLibrary.shared.properties(ofPlugin: uri))
    else { return nil }
    return (node, property)
  }

  /// Asks a plugin for a property and waits for its answer, usually one or two blocks.
  private func ask(
    _ name: String, _ node: Int, _ property: PluginProperty
  ) throws(ChainFailure) -> LiveAnswer {
    guard let ask = driver.program.instances[node]?.property else {
      throw ChainFailure(
        .chain, code: .notSupportedYet,
        "'\(name)' cannot be read: the plugin runs in a process of its own, or answers no such requests"
      )
    }
    guard let value = ask(property.uri, Self.propertyPatience) else {
      throw ChainFailure(
        .plugin, code: .noAnswer, "the plugin does not answer the request for '\(name)'")
    }
    return .property(LiveProperty(name: name, property, value))
  }

  /// The timeout for the answer, in seconds.
  private static let propertyPatience = 0.5

  /// The value of a parameter; if there is none, a reading or a property of a plugin.
  func get(_ name: String) throws(ChainFailure) -> LiveAnswer {
    if (try? compiled.built.parameter(name)) == nil, reading(name) == nil,
      let (node, property) = property(name)
    {
      return try ask(name, node, property)
    }
    if let reading = reading(name), (try? compiled.built.parameter(name)) == nil {
      return .reading(reading)
    }
    let parameter = try parameter(name)
    let value = value(of: parameter)
    return parameter.spec.measure == .gain ? .gain(value) : .value(value)
  }

  /// Plays a MIDI message on a node.
  func send(_ bytes: [UInt8], to node: String) throws(ChainFailure) {
    guard let index = compiled.built.node(id: node) else {
      throw ChainFailure(.request, code: .unknownNode, "the chain has no node '\(node)'")
    }
    guard let inbox = compiled.inboxes[index] else {
      throw ChainFailure(.request, code: .noInput, "'\(node)' takes no MIDI")
    }
    inbox.send(bytes, at: fx_monotonic_seconds())
  }

  func set(
    _ name: String, to value: LiveValue, over seconds: Double?
  ) throws(ChainFailure) {
    if let seconds, !(0...3600).contains(seconds) {
      throw .outOfRange("a change takes 0 to 3600 s, not \(shortNumber(seconds))")
    }
    let parameter = try parameter(name)
    let number: Double
    do throws(ValueProblem) {
      switch value {
      case .number(let value): number = try compiled.built.value(value, for: parameter)
      case .text(let text): number = try compiled.built.value(text, for: parameter)
      }
    } catch {
      throw ChainFailure(error, about: name)
    }
    try move(parameter, to: number, over: seconds)
  }

  /// Moves a parameter to a value in its own unit of measure.
  func move(
    _ parameter: BuiltChain.Parameter, to value: Double, over seconds: Double? = nil
  ) throws(ChainFailure) {
    try checkDrySignal(parameter)
    let isSent = driver.program.set(
      node: parameter.node, parameter: parameter.slot, to: value, over: seconds)
    guard isSent else {
      throw .tooManyChanges
    }
    values[parameter.node][parameter.slot] = value
  }

  func enter(scene name: String) throws(ChainFailure) {
    let index: Int
    do throws(ValueProblem) {
      index = try compiled.built.scene(name)
    } catch {
      throw ChainFailure(error, about: name)
    }
    try enter(compiled.built.scenes[index])
  }

  /// Moves all parameters of a scene, over the scene's ramp.
  func enter(_ scene: Scene) throws(ChainFailure) {
    for change in scene.changes {
      try move(change.parameter, to: change.value, over: scene.ramp)
    }
  }

  /// Refuses to mix in the dry signal of a node that has none, because its output channels differ
  /// from its input channels.
  private func checkDrySignal(_ parameter: BuiltChain.Parameter) throws(ChainFailure) {
    let node = compiled.resolved.graph.nodes[parameter.node]
    guard case .unit(let unit) = node.content, unit.slots.mixesDry(parameter.slot),
      !node.keepsDry
    else { return }
    throw ChainFailure(
      .request, code: .noDrySignal,
      "'\(node.id)' has other channels at its output than at its input and so has no dry signal: it can be "
        + "neither bypassed nor mixed with its input")
  }
}

extension ChainFailure {
  /// A wrong value or name in a request.
  init(_ problem: ValueProblem, about name: String) {
    let hints = problem.hints.map { $0.hasPrefix("(") ? " \($0)" : "; \($0)" }.joined()
    self.init(
      .request, codeText: problem.code.rawValue, "\(name): \(problem.message)\(hints)",
      hints: problem.hints)
  }
}
