/// How far a batch is.
package struct BatchTotals: Sendable, Equatable {
  package var files: Int
  package var done = 0
  package var failed = 0
  /// Files among those done that have warnings which the chain by itself does not have.
  package var warned = 0
  /// Done before, with the same key.
  package var skipped = 0
  /// Seconds of sound that were rendered.
  package var soundSeconds = 0.0
  package var elapsed = 0.0
  /// Bytes of the inputs that are through, and of all that are to be rendered.
  package var bytes = 0
  package var allBytes = 0
  /// True for a failure that may be gone the next time.
  package var hasTemporaryFailure = false
  /// Why the batch ended before its end.
  package var abortion: BatchFailure?
  /// Files that were not begun.
  package var left: Int { files - done - failed - skipped }

  package init(files: Int) { self.files = files }

  package var speed: Double { elapsed > 0 ? soundSeconds / elapsed : 0 }

  /// Seconds that the rest may take; nil before anything is done.
  package var secondsLeft: Double? {
    guard bytes > 0, elapsed > 0 else { return nil }
    return elapsed * Double(allBytes - bytes) / Double(bytes)
  }
}
