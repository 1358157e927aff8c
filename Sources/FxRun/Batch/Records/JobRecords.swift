import FxAudio

/// The records of the last attempt at one job: one record, or one for each part of a split input.
package struct JobRecords: Sendable, Equatable {
  package private(set) var records: [BatchRecord]

  init(_ records: [BatchRecord]) { self.records = records }

  /// The record that all parts agree with.
  package var first: BatchRecord? { records.first }

  /// Adds the next line of a journal: the next part of the same attempt, or the beginning of another.
  mutating func add(_ record: BatchRecord) {
    if let part = record.part, part.number > 1, part.number == records.count + 1,
      let last = records.last, last.part?.count == part.count, last.key == record.key
    {
      records.append(record)
    } else {
      records = [record]
    }
  }

  /// True if no record of a part is missing.
  package var isComplete: Bool {
    guard let part = records.first?.part else { return records.count == 1 }
    return part.number == 1 && records.count == part.count
  }

  /// True if all outputs of the plan have their recorded sizes. The input may have changed.
  func isDone(_ plan: String) -> Bool {
    isComplete && records.allSatisfy { $0.plan == plan && $0.hasOutput() }
  }
}
