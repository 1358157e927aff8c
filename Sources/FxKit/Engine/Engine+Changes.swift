public import FxNodes

extension Engine {
  /// Changes the chain while it plays, with a crossfade. Nodes that stay the same continue. What was changed
  /// while it played stays too: parameters, bypasses, mutes and scenes, unless the closure gives the
  /// parameter another value.
  ///
  ///     try await engine.update { $0.insert(Delay(time: .milliseconds(350)), between: "voice", and: "mix") }
  ///
  /// - Parameter change: changes the graph of the playing chain.
  /// - Returns: what changed, in words.
  /// - Throws: `ChainFailure` if the chain has mistakes then, or needs other sources or sinks; the old one
  ///   plays on.
  @discardableResult
  public func update(
    _ change: @Sendable (inout ChainGraph) throws -> Void
  ) async throws -> String {
    await turn.enter()
    defer { turn.leave() }
    let chain = playingChain
    var graph = try ChainGraph(chain)
    try change(&graph)
    return try await replace(
      with: Chain(graph, path: chain.path, variables: chain.variables), keepingChanges: true)
  }

  /// Hands the output of a node to a closure on the render thread, in addition to where it goes.
  ///
  /// - Parameters:
  ///   - node: the node in the playing chain, or one of its outputs: `"split:high"`.
  ///   - name: the name of the new node: letters and digits, beginning with a small letter.
  ///   - receive: reads the input channels of the block, under the rules of `SourceNode.Render`.
  /// - Throws: `ChainFailure` if there is no such node.
  public func tap(
    _ node: some GraphEnd, as name: String, receive: @escaping SourceNode.Render
  ) async throws {
    let end = node.end
    let sink = SinkNode(name, receive: receive)
    try await update { graph in
      guard graph[end.node] != nil else {
        throw ChainFailure(.request, code: .unknownNode, "the chain has no node '\(end.node)'")
      }
      graph.add(Node(sink), receiving: end)
    }
  }
}

extension LiveValue {
  /// nil for an object or a list, which no parameter has.
  init?(_ value: ChainValue) {
    switch value {
    case .number(let number): self = .number(number)
    case .string(let text): self = .text(text)
    case .bool(let isOn): self = .text(isOn ? "true" : "false")
    case .object, .array, .null: return nil
    }
  }
}
