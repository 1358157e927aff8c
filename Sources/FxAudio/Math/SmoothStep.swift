/// The curve on which a value goes from one to another without a step, a bend or a change of
/// curvature at either end: Perlin's fifth-order smoothstep (2002), and what a slope at its beginning
/// adds to it. Time goes from 0 to 1.
public enum SmoothStep {
  // MARK: - Realtime

  /// The share of the way.
  @_noLocks @inlinable @inline(__always)
  public static func share(_ time: Double) -> Double {
    time * time * time * (time * (time * 6 - 15) + 10)
  }

  /// The slope of `share`.
  @_noLocks @inlinable @inline(__always)
  public static func rate(_ time: Double) -> Double {
    let product = time * (1 - time)
    return 30 * product * product
  }

  /// What a slope of 1 at the beginning adds. At the end it has no slope and no curvature.
  @_noLocks @inlinable @inline(__always)
  public static func carry(_ time: Double) -> Double {
    let rest = 1 - time
    return time * rest * rest * rest * (1 + 3 * time)
  }

  /// The slope of `carry`.
  @_noLocks @inlinable @inline(__always)
  public static func carryRate(_ time: Double) -> Double {
    let rest = 1 - time
    return rest * rest * (1 + time * (2 - 15 * time))
  }

  /// As much of a slope at the beginning as never leads beyond the end of the way: none of one in
  /// the other direction.
  @_noLocks @inlinable @inline(__always)
  public static func carried(_ slope: Double, over change: Double) -> Double {
    if change > 0 { return slope < 0 ? 0 : (slope < 2 * change ? slope : 2 * change) }
    return slope > 0 ? 0 : (slope > 2 * change ? slope : 2 * change)
  }
}
