public import FxAudio

/// The frames at which coefficients are computed again: every sixteenth frame of the timeline, and
/// the first rendered frame.
///
/// Render thread.
///
/// The points depend only on absolute frames. So a render with other block sizes computes the same
/// coefficients at the same frames. A unit renders piece by piece:
///
///     var start = 0
///     while start < block.frameCount {
///       if !isSettled(block) && grid.isDue(block.frame + start) { update(block, start) }
///       let end = isSettled(block) ? block.frameCount : grid.pieceEnd(block, after: start)
///       … render frames start..<end …
///       start = end
///     }
///
/// `update` recomputes the coefficients of parameters that differ from the value last used.
/// `isSettled` is true when every parameter is constant in this block and equal to the value last
/// used; the block then renders as a whole. A reset clears the values last used, so that the first
/// frame after it is due again.
struct ControlGrid: BitwiseCopyable {
  /// Frames between two points.
  package static var interval: Int { @_noLocks get { 16 } }

  private var hasStarted = false

  package init() {}

  // MARK: - Realtime

  /// True when coefficients must be computed again at this absolute frame.
  ///
  /// - Parameter isModulated: True when a control signal moves one of the parameters; every frame
  ///   is then a point.
  @_noLocks
  package mutating func isDue(_ frame: Int, isModulated: Bool = false) -> Bool {
    // The low bits of a negative frame are those of its floored remainder.
    if hasStarted { return isModulated || frame & (Self.interval - 1) == 0 }
    hasStarted = true
    return true
  }

  /// The frame of the block at which the piece from `start` ends: the next point or the block's
  /// end.
  @_noLocks
  func pieceEnd(
    _ block: RenderBlock, after start: Int, isModulated: Bool = false
  ) -> Int {
    if isModulated { return start + 1 }
    let end = start + Self.interval - ((block.frame + start) & (Self.interval - 1))
    return end < block.frameCount ? end : block.frameCount
  }

  /// Makes the next frame the first one.
  @_noLocks
  package mutating func reset() { hasStarted = false }
}

/// The parameter value that coefficients were last computed for.
public struct ControlValue: BitwiseCopyable {
  @usableFromInline package var value: Float = .nan

  @inlinable
  public init() {}

  // MARK: - Realtime

  /// Takes the value at a frame; true when it has changed.
  @_noLocks @inlinable
  public mutating func take(_ signal: ParameterSignal, _ frame: Int) -> Bool {
    let new = signal[frame]
    if new == value { return false }
    value = new
    return true
  }

  /// True when the whole block has the value last taken.
  @_noLocks @inlinable
  public func isSettled(_ signal: ParameterSignal) -> Bool {
    signal.isConstant && signal.value == value
  }

  /// Clears the value last taken.
  @_noLocks @inlinable
  public mutating func reset() { value = .nan }
}
