/// What counts as silent: where a tail ends, a fade is over and nothing has to be rendered.
package enum Silence {
  // MARK: - Realtime

  /// The amplitude below which nothing is heard: -90 dB relative to full scale.
  package static var level: Float {
    @_noLocks get { 3.162_277_7e-5 }
  }
}
