/// What a unit is for a `Preparation`, known before anything is allocated for it.
package struct UnitTraits: Sendable, Hashable {
  /// Frames by which the output is late.
  package var latency: Int
  /// How long it sounds on with the values that the preparation names.
  package var tail: Tail
  /// Frames of its past that a change of a parameter can bring back after the tail is over: a delay
  /// whose time grows reads what it had passed already.
  package var recall: Int
  /// Bytes that the kernel allocates.
  package var memory: Int
  /// Filters of second order that the unit is nothing but while its parameters stand, on all channels
  /// alike; 0 for another unit. See `UnitEntry.join`.
  package var filterCount: Int

  package init(
    latency: Int = 0, tail: Tail = .none, recall: Int = 0, memory: Int = 0, filterCount: Int = 0
  ) {
    self.latency = latency
    self.tail = tail
    self.recall = recall
    self.memory = memory
    self.filterCount = filterCount
  }
}
