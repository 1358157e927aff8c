package import FxAudio
import FxChain
import FxEngine

/// Prepares, describes and makes the units of a chain.
extension CompiledChain {
  /// The facts that the unit of a node gets before it renders.
  func preparation(_ index: Int, _ unit: UnitConfiguration) -> Preparation {
    var preparation = Preparation(
      sampleRate: sampleRate, maximumFrameCount: renderSize,
      inputWidths: resolved.inputWidths[index].dropLast(unit.modulations.count),
      outputWidths: resolved.outputWidths[index],
      options: unit.options, items: unit.items, parameters: unit.unitValues,
      isLive: settings.isLive, seed: built.seed &+ UInt64(index))
    preparation.controlReadings = unit.controlReadings
    preparation.eventInputs = eventBuses.inputs[index] ?? []
    preparation.eventOutputs = eventBuses.outputs[index] ?? []
    preparation.layout = resolved.layouts.input(index, channelCount: preparation.channelCount)
    preparation.node = resolved.graph.nodes[index].id
    preparation.setup = unit.setup
    preparation.events = unit.events.events(sampleRate: sampleRate)
    preparation.tempo = built.tempoMap?.initialTempo
    preparation.roundTrip = settings.roundTrip
    preparation.playbackFrames = settings.playbackFrames
    preparation.waitedRoundTrip = resolved.graph.nodes[index].lateness
    preparation.playedLatency = playedLatency
    preparation.sounds = sounds
    preparation.models = built.models
    preparation.measured = settings.measured[index]
    return preparation
  }

  /// The plugin of a node, and its preparation for an offline render; nil for other nodes.
  package func plugin(ofNode index: Int) -> (uri: String, preparation: Preparation)? {
    guard case .unit(let unit) = resolved.graph.nodes[index].content,
      case .lv2(let uri) = unit.kind
    else { return nil }
    return (uri, preparation(index, unit))
  }

  /// Refuses built-in units with unusable options.
  func checkOptions(_ diagnostics: inout Diagnostics) {
    for (index, node) in resolved.graph.nodes.enumerated() {
      guard let unit = node.unit, case .builtIn = unit.kind,
        let type = try? settings.units.type(of: unit.kind)
      else { continue }
      do throws(Failure) {
        try type.check(preparation(index, unit))
      } catch {
        diagnostics.add(mistake(error, index, node))
      }
    }
  }

  /// The reason why the unit of a node cannot be made: a mistake in the chain, or an unusable
  /// plugin.
  private func mistake(_ error: Failure, _ index: Int, _ node: Graph.Node) -> Diagnostic {
    var isBuiltIn = false
    if case .builtIn? = node.unit?.kind { isBuiltIn = true }
    return built.diagnostic(
      forNode: index, isBuiltIn && error.code == .usage ? .invalidValue : .unusablePlugin,
      "'\(node.id)' cannot start: \(error.message)")
  }

  /// Finds the traits of each built-in unit for its channel counts in the graph, and its longest
  /// tail under automation and modulation.
  mutating func findTraits() throws(ChainFailure) {
    for (index, node) in resolved.graph.nodes.enumerated() {
      guard case .unit(let unit) = node.content, case .builtIn = unit.kind,
        let find = (try? settings.units.type(of: unit.kind))?.traits
      else { continue }
      let preparation = preparation(index, unit)
      let found = find(preparation)
      traits[index] = found
      var longest = found.tail
      let times = Set(unit.unitAutomation.flatMap { $0.points.map(\.seconds) })
      func look(_ values: [Double]) {
        var moved = preparation
        moved.parameters = values
        longest = longest.longer(find(moved).tail)
      }
      for time in times { look(unit.unitValues(at: time, from: unit.values)) }
      for values in unit.modulatedEnds(of: unit.values) { look(values) }
      if longest != found.tail { longestTails[index] = longest }
    }
  }

  /// Makes the units of the wanted types. Kept nodes reuse their units.
  mutating func makeUnits(
    _ kept: KeptUnits?, _ diagnostics: inout Diagnostics, where isWanted: (UnitType) -> Bool
  ) throws(ChainFailure) {
    var decoded: [String: SoundAsset] = [:]
    for (index, node) in resolved.graph.nodes.enumerated() {
      guard case .unit(let unit) = node.content, instances[index] == nil else { continue }
      if let old = kept?.node(index), let instance = kept?.instances[old] {
        instances[index] = instance
        continue
      }
      do throws(Failure) {
        guard let type = try settings.units.type(of: unit.kind), isWanted(type) else { continue }
        var preparation = preparation(index, unit)
        preparation.inbox = inboxes[index]
        read(
          unit.soundPaths, ofNode: index, settings.environment.limits, into: &decoded, &diagnostics)
        preparation.sounds = decoded
        preparation.hasFixedBlocks = settings.hasWholeBlocks && !loopNodes.contains(index)
        instances[index] = try type.make(preparation)
      } catch {
        diagnostics.add(mistake(error, index, node))
      }
    }
    if diagnostics.hasErrors { throw ChainFailure(diagnostics.sorted()) }
  }
}

extension UnitCatalog {
  func type(of kind: UnitConfiguration.Kind) throws(Failure) -> UnitType? {
    switch kind {
    case .builtIn(let name, let revision): unit(named: name, revision: revision)
    case .lv2(let uri): try plugin(uri: uri)
    }
  }
}
