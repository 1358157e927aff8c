package import FxAudio

extension LV2Description {
  /// The declaration that chains, engine and documentation read. Side-chain inputs, other groups
  /// and CV ports have separate buses. Control and CV inputs are parameters; control outputs are
  /// readings.
  package var unitSpec: UnitSpec {
    let parameters = distinctParameters
    var spec = UnitSpec(
      uri, name: name, summary: author.map { "\(name), by \($0)." } ?? "\(name).",
      category: className.lowercased(),
      role: isAnalyser ? .observer : isInstrument ? .instrument : .effect,
      parameters: parameters.map(\.spec),
      inputs: inputBuses.map {
        InputBusSpec(
          $0.name, width: .exactly($0.ports.count), isOptional: $0.isOptional || isInstrument,
          channelNames: $0.isControl ? [] : $0.ports.map(\.symbol), layout: $0.layout,
          isControl: $0.isControl)
      },
      outputs: outputBuses.map {
        OutputBusSpec(
          $0.name, width: .exactly($0.ports.count), layout: $0.layout.map { .exactly($0) } ?? .kept,
          channelNames: $0.isControl ? [] : $0.ports.map(\.symbol),
          controlRange: $0.isControl ? $0.ports[0].signalRange : nil)
      },
      readings: readingPorts.map { port in
        var reading = ReadingSpec(
          port.symbol, port.name, port.measure.measure, isPerChannel: isReplicable)
        if let low = port.minimum, let high = port.maximum, low < high {
          reading.range = low / port.measure.scale...high / port.measure.scale
        }
        return reading
      },
      rendersInPlace: false, readsParametersPerFrame: false)
    spec.perFrameParameterCount = parameters.count { $0.port.kind == .cv }
    spec.takesMIDI = midiInput != nil
    spec.eventInputs = eventInputPorts.map {
      EventPortSpec($0.symbol, takesMIDI: $0.supportsMIDI)
    }
    spec.eventOutputs = eventOutputPorts.map {
      EventPortSpec($0.symbol, takesMIDI: $0.supportsMIDI)
    }
    spec.ports = ports.map { NamedPort($0.symbol, $0.name, $0.namedKind) }
    spec.isRealtimeCapable = claimsRealtime
    return spec
  }

  /// The parameters for lists; those relative to the sample rate are shown at 48 kHz.
  package var shownParameters: [(spec: ParameterSpec, isRelative: Bool)] {
    distinctParameters.map { ($0.specAtUsualRate, $0.isRelative) }
  }

  /// The instances for a main input of a width.
  package func instanceCount(width: Int) -> Int { isReplicable ? max(width, 1) : 1 }

  /// One main input and one output: a wider signal gets one instance per channel.
  var isReplicable: Bool {
    !isInstrument && mainInputs.count == 1 && audioOutputs.count == 1
      && !ports.contains { $0.bus != nil }
  }

  /// The parameters in port order, CV inputs last; of ports that share a symbol, only the first.
  var distinctParameters: [LV2ParameterReader] {
    var symbols = Set<String>()
    let controlled = ports.filter { $0.kind == .cv && $0.isInput }
    return (parameterPorts + controlled).filter { symbols.insert($0.symbol).inserted }
      .map { LV2ParameterReader(port: $0) }
  }
}
