import FxNodes

/// The nodes that a plugin of EasyEffects becomes.
struct EasyEffectsNodes {
  struct Part {
    let node: Node
    /// Channels from 0; nil for all.
    let channels: [Int]?
  }

  var parts: [Part]
  /// Levels before and after the nodes, in decibels.
  var before = 0.0
  var after = 0.0

  init(_ parts: [Part] = []) { self.parts = parts }

  /// - Parameter after: the level after the node, in decibels.
  init(_ node: some ChainNode, after: Double = 0) {
    parts = [Part(node: node.node, channels: nil)]
    self.after = after
  }
}
