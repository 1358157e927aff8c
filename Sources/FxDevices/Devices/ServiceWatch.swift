/// Notices that one end of a device was served later than its buffer lasts. A sound server may leave
/// out what is missing, or drop what nobody took, without any error.
///
/// Belongs to the render thread.
struct ServiceWatch: BitwiseCopyable {
  /// When it was served last; 0 where it does not run.
  private(set) var servedAt = 0.0
  /// Seconds from then on after which it has certainly run dry, or over.
  private var limit = 0.0

  // MARK: - Realtime

  /// It was served at `now`. It has `reserve` frames to go on with, and moves in periods.
  @_noLocks
  mutating func serve(at now: Double, reserve: Int, period: Int, sampleRate: Double) {
    servedAt = now
    limit = Double(max(reserve, 0) &+ period) / sampleRate
  }

  /// Seconds by which it is too late to serve it now; 0 or less where it is in time.
  @_noLocks
  func lateness(at now: Double) -> Double { servedAt > 0 ? now - servedAt - limit : 0 }

  /// It does not run any more.
  @_noLocks
  mutating func reset() { servedAt = 0 }
}
