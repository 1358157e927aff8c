/// Properties of a unit for a `Preparation`, known before it allocates anything.
public struct UnitTraits: Sendable, Hashable {
  /// The latency in frames.
  public var latency: Int
  /// The tail with the parameter values of the preparation.
  public var tail: Tail
  /// Past frames that a parameter change can bring back after the tail is over: a delay whose time
  /// increases reads older input again.
  public var recall: Int
  /// Bytes that the kernel allocates.
  public var memory: Int
  /// The number of second-order filters of a unit that consists of nothing else while its
  /// parameters are constant, the same on all channels; 0 for any other unit. See `UnitEntry.join`.
  public var filterCount: Int

  public init(
    latency: Int = 0, tail: Tail = .none, recall: Int = 0, memory: Int = 0, filterCount: Int = 0
  ) {
    self.latency = latency
    self.tail = tail
    self.recall = recall
    self.memory = memory
    self.filterCount = filterCount
  }
}
