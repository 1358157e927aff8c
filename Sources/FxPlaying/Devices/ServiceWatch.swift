/// Detects that one end of a device was serviced later than its buffer lasts. A sound server may
/// skip missing frames, or drop recorded ones, without any error.
///
/// Belongs to the render thread.
struct ServiceWatch: BitwiseCopyable {
  /// The time of the last service; 0 while the end does not run.
  private(set) var servedAt = 0.0
  /// Seconds after the last service until an underrun or overrun is certain.
  private var limit = 0.0

  // MARK: - Realtime

  /// Records a service at `now`. The end has `reserve` frames left, and moves in periods.
  @_noLocks
  mutating func serve(at now: Double, reserve: Int, period: Int, sampleRate: Double) {
    servedAt = now
    limit = Double(max(reserve, 0) &+ period) / sampleRate
  }

  /// Seconds by which a service at `now` is too late; 0 or less when it is in time.
  @_noLocks
  func lateness(at now: Double) -> Double { servedAt > 0 ? now - servedAt - limit : 0 }

  /// Call this when the end no longer runs.
  @_noLocks
  mutating func reset() { servedAt = 0 }
}
