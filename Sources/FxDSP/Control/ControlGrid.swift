public import FxAudio

/// Where coefficients are worked out anew: every sixteenth frame of the time line, and the first
/// frame that is rendered.
///
/// Render thread.
///
/// The points depend on absolute frames alone, so a render cut into other blocks computes the same
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
/// `update` recomputes what differs from the value last used; `isSettled` is true when every
/// parameter is constant in this block and equal to the value last used, which then renders whole.
/// A reset forgets the values last used, so that the first frame after it is due again.
package struct ControlGrid: BitwiseCopyable {
  /// Frames between two points.
  package static var interval: Int { @_noLocks get { 16 } }

  private var hasStarted = false

  package init() {}

  // MARK: - Realtime

  /// True when coefficients are to be renewed at this absolute frame.
  ///
  /// - Parameter isModulated: Whether a control signal moves one of the parameters, which makes each
  ///   frame a point.
  @_noLocks
  package mutating func isDue(_ frame: Int, isModulated: Bool = false) -> Bool {
    // The low bits of a negative frame are those of its floored remainder.
    if hasStarted { return isModulated || frame & (Self.interval - 1) == 0 }
    hasStarted = true
    return true
  }

  /// The block's frame at which the piece that starts at `start` ends: the next point or the end.
  @_noLocks
  package func pieceEnd(
    _ block: RenderBlock, after start: Int, isModulated: Bool = false
  ) -> Int {
    if isModulated { return start + 1 }
    let end = start + Self.interval - ((block.frame + start) & (Self.interval - 1))
    return end < block.frameCount ? end : block.frameCount
  }

  /// Makes the next frame a first one.
  @_noLocks
  package mutating func reset() { hasStarted = false }
}

/// A parameter and the value that coefficients were last worked out for.
public struct ControlValue: BitwiseCopyable {
  @usableFromInline package var value: Float = .nan

  @inlinable
  public init() {}

  // MARK: - Realtime

  /// Takes the value at a frame; true when it is another than before.
  @_noLocks @inlinable
  public mutating func take(_ signal: ParameterSignal, _ frame: Int) -> Bool {
    let new = signal[frame]
    if new == value { return false }
    value = new
    return true
  }

  /// True when the whole block keeps the value last taken.
  @_noLocks @inlinable
  public func isSettled(_ signal: ParameterSignal) -> Bool {
    signal.isConstant && signal.value == value
  }

  /// Forgets the value last taken.
  @_noLocks @inlinable
  public mutating func reset() { value = .nan }
}
