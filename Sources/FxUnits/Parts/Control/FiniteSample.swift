extension Float {
  // MARK: - Realtime

  /// The sample itself, or 0 for infinities and not-a-number, which would stay in a feedback loop.
  @inlinable @inline(__always)
  var finiteSample: Float {
    @_noLocks get { magnitude <= 1e18 ? self : 0 }
  }
}
