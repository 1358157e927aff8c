import FxAudio

/// How a pan position between -1 and 1 becomes the levels of left and right.
enum PanLaw: String, BitwiseCopyable {
  /// The centre leaves both sides alone, the far side is turned down.
  case balance
  /// Sine and cosine: both sides together have the same power everywhere, each -3 dB at the centre.
  case constantPower
  /// Both sides together have the same amplitude everywhere, each -6 dB at the centre.
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

  /// What stays of the far side of a stereo signal and what moves over, at a distance from the centre
  /// from 0 to 1.
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
