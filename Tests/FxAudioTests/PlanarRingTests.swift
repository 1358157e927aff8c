@testable import FxAudio
import Glibc
import Synchronization
import Testing

@Suite struct PlanarRingTests {
  /// Writes counting frames from a number on, each channel with its own hundred thousands.
  private func push(_ ring: PlanarRing, from start: Int, _ count: Int) -> Int {
    let buffer = PlanarBuffer(channelCount: ring.channelCount, frameCount: max(count, 1))
    for channel in 0..<ring.channelCount {
      for frame in 0..<count { buffer[channel][frame] = Float(channel * 100_000 + start + frame) }
    }
    return ring.push(buffer.readable, frameCount: count)
  }

  private func take(_ ring: PlanarRing, _ count: Int) -> [[Float]] {
    let buffer = PlanarBuffer(channelCount: ring.channelCount, frameCount: max(count, 1))
    let taken = ring.take(into: buffer.channels, frameCount: count)
    return (0..<ring.channelCount).map { channel in (0..<taken).map { buffer[channel][$0] } }
  }

  private func frames(_ range: Range<Int>, channels: Int = 2) -> [[Float]] {
    (0..<channels).map { channel in range.map { Float(channel * 100_000 + $0) } }
  }

  @Test func `capacities are powers of two from 64 on`() {
    for (wanted, capacity) in [(-1, 64), (0, 64), (64, 64), (65, 128), (8192, 8192), (8193, 16384)]
    {
      #expect(PlanarRing.capacity(atLeast: wanted) == capacity)
    }
    let ring = PlanarRing.make(channelCount: 3, minimumCapacity: 100)
    defer { ring.destroy() }
    #expect(ring.capacity == 128)
    #expect(ring.channelCount == 3)
    #expect(ring.writableCount == 128)
    #expect(ring.readableCount == 0)
  }

  @Test func `a feed holds 131072 samples, 8192 frames and four blocks at least`() {
    func capacity(_ channels: Int, _ frames: Int?, block: Int) -> Int {
      PlanarRing.feedCapacity(channelCount: channels, capacity: frames, blockFrameCount: block)
    }
    #expect(capacity(0, nil, block: 64) == 131_072)
    #expect(capacity(2, nil, block: 64) == 65536)
    #expect(capacity(32, nil, block: 64) == 8192)
    #expect(capacity(2, nil, block: 32768) == 131_072)
    #expect(capacity(2, 1000, block: 250) == 1000)
    #expect(capacity(2, 1000, block: 251) == 1004)
  }

