import Synchronization

/// Figures written by the render thread and read by anybody at any time. Never freed while either
/// side holds its instance.
package struct ReadingBoard: @unchecked Sendable {
  // Sendable: the cells are atomics; the memory belongs to the instance that outlives both sides.
  package let cellCount: Int
  private let cells: UnsafeMutablePointer<Atomic<UInt32>>

  /// All cells at zero.
  package init(cellCount: Int) {
    self.cellCount = cellCount
    cells = .allocate(capacity: max(cellCount, 1))
    for index in 0..<cellCount {
      (cells + index).initialize(to: Atomic(Float(0).bitPattern))
    }
  }

  /// Frees the cells; the owner calls it once.
  package func destroy() {
    cells.deinitialize(count: cellCount)
    cells.deallocate()
  }

  // MARK: - Realtime

  package subscript(index: Int) -> Float {
    @_noLocks get { Float(bitPattern: cells[index].load(ordering: .relaxed)) }
    @_noLocks nonmutating set { cells[index].store(newValue.bitPattern, ordering: .relaxed) }
  }
}
