/// The data stored beside a golden: fingerprints of every node, and the render environment.
package struct Manifest: Sendable, Equatable {
  package struct Output: Sendable, Equatable {
    /// `main`.
    package var name: String
    package var shape: Comparison.Shape
    /// Of all channels, one after another.
    package var digest: UInt64
    /// The sound file's name, in the manifest's folder; nil if none is stored.
    package var sound: String?
    /// The digest of the sound file's samples, if they differ from the output's: FLAC stores 24
    /// bits.
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
  /// The signals of inputs that the case does not define.
  package var signals = DefaultSignals.current
  /// For each node, nanoseconds per frame divided by those of the calibration loop; nil if not
  /// measured.
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

/// The render cost of a chain, in units of the calibration loop that ran at the same time.
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
}
