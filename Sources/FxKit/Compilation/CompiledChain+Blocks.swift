import FxEngine

/// Selects how many frames are rendered at once.
extension CompiledChain {
  /// Joins several blocks if the chain has no plugin. Built-in units produce the same bits with any
  /// block size, and the fixed cost per block is smaller. The size is limited so that the buffers
  /// between nodes stay in the cache.
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
  /// With more channels, joined blocks would need too much memory.
  private static let mostJoinedChannels = 4096
}
