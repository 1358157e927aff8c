import Foundation
@testable import FxEngine
import Synchronization

/// Threads that poll the running program for work all the time.
final class BusyHelpers: Sendable {
  private let isEnding = Atomic<Bool>(false)
  private let runningCount: Atomic<Int>

  init(_ slot: ProgramSlot) {
    runningCount = Atomic(slot.helperCount)
    for helper in 0..<slot.helperCount {
      Thread {
        while !self.isEnding.load(ordering: .acquiring) {
          if let board = slot.enter(helper: helper) {
            board.render(board.claim(atLeast: 1, spare: 1, thread: helper + 2))
          }
          slot.leave(helper: helper)
        }
        self.runningCount.subtract(1, ordering: .releasing)
      }.start()
    }
  }

  func end() {
    isEnding.store(true, ordering: .releasing)
    while runningCount.load(ordering: .acquiring) > 0 { usleep(50) }
  }
}
