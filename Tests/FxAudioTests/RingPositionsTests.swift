import Dispatch
@testable import FxAudio
import Glibc
import Testing

struct RingPositionsTests {
  /// Numbers through a ring, as its users have them.
  private struct Ring: @unchecked Sendable {
    let slots: UnsafeMutablePointer<Int>
    let positions: RingPositions

    init(_ slotCount: Int) {
      slots = .allocate(capacity: slotCount)
      slots.initialize(repeating: -1, count: slotCount)
      positions = .make(slotCount: slotCount)
    }

    func destroy() {
      slots.deallocate()
      positions.destroy()
    }

    func push(_ value: Int) -> Bool {
      let slot = positions.freeSlot
      guard slot >= 0 else { return false }
      slots[slot] = value
      positions.produce()
      return true
    }

    func pop() -> Int? {
      let slot = positions.filledSlot
      guard slot >= 0 else { return nil }
      let value = slots[slot]
      positions.consume()
      return value
    }
  }

  private func withRing(_ slotCount: Int, _ body: (Ring) throws -> Void) rethrows {
    let ring = Ring(slotCount)
    defer { ring.destroy() }
    try body(ring)
  }

  @Test func `values come out in the order in which they went in`() {
    withRing(4) { ring in
      #expect(ring.pop() == nil)
      for round in 0..<10 {
        #expect(ring.push(round))
        #expect(ring.push(-round))
        #expect(ring.pop() == round)
        #expect(ring.pop() == -round)
        #expect(ring.pop() == nil)
      }
    }
  }

  @Test func `a full ring takes nothing until something is taken`() {
    withRing(4) { ring in
      for value in 0..<4 { #expect(ring.push(value)) }
      #expect(!ring.push(4))
      #expect(ring.pop() == 0)
      #expect(ring.push(5))
      #expect((0..<4).map { _ in ring.pop() } == [1, 2, 3, 5])
      #expect(ring.positions.producedCount == 5 && ring.positions.consumedCount == 5)
    }
  }

  @Test func `nothing is lost or doubled between two threads`() {
    withRing(64) { ring in
      let count = 200_000
      let ended = DispatchSemaphore(value: 0)
      DispatchQueue(label: "producer").async {
        var next = 0
        while next < count {
          if ring.push(next) { next += 1 } else { sched_yield() }
        }
        ended.signal()
      }
      var expected = 0
      while expected < count {
        guard let value = ring.pop() else {
          sched_yield()
          continue
        }
        if value != expected { break }
        expected += 1
      }
      #expect(expected == count)
      ended.wait()
    }
  }
}
