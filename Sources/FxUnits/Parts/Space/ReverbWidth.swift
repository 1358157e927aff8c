import FxAudio

/// The width of a reverb's two sides.
enum ReverbWidth {
  // MARK: - Realtime

  /// Mixes the two sides of a pair to make it narrower, at constant power.
  @_noLocks
  static func cross(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ width: ParameterSignal, from frame: Int, count: Int
  ) {
    if width.isConstant {
      let (own, other) = shares(width.value)
      for index in 0..<count {
        let (l, r) = (left[index], right[index])
        left[index] = own * l + other * r
        right[index] = own * r + other * l
      }
    } else {
      for index in 0..<count {
        let (own, other) = shares(width[frame &+ index])
        let (l, r) = (left[index], right[index])
        left[index] = own * l + other * r
        right[index] = own * r + other * l
      }
    }
  }

  /// The shares of its own side and of the other side in a channel.
  @_noLocks @inline(__always)
  private static func shares(_ width: Float) -> (own: Float, other: Float) {
    let power = Math.squareRoot(0.5 + 0.5 * (width * width))
    return ((0.5 + 0.5 * width) / power, (0.5 - 0.5 * width) / power)
  }
}
