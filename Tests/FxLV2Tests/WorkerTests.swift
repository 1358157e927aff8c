import FxAudio
@testable import FxLV2
import Glibc
import Synchronization
import Testing

@Suite struct WorkerTests {
  @Test func `offline a job is done after the block that asks for it`() throws {
    let worker = try fixture("worker").made()
    let output = worker.render([[Float](repeating: 1, count: 8)], block: 2)
    #expect(output == [[0, 0, 1, 1, 2, 2, 3, 3]])
    #expect(worker.reading("cycles") == 3)
  }

  @Test func `two renders with jobs in them are the same`() throws {
    let input = [(0..<500).map { Float($0 % 7) }]
    let first = try fixture("worker").made().render(input, block: 33)
    let second = try fixture("worker").made().render(input, block: 33)
    #expect(first == second)
  }

  @Test func `live a job is done on another thread and its answer comes back`() throws {
    let worker = try fixture("worker").made(live: true)
    var gain: Float = 0
    for _ in 0..<2000 where gain == 0 {
      gain = worker.render([[1]])[0][0]
      usleep(1000)
    }
    #expect(gain >= 1)
  }

  @Test func `messages come out of the ring as they went in, across its end`() {
    let ring = ByteRing(capacity: 64)
    defer { ring.destroy() }
    let target = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    defer { target.deallocate() }
    for round in 0..<50 {
      let message = (0..<(round % 23)).map { UInt8($0 + round) }
      let isSent = message.withUnsafeBytes {
        ring.push($0.baseAddress, size: UInt32($0.count), tag: UInt32(round))
      }
      #expect(isSent)
      let received = ring.pop(into: target)
      #expect(received?.tag == UInt32(round))
      #expect(Int(received?.size ?? 99) == message.count)
      #expect(Array(UnsafeRawBufferPointer(start: target, count: message.count)) == message)
    }
    #expect(ring.pop(into: target) == nil)
  }

  @Test func `a full ring refuses and keeps what it has`() {
    let ring = ByteRing(capacity: 64)
    defer { ring.destroy() }
    var word: UInt64 = 7
    #expect((0..<4).allSatisfy { _ in ring.push(&word, size: 8) })
    #expect(!ring.push(&word, size: 8))
    #expect(!ring.push(&word, size: .max))
    let target = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    defer { target.deallocate() }
    #expect(ring.pop(into: target)?.size == 8)
    #expect(ring.push(&word, size: 8))
  }
}
