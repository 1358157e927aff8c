import Synchronization

/// Readings that the render thread writes and any thread reads at any time. Never freed while
/// either side holds its instance.
public struct ReadingBoard: @unchecked Sendable {
  // Sendable: the cells are atomics; the memory belongs to the instance that outlives both sides.
  package let cellCount: Int
  private let cells: UnsafeMutablePointer<Atomic<UInt32>>?

  /// All cells at zero. A board without cells has no memory to free.
  package init(cellCount: Int) {
    self.cellCount = cellCount
    cells = cellCount == 0 ? nil : .allocate(capacity: cellCount)
    guard let cells else { return }
    for index in 0..<cellCount {
      (cells + index).initialize(to: Atomic(Float(0).bitPattern))
    }
  }

  /// Frees the cells; the owner calls it once.
  package func destroy() {
    cells?.deinitialize(count: cellCount)
    cells?.deallocate()
  }

  // MARK: - Realtime

  public subscript(index: Int) -> Float {
    @_noLocks get {
      guard let cells else { return 0 }
      return Float(bitPattern: cells[index].load(ordering: .relaxed))
    }
    @_noLocks nonmutating set {
      guard let cells else { return }
      cells[index].store(newValue.bitPattern, ordering: .relaxed)
    }
  }
}
