import FxAudio

/// Ports of a plugin that a chain treats as one bus.
struct LV2Bus: Sendable {
  var name: String
  /// In port order.
  var ports: [LV2Port]
  var isOptional = false
  var isControl = false

  /// The channel layout, where the plugin designates every port and the ports are in file order.
  var layout: ChannelLayout? {
    let channels = ports.compactMap(\.channel)
    guard channels.count == ports.count, channels.count > 1,
      let layout = ChannelLayout(channels), layout.channels == channels
    else { return nil }
    return layout
  }
}

extension LV2Description {
  /// Main inputs, side-chain, other groups, then CV ports one by one.
  var inputBuses: [LV2Bus] {
    var buses: [LV2Bus] = []
    if !mainInputs.isEmpty { buses.append(LV2Bus(name: "in", ports: mainInputs)) }
    if !sideChainInputs.isEmpty {
      buses.append(LV2Bus(name: "sidechain", ports: sideChainInputs, isOptional: true))
    }
    return buses + groupBuses(inputs: true) + controlBuses(inputs: true)
  }

  /// Main outputs, other groups, then CV ports one by one.
  var outputBuses: [LV2Bus] {
    let main = audioOutputs.filter { $0.bus == nil }
    let first = main.isEmpty ? [] : [LV2Bus(name: "out", ports: main)]
    return first + groupBuses(inputs: false) + controlBuses(inputs: false)
  }

  private func groupBuses(inputs isInput: Bool) -> [LV2Bus] {
    var buses: [LV2Bus] = []
    for port in ports where port.kind == .audio && port.isInput == isInput {
      guard let name = port.bus else { continue }
      if let index = buses.firstIndex(where: { $0.name == name }) {
        buses[index].ports.append(port)
      } else {
        buses.append(LV2Bus(name: name, ports: [port], isOptional: true))
      }
    }
    return buses
  }

  private func controlBuses(inputs isInput: Bool) -> [LV2Bus] {
    ports.filter { $0.kind == .cv && $0.isInput == isInput }.map {
      LV2Bus(name: $0.symbol, ports: [$0], isOptional: true, isControl: true)
    }
  }
}
