import FxAudio

/// Converts a pan position between -1 and 1 to the gains of left and right.
enum PanLaw: String, BitwiseCopyable {
  /// Both sides have unity gain at the centre; the opposite side is lowered.
  case balance
  /// Sine and cosine: the total power is the same at every position, with -3 dB on each side at the
  /// centre.
  case constantPower
  /// The total amplitude is the same at every position, with -6 dB on each side at the centre.
  case linear

  // MARK: - Realtime

  @_noLocks
  func gains(_ pan: Float) -> (left: Float, right: Float) {
    switch self {
    case .balance: return Self.balance(pan)
    case .linear: return (0.5 - 0.5 * pan, 0.5 + 0.5 * pan)
    case .constantPower:
      if pan <= -1 { return (1, 0) }
      if pan >= 1 { return (0, 1) }
      let (sine, cosine) = Math.sinCos((Double(pan) + 1) * (Double.pi / 4))
      return (Float(cosine), Float(sine))
    }
  }

  /// The gains of the opposite side of a stereo signal: the part that stays, and the part that
  /// moves to the near side. The distance from the centre is from 0 to 1.
  @_noLocks
  func sideGains(_ distance: Float) -> (stays: Float, moves: Float) {
    guard case .constantPower = self, distance > 0 else { return (1 - distance, distance) }
    if distance >= 1 { return (0, 1) }
    let (sine, cosine) = Math.sinCos(Double(distance) * (Double.pi / 2))
    return (Float(cosine), Float(sine))
  }

  @_noLocks @inline(__always)
  static func balance(_ pan: Float) -> (left: Float, right: Float) {
    (pan > 0 ? 1 - pan : 1, pan < 0 ? 1 + pan : 1)
  }
}
