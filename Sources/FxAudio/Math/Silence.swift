/// The threshold of silence: it decides where a tail ends, when a fade is over and what need not be
/// rendered.
package enum Silence {
  // MARK: - Realtime

  /// An amplitude below this counts as silent: -90 dB relative to full scale.
  package static var level: Float {
    @_noLocks get { 3.162_277_7e-5 }
  }
}
