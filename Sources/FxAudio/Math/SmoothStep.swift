/// A smooth curve from one value to another, without a jump in value, slope or curvature at either
/// end: Perlin's fifth-order smoothstep (2002), and a second curve that starts with a given slope.
/// Time goes from 0 to 1.
public enum SmoothStep {
  // MARK: - Realtime

  /// The position on the way, from 0 to 1.
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

  /// Added to the curve to start with a slope of 1. It ends at 0, with no slope and no curvature.
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

  /// Limits the slope at the beginning so that the value never overshoots: 0 for a slope in the
  /// opposite direction.
  @_noLocks @inlinable @inline(__always)
  public static func carried(_ slope: Double, over change: Double) -> Double {
    if change > 0 { return slope < 0 ? 0 : (slope < 2 * change ? slope : 2 * change) }
    return slope > 0 ? 0 : (slope > 2 * change ? slope : 2 * change)
  }
}
