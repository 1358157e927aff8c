import FxAudio

/// The effect of a sphere in the place of a head on a sound from a direction.
///
/// Sources: R. S. Woodworth, "Experimental Psychology" (1938), for the delay; C. P. Brown and
/// R. O. Duda, "A structural model for binaural sound synthesis", IEEE Trans. Speech and Audio
/// Processing 6 (1998), for the shadow.
struct SphericalHead: BitwiseCopyable {
  /// In metres.
  package static var radius: Double { @_noLocks get { 0.0875 } }
  /// In metres a second.
  static var soundSpeed: Double { @_noLocks get { 343 } }
  /// The delay of the ear away from the source, in seconds.
  package static let longestDelay = 0.000_66

  // MARK: - Realtime

  /// The delay and treble of a source at an ear.
  ///
  /// - Parameter cosine: The cosine of the angle between the source and the axis out of this ear.
  /// - Returns: The delay in seconds beyond the shortest one, and the level of the highest
  ///   frequencies; that of the lowest is 1.
  @_noLocks
  package static func ear(cosine: Double) -> (delay: Double, treble: Double) {
    let bounded = cosine < -1 ? -1 : cosine > 1 ? 1 : cosine
    let angle = Math.atan2(Math.squareRoot(1 - bounded * bounded), bounded)
    let way = bounded > 0 ? 1 - bounded : 1 + angle - Double.pi / 2
    // The level is lowest at 150°. Beyond it the waves around both sides of the sphere meet.
    let turn = angle * 1.2
    return (way * radius / soundSpeed, 1.05 + 0.95 * Math.cos(turn))
  }

  /// The coefficient of the one-pole low-pass that splits off the part without a shadow.
  @_noLocks
  static func shadowCoefficient(sampleRate: Double) -> Float {
    let corner = soundSpeed / radius / Double.pi
    return Float(1 - Math.exp(-2 * Double.pi * corner / sampleRate))
  }
}
