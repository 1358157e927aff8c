/// The fingerprint of a node's input and output during a render.
package struct RenderFingerprint: Sendable, Equatable {
  /// One side of a node.
  package struct Side: Sendable, Equatable {
    package var channelCount: Int
    /// Frames of each window.
    package var windowFrameCount: Int
    /// A number for each whole window, starting at the first rendered frame.
    package var windows: [UInt32]
    package var frameCount: Int
    /// The highest magnitude, and the root mean square, of all channels; 1 is full scale.
    package var peak: Float
    package var rms: Double
    /// Channels × the first frames; as many frames as are recorded.
    package var samples: [[Float]] = []
  }

  /// A parameter that control signals move.
  package struct Moved: Sendable, Equatable {
    /// Index into `UnitConfiguration.parameters`.
    package var slot: Int
    /// The share of its frames in which the signals moved it outside its range.
    package var limitedShare: Double
  }

  package var node: Int
  /// nil for a source.
  package var input: Side?
  /// nil for a sink.
  package var output: Side?
  /// For a source: the digest of its sound without the silence after it, whatever the render's
  /// length.
  package var sound: UInt64?
  /// The unit's own output before the dry/wet mix; only if it is recorded.
  package var wet: Side?
  /// The parameters that control signals moved.
  package var moved: [Moved] = []
}
