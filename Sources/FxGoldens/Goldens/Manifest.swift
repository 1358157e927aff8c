package import FxAnalysis

/// What is kept beside a golden: what it sounded like at every node, and what it was made with.
package struct Manifest: Sendable, Equatable {
  package struct Output: Sendable, Equatable {
    /// `main`.
    package var name: String
    package var shape: Comparison.Shape
    /// Of all channels, one after the other.
    package var digest: UInt64
    /// The sound file's name, beside the manifest; nil where none is kept.
    package var sound: String?
    /// Of the sound file's samples, when they differ from the output's: FLAC stores 24 bits.
    package var soundDigest: UInt64?

    package init(name: String, shape: Comparison.Shape, digest: UInt64, sound: String? = nil) {
      self.name = name
      self.shape = shape
      self.digest = digest
      self.sound = sound
    }
  }

  package static let version = 1

  package var outputs: [Output]
  package var environment: RenderEnvironment
  package var fingerprints: NodeFingerprints
  /// What its inputs heard of which the case says nothing.
  package var signals = DefaultSignals.current
  /// By node, nanoseconds a frame against those of the calibration loop; nil where none was asked for.
  package var cost: NodeCosts?

  package init(
    outputs: [Output], environment: RenderEnvironment, fingerprints: NodeFingerprints,
    cost: NodeCosts? = nil
  ) {
    self.outputs = outputs
    self.environment = environment
    self.fingerprints = fingerprints
    self.cost = cost
  }
}

/// What a chain takes to render, in units of the calibration loop that ran beside it.
package struct NodeCosts: Sendable, Equatable {
  package struct Node: Sendable, Equatable {
    package var id: String
    package var cost: Double

    package init(id: String, cost: Double) {
      self.id = id
      self.cost = cost
    }
  }

  package var total: Double
  package var nodes: [Node]

  package init(total: Double, nodes: [Node]) {
    self.total = total
    self.nodes = nodes
  }
}
