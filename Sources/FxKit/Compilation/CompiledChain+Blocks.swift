import FxGraph

/// How many frames are rendered at once.
extension CompiledChain {
  /// Several blocks where no plugin sees them: built-in units make the same bits of any, and what a node
  /// costs beside its frames counts less. Few enough for what nodes hand on to stay in the cache.
  static func joinedSize(_ blockSize: Int, _ graph: ResolvedGraph) -> Int {
    let nodes = graph.graph.nodes
    let seesBlocks = nodes.contains { node in
      if case .lv2? = node.unit?.kind { true } else { false }
    }
    let width = nodes.indices.reduce(0) { $0 + graph.outputCount($1) }
    guard !seesBlocks, width <= mostJoinedChannels else { return blockSize }
    return max(blockSize, joinedFrames / blockSize * blockSize)
  }

  private static let joinedFrames = 1024
  /// Beyond so many channels longer blocks would take much memory.
  private static let mostJoinedChannels = 4096
}