  @Test func `a ring for a slow disk holds eight seconds, and no more than 64 MB`() {
    func capacity(_ channels: Int, _ rate: Double) -> Int {
      PlanarRing.patientCapacity(channelCount: channels, sampleRate: rate)
    }
    #expect(capacity(2, 48000) == 384_000)
    #expect(capacity(1, 500) == 8192)
    #expect(capacity(64, 192_000) == 262_144)
    #expect(capacity(0, 192_000) == 1_536_000)
    for rate in [Double.nan, .infinity, 1e7] { #expect(capacity(1, rate) == 524_288) }
  }

  @Test func `frames come out in order on both sides of the wrap`() {
    let ring = PlanarRing.make(channelCount: 2, minimumCapacity: 64)
    defer { ring.destroy() }
    #expect(push(ring, from: 0, 40) == 40)
    #expect(ring.writePointer(1).count == 24)
    #expect(take(ring, 30) == frames(0..<30))
    #expect(ring.readPointer(1).count == 34)
    #expect(push(ring, from: 40, 40) == 40)
    #expect(ring.writePointer(0).count == 48)
    #expect((ring.readableCount, ring.writableCount) == (50, 14))
    #expect((ring.writtenCount, ring.readCount) == (80, 30))
    #expect(take(ring, 64) == frames(30..<80))
    #expect((ring.readableCount, ring.writableCount) == (0, 64))
  }

  @Test func `a full ring takes no frame, and an empty one gives none`() {
    let ring = PlanarRing.make(channelCount: 2, minimumCapacity: 64, isTouched: false)
    defer { ring.destroy() }
    #expect(push(ring, from: 0, 60) == 60)
    #expect(push(ring, from: 60, 10) == 4)
    #expect(push(ring, from: 64, 1) == 0)
    #expect(push(ring, from: 64, 0) == 0)
    #expect(ring.writableCount == 0)
    #expect(take(ring, 64) == frames(0..<64))
    #expect(take(ring, 1) == [[], []])
    #expect(ring.readCount == 64)
  }

  @Test func `pointers reach the frames that push and take move`() {
    let ring = PlanarRing.make(channelCount: 2, minimumCapacity: 64)
    defer { ring.destroy() }
    #expect(push(ring, from: 0, 63) == 63)
    #expect(ring.drop(62) == 62)
    for channel in 0..<2 {
      let (place, count) = ring.writePointer(channel)
      #expect(count == 1)
      place[0] = Float(channel * 100_000 + 63)
    }
    ring.advanceHead(1)
    #expect(ring.writePointer(0).count == 64)
    #expect((0..<2).map { ring.readPointer($0).pointer[0] } == [62, 100_062])
    ring.advanceTail(1)
    #expect(take(ring, 9) == frames(63..<64))
  }

  @Test func `no more frames are dropped than there are`() {
    let ring = PlanarRing.make(channelCount: 1, minimumCapacity: 64)
    defer { ring.destroy() }
    #expect(push(ring, from: 0, 10) == 10)
    #expect(ring.drop(3) == 3)
    #expect(take(ring, 2) == frames(3..<5, channels: 1))
    #expect(ring.drop(9) == 5)
    #expect(ring.drop(1) == 0)
    #expect((ring.readCount, ring.readableCount) == (10, 0))
  }

  @Test func `an ended ring keeps its frames, and a cleared one is as new`() {
    let ring = PlanarRing.make(channelCount: 2, minimumCapacity: 64)
    defer { ring.destroy() }
    #expect(push(ring, from: 0, 50) == 50)
    #expect(take(ring, 20) == frames(0..<20))
    #expect(!ring.isEnded)
    ring.end()
    #expect(ring.isEnded)
    #expect(ring.readableCount == 30)
    ring.clear()
    #expect(!ring.isEnded)
    #expect((ring.writtenCount, ring.readCount, ring.writableCount) == (0, 0, 64))
    #expect(push(ring, from: 7, 64) == 64)
    #expect(take(ring, 64) == frames(7..<71))
  }
}

@Suite struct SleeperTests {
  @Test func `nobody is woken while nobody sleeps`() {
    let sleeper = Sleeper.make()
    defer { sleeper.destroy() }
    #expect(!sleeper.wakes())
    sleeper.sleep { true }
    #expect(!sleeper.wakes())
    // The time is over at once, and the flag is taken back.
    sleeper.sleep(seconds: 0) { false }
    #expect(!sleeper.wakes())
  }

  @Test(arguments: [false, true]) func `a sleeper wakes, checks its condition and sleeps on`(
    hasLimit: Bool
  ) throws {
    let sleeper = Sleeper.make()
    let isDone = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
    isDone.initialize(to: Atomic(false))
    defer {
      sleeper.destroy()
      isDone.deinitialize(count: 1)
      isDone.deallocate()
    }
    let condition = { isDone.pointee.load(ordering: .acquiring) }
    var failure: Int32 = 0
    let thread = try #require(
      WorkerThread(failure: &failure) {
        if hasLimit {
          sleeper.sleep(seconds: 600, until: condition)
        } else {
          sleeper.sleep(until: condition)
        }
      })
    // It sleeps again after the first of these.
    for _ in 0..<2 { while !sleeper.wakes() { sched_yield() } }
    isDone.pointee.store(true, ordering: .releasing)
    sleeper.wake()
    thread.join()
    #expect(!sleeper.wakes())
  }
}
