/// Where silence begins.
public enum Silence {
  // MARK: - Realtime

  /// -90 dB relative to full scale: a sample whose magnitude is below counts as silent.
  public static var threshold: Float {
    @_noLocks @inlinable get { 3.162_277_7e-5 }
  }
}
