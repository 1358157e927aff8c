import FxAudio
import FxEngine

/// Copies: more files of the main output, each a sink with the same input as the output.
extension GraphBuilder {
  /// Adds the sinks after all nodes of the chain, with the main output's connections.
  func addCopies(_ root: Scope) {
    guard !environment.copies.isEmpty else { return }
    guard let main = mainSink else {
      report(
        .unknownOutput, "'-o' is given more than once and the chain has no output 'main'", nil,
        origin: "-o \(environment.copies[0].path)")
      return
    }
    for (number, copy) in environment.copies.enumerated() {
      let original = drafts[main]
      guard case .sink(_, let isAligned) = original.content else { return }
      let id = freeName("\(original.id)-\(number + 2)", root)
      root.names[id] = .draft(drafts.count)
      for var link in links where link.to.node == main {
        link.to.node = drafts.count
        links.append(link)
      }
      drafts.append(
        NodeBuilder(
          id: id, content: .sink(.file(copy.path, copy.encoding), isAligned: isAligned),
          document: nil, place: original.place, scope: root, inputs: original.inputs, outputs: []))
    }
  }

  /// The sink named `main`, or the device that `-o` replaces.
  private var mainSink: Int? {
    let sinks = drafts.enumerated().compactMap { index, draft -> (Int, SinkEndpoint)? in
      if case .sink(let endpoint, _) = draft.content { (index, endpoint) } else { nil }
    }
    if let main = sinks.first(where: { $0.1.outputName == "main" }) { return main.0 }
    let devices = sinks.filter { $0.1.nature == .device }
    return devices.count == 1 ? devices[0].0 : nil
  }

  private func freeName(_ name: String, _ scope: Scope) -> String {
    var free = name
    while scope.names[free] != nil { free += "-copy" }
    return free
  }
}
