import CRealtime

extension [SourceFeed] {
  /// Waits until every feed has `frameCount` frames, for at most `seconds` in total: a chain with
  /// many late files waits no longer than a chain with one. True when all feeds have them.
  @discardableResult
  func wait(frameCount: Int, seconds: Double) -> Bool {
    let limit = fx_monotonic_seconds() + seconds
    var isReady = true
    for feed in self where !feed.hasFrames(frameCount) {
      feed.wait(frameCount: frameCount, seconds: Swift.max(0, limit - fx_monotonic_seconds()))
      isReady = feed.hasFrames(frameCount) && isReady
    }
    return isReady
  }

  /// Waits until every feed can make a jump, for at most `seconds` in total.
  func wait(forJump number: Int, seconds: Double) {
    let limit = fx_monotonic_seconds() + seconds
    for feed in self {
      feed.wait(forJump: number, seconds: Swift.max(0, limit - fx_monotonic_seconds()))
    }
  }
}
