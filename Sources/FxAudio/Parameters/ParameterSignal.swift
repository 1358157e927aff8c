/// A parameter's value over one block: one number, or one number per frame while it changes.
///
/// The values depend on the absolute frame alone, so the block length does not change them. Public
/// for the same reason as `Math`.
public struct ParameterSignal: BitwiseCopyable {
  /// The value at the block's first frame; the value for the whole block while `samples` is nil.
  public let value: Float
  /// True for a parameter that a control signal modulates. The unit must follow it frame by frame:
  /// a control-rate grid or the unit's own smoothing would be late.
  public let isModulated: Bool
  /// One value per frame while the parameter changes within this block.
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

  /// True when the value does not change within the block.
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

  /// The same signal, starting at a later frame of the block.
  @_noLocks
  package func from(_ frame: Int) -> ParameterSignal {
    guard let samples else { return self }
    return ParameterSignal(samples: samples + frame, isModulated: isModulated)
  }
}
