/// What passed a node while a program rendered.
package struct RenderFingerprint: Sendable, Equatable {
  /// One side of it.
  package struct Side: Sendable, Equatable {
    package var channelCount: Int
    /// Frames of each window.
    package var windowFrameCount: Int
    /// A number for each whole window, from the first frame that was rendered on.
    package var windows: [UInt32]
    package var frameCount: Int
    /// The highest magnitude, and the root mean square, of all channels; 1 is full scale.
    package var peak: Float
    package var rms: Double
    /// Channels × the first frames, as far as they were to be recorded.
    package var samples: [[Float]] = []
  }

  /// A parameter that control signals move.
  package struct Moved: Sendable, Equatable {
    /// Index into `UnitConfiguration.parameters`.
    package var slot: Int
    /// Of its frames, those at which the signals led beyond its range.
    package var limitedShare: Double
  }

  package var node: Int
  /// nil for a source.
  package var input: Side?
  /// nil for a sink.
  package var output: Side?
  /// Of a source: the digest of its sound, without the silence behind it; however long the render.
  package var sound: UInt64?
  /// What the unit itself made, before it is mixed with what went in; recorded where it is.
  package var wet: Side?
  /// The parameters that control signals moved.
  package var moved: [Moved] = []
}
