/// The places of values of several types in one allocation, one after another.
struct MemoryLayoutPlan {
  /// Room for `count` values.
  struct Place<Value: ~Copyable> {
    fileprivate let offset: Int
    fileprivate let count: Int

    /// The place in an allocation; its values are not initialized yet.
    func bind(in memory: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Value> {
      (memory + offset).bindMemory(to: Value.self, capacity: count)
    }
  }

  /// The alignment of the allocation: a cache line.
  static let alignment = 64
  private(set) var byteCount = 0

  /// Reserves space for `count` values, at least one. A cache line starts at the given byte of the
  /// first value.
  mutating func add<Value: ~Copyable>(
    _ type: Value.Type, count: Int = 1, startingLineAt bytes: Int? = nil
  ) -> Place<Value> {
    let alignment = bytes == nil ? MemoryLayout<Value>.alignment : Self.alignment
    let lead = bytes ?? 0
    let offset = (byteCount + lead + alignment - 1) / alignment * alignment - lead
    byteCount = offset + max(count, 1) * MemoryLayout<Value>.stride
    return Place(offset: offset, count: max(count, 1))
  }
}
