import FxAudio

/// Frames far enough away that no render gets there, and near enough to calculate with.
enum FrameLimits {
  static var forever: Int {
    @_noLocks get { 1 << 60 }
  }
}

/// A parameter on its way: from one value to another between two absolute frames.
///
/// The value at a frame depends on that frame alone, never on the blocks that led up to it.
package struct ParameterMotion: BitwiseCopyable {
  package enum Path: UInt8, BitwiseCopyable {
    case line
    /// Equal ratios in equal times.
    case geometric
  }

  /// The frame at which the value is still `from`.
  let startFrame: Int
  /// Frames until the value is `target`; 0 for at once.
  let frameCount: Int
  let from: Float
  let target: Float
  let path: Path
  /// The binary logarithm of target over from, for a geometric path.
  private let octaves: Float

  /// A value that stays.
  package init(resting value: Float) {
    startFrame = -FrameLimits.forever
    frameCount = 0
    from = value
    target = value
    path = .line
    octaves = 0
  }

  // MARK: - Realtime

  /// A geometric path falls back to a line where an end is not above 0.
  @_noLocks
  package init(from: Float, to target: Float, startFrame: Int, frameCount: Int, path: Path) {
    self.startFrame = startFrame
    self.frameCount = frameCount
    self.from = from
    self.target = target
    if path == .geometric, from > 0, target > 0 {
      self.path = .geometric
      octaves = Math.log2(target) - Math.log2(from)
    } else {
      self.path = .line
      octaves = 0
    }
  }

  /// The first frame at which the value rests.
  package var endFrame: Int {
    @_noLocks get { startFrame + frameCount }
  }

  /// The value at an absolute frame.
  @_noLocks
  package func value(at frame: Int) -> Float {
    let elapsed = frame - startFrame
    if elapsed >= frameCount { return target }
    if elapsed <= 0 { return from }
    let progress = Double(elapsed) / Double(frameCount)
    switch path {
    case .line: return Float(Double(from) + (Double(target) - Double(from)) * progress)
    case .geometric: return from * Math.exp2(octaves * Float(progress))
    }
  }
}
