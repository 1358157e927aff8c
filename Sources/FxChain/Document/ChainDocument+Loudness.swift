import FxAudio
import FxEngine

extension ChainDocument {
  /// The chain with a gain, or with a node that adjusts the loudness as in the preset `podcast`,
  /// before its main output; nil if it has no main output.
  func levelled(loudness: Double?, gain: Double?) -> ChainDocument? {
    var chain: ChainDocument? = self
    if let gain { chain = chain?.ended(by: "gain", parameter: "gain", gain) }
    if let loudness {
      chain = chain?.ended(by: "loudness", preset: "podcast", parameter: "target", loudness)
    }
    return chain
  }

  /// The chain with a unit before its main output; nil if it has no main output.
  private func ended(
    by unit: String, preset: String? = nil, parameter: String, _ value: Double
  ) -> ChainDocument? {
    var chain = self
    let used = Set(nodes.compactMap(\.id))
    let id = ([unit] + (2...used.count + 2).map { "\(unit)\($0)" }).first {
      !used.contains($0)
    }
    guard let id else { return nil }
    var node = NodeDocument(
      id: id, kind: .unit(name: unit, revision: nil), place: place, kindPlace: place)
    node.preset = preset.map { Located(value: $0, place: place) }
    node.parameters = [
      NamedValue(
        name: Located(value: parameter, place: place),
        value: Located(value: .number(value), place: place))
    ]
    if form == .list {
      let isEnded = nodes.last.map(\.isSink) ?? false
      if isEnded, nodes.last?.isMainOutput == false { return nil }
      chain.nodes.insert(node, at: isEnded ? nodes.count - 1 : nodes.count)
      return chain
    }
    guard let output = nodes.first(where: \.isMainOutput)?.id else { return nil }
    chain.nodes.append(node)
    for index in chain.connections.indices where chain.connections[index].to.node == output {
      chain.connections[index].to.node = id
      chain.connections[index].to.port = nil
    }
    chain.connections.append(
      ConnectionDocument(
        from: EndDocument(node: id, place: place), to: EndDocument(node: output, place: place),
        place: place))
    return chain
  }
}

extension NodeDocument {
  fileprivate var isSink: Bool { if case .sink = kind { true } else { false } }

  fileprivate var isMainOutput: Bool {
    if case .sink(let sink) = kind { sink.endpoint.outputName == "main" } else { false }
  }
}
