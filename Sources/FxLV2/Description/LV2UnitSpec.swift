package import FxAudio

extension LV2Description {
  /// The declaration that chains, engine and documentation read: side-chain inputs on an optional
  /// bus of their own, control inputs as parameters, control outputs as readings.
  package var unitSpec: UnitSpec {
    let main = mainInputs
    let sideChain = sideChainInputs
    let outputs = audioOutputs
    var inputs: [InputBusSpec] = []
    if !main.isEmpty {
      inputs.append(
        InputBusSpec("in", width: .exactly(main.count), channelNames: main.map(\.symbol)))
    }
    if !sideChain.isEmpty {
      inputs.append(
        InputBusSpec(
          "sidechain", width: .exactly(sideChain.count), isOptional: true,
          channelNames: sideChain.map(\.symbol)))
    }
    return UnitSpec(
      uri, name: name, summary: author.map { "\(name), by \($0)." } ?? "\(name).",
      category: className.lowercased(), parameters: distinctParameters.map(\.spec), inputs: inputs,
      outputs: outputs.isEmpty
        ? []
        : [
          OutputBusSpec("out", width: .exactly(outputs.count), channelNames: outputs.map(\.symbol))
        ],
      readings: readingPorts.map {
        ReadingSpec($0.symbol, $0.name, $0.measure.measure, isPerChannel: isReplicable)
      },
      rendersInPlace: false, readsParametersPerFrame: false)
  }

  /// One channel in and one out: on a wide path there is one instance a channel.
  var isReplicable: Bool { mainInputs.count == 1 && audioOutputs.count == 1 }

  /// The parameters in port order; of ports that share a symbol the first.
  var distinctParameters: [LV2ParameterReader] {
    var symbols = Set<String>()
    return parameterPorts.filter { symbols.insert($0.symbol).inserted }
      .map { LV2ParameterReader(port: $0) }
  }
}
