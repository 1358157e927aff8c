import Synchronization

/// A fault of a unit while it rendered.
package enum UnitFault: UInt32, Sendable, Hashable, CaseIterable {
  /// A sample that is NaN or infinite.
  case nonFinite = 1
  /// Its process ended.
  case crashed
  /// Its process did not answer in time.
  case hung
}

/// Reports from a plugin while it renders, written by the render thread and read by any thread: its
/// latency, which may change, and its first fault.
package struct UnitMonitor: @unchecked Sendable {
  // Sendable: the cells are atomics; the memory belongs to the instance that outlives both sides.
  private let latencyCell: UnsafeMutablePointer<Atomic<Int>>
  private let faultCell: UnsafeMutablePointer<Atomic<UInt32>>
  private let faultFrameCell: UnsafeMutablePointer<Atomic<Int>>

  package init(latency: Int = 0) {
    latencyCell = .allocate(capacity: 1)
    latencyCell.initialize(to: Atomic(latency))
    faultCell = .allocate(capacity: 1)
    faultCell.initialize(to: Atomic(0))
    faultFrameCell = .allocate(capacity: 1)
    faultFrameCell.initialize(to: Atomic(0))
  }

  /// Frees the cells; the owner calls it once.
  package func destroy() {
    latencyCell.deinitialize(count: 1)
    latencyCell.deallocate()
    faultCell.deinitialize(count: 1)
    faultCell.deallocate()
    faultFrameCell.deinitialize(count: 1)
    faultFrameCell.deallocate()
  }

  /// The fault that has not been cleared, and the frame on the unit's own timeline where its block
  /// started.
  package var fault: (kind: UnitFault, frame: Int)? {
    guard let kind = UnitFault(rawValue: faultCell.pointee.load(ordering: .acquiring)) else {
      return nil
    }
    return (kind, faultFrameCell.pointee.load(ordering: .relaxed))
  }

  package func clearFault() { faultCell.pointee.store(0, ordering: .releasing) }

  // MARK: - Realtime

  /// The current latency in frames.
  package var latency: Int {
    @_noLocks get { latencyCell.pointee.load(ordering: .relaxed) }
    @_noLocks nonmutating set { latencyCell.pointee.store(newValue, ordering: .relaxed) }
  }

  /// True until the fault is cleared.
  package var isFaulty: Bool {
    @_noLocks get { faultCell.pointee.load(ordering: .relaxed) != 0 }
  }

  /// Records a fault unless there is one already. From one thread at a time.
  @_noLocks
  package func raise(_ fault: UInt32, frame: Int) {
    guard faultCell.pointee.load(ordering: .relaxed) == 0 else { return }
    faultFrameCell.pointee.store(frame, ordering: .relaxed)
    faultCell.pointee.store(fault, ordering: .releasing)
  }
}
