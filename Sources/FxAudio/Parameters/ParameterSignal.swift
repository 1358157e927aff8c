/// A parameter's value over one block: one number, or one a frame while it moves.
///
/// The values are a function of the absolute frame alone, so how a render is cut into blocks never
/// shows in them. Public for the reason that `Math` is.
public struct ParameterSignal: BitwiseCopyable {
  /// The value at the block's first frame; the whole block's while `samples` is nil.
  public let value: Float
  /// True for a parameter that control signals move: it is to be followed frame by frame, never on a
  /// grid or through a smoothing of the unit's own, which would come late.
  public let isModulated: Bool
  /// One value a frame while the parameter moves within this block.
  public let samples: UnsafePointer<Float>?

  // MARK: - Realtime

  @_noLocks @inlinable
  public init(constant value: Float) {
    self.value = value
    samples = nil
    isModulated = false
  }

  @_noLocks @inlinable
  public init(samples: UnsafePointer<Float>, isModulated: Bool = false) {
    value = samples[0]
    self.samples = samples
    self.isModulated = isModulated
  }

  /// True when the value stays as it is for the whole block.
  public var isConstant: Bool {
    @_noLocks @inlinable get { samples == nil }
  }

  /// The value at a frame of the block.
  public subscript(frame: Int) -> Float {
    @_noLocks @inlinable get {
      guard let samples else { return value }
      return samples[frame]
    }
  }

  /// The same signal from a later frame of the block on.
  @_noLocks
  package func from(_ frame: Int) -> ParameterSignal {
    guard let samples else { return self }
    return ParameterSignal(samples: samples + frame, isModulated: isModulated)
  }
}
