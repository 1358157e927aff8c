import FxKit

/// The progress of a batch.
struct BatchTotals: Sendable, Equatable {
  package var files: Int
  package var done = 0
  /// The files that the finished inputs were split into.
  var parts = 0
  package var failed = 0
  /// Finished files that had the wanted loudness already.
  package var alreadyRight = 0
  /// Finished files with warnings that the chain itself does not have.
  var warned = 0
  /// Files that were up to date.
  package var skipped = 0
  /// Seconds of sound that were rendered.
  package var soundSeconds = 0.0
  package var elapsed = 0.0
  /// The bytes of the finished inputs, and of all inputs to render.
  package var bytes = 0
  var allBytes = 0
  /// True after a failure that a later run may not have.
  var hasTemporaryFailure = false
  /// The failure that ended the batch early.
  var abortion: ChainFailure?
  /// Files that were not finished.
  package var left: Int { files - done - failed - skipped }

  package init(files: Int) { self.files = files }

  package var speed: Double { elapsed > 0 ? soundSeconds / elapsed : 0 }

  /// The estimated seconds for the rest; nil before the first finished file.
  var secondsLeft: Double? {
    guard bytes > 0, elapsed > 0 else { return nil }
    return elapsed * Double(allBytes - bytes) / Double(bytes)
  }
}

extension BatchTotals {
  /// Counts a job that was rendered or has failed.
  mutating func count(_ records: [BatchRecord], chainWarnings: Set<String>) {
    guard let first = records.first else { return }
    if let failure = first.failure {
      failed += 1
      if failure.isTemporary { hasTemporaryFailure = true }
      if failure.endsBatch { abortion = failure }
      return
    }
    done += 1
    if first.isAlreadyRight { alreadyRight += 1 }
    if !records.allSatisfy({ chainWarnings.isSuperset(of: $0.result.warnings) }) { warned += 1 }
    parts += records.count { $0.part != nil }
    for record in records { soundSeconds += record.result.seconds }
  }
}
