import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import Glibc
import Synchronization
import Testing

/// Counts sources that are open.
final class Openings: Sendable {
  private struct Numbers {
    var count = 0
    var open = 0
    var most = 0
  }

  private let numbers = Mutex(Numbers())

  var count: Int { numbers.withLock { $0.count } }
  var openCount: Int { numbers.withLock { $0.open } }
  var most: Int { numbers.withLock { $0.most } }

  func open() -> any AudioSource {
    numbers.withLock { numbers in
      numbers.count += 1
      numbers.open += 1
      numbers.most = max(numbers.most, numbers.open)
    }
    return CountedSource(self)
  }

  fileprivate func close() { numbers.withLock { $0.open -= 1 } }

  private final class CountedSource: AudioSource {
    let name = "counted"
    let format = StreamFormat(sampleRate: 44100, channelCount: 1)
    var frameCount: Int? { 44100 }
    private let openings: Openings

    init(_ openings: Openings) { self.openings = openings }

    deinit { openings.close() }

    func read(
      into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
    ) throws(Failure) -> Int {
      channels[0].update(repeating: 0.25, count: frameCount)
      return frameCount
    }

    func seek(toFrame frame: Int) throws(Failure) {}
  }
}

/// Regions that are queued and removed while a player is read.
struct PlayerQueueTests {
  private func player(_ begins: [Int], isEndless: Bool = false) -> PlayerSource {
    let regions = begins.map { begin in region(begin) }
    var schedule = Schedule(
      regions: regions, format: StreamFormat(sampleRate: 1000, channelCount: 1))
    schedule.isEndless = isEndless
    return PlayerSource("player", schedule) { _ in
      ArraySource([[Float](repeating: 1, count: 5000)], sampleRate: 1000)
    }
  }

  private func region(_ begin: Int, _ id: String? = nil) -> ScheduledRegion {
    var region = ScheduledRegion(id: id, file: "one")
    region.begin = begin
    region.frameCount = 5000
    region.pieceLength = 5000
    region.channels = [0]
    return region
  }

  private func read(_ source: any AudioSource, _ count: Int) throws -> [Float] {
    var samples: [Float] = []
    let block = PlanarBuffer(channelCount: 1, frameCount: count)
    while samples.count < count {
      let got = try source.read(into: block.channels, frameCount: count - samples.count)
      if got == 0 { break }
      samples += UnsafeBufferPointer(start: block[0], count: got)
    }
    return samples
  }

  @Test func `a queued region begins at its frame, and nothing else changes`() throws {
    let player = player([0])
    #expect(try read(player, 1000).allSatisfy { $0 == 1 })
    let placement = player.board.add(region(0, "new"), at: .frame(1500))
    #expect(placement == .init(begin: 1500, lateness: 0))
    let rest = try read(player, 1000)
    #expect(rest[..<500].allSatisfy { $0 == 1 })
    #expect(rest[500...].allSatisfy { $0 == 2 })
  }

  @Test func `a region that is queued too late begins at the next frame and reports its lateness`()
    throws
  {
    let player = player([0])
    _ = try read(player, 1000)
    #expect(player.board.add(region(0), at: .frame(400)) == .init(begin: 1000, lateness: 600))
    #expect(player.board.add(region(0), at: .now) == .init(begin: 1000, lateness: 0))
    #expect(try read(player, 100).allSatisfy { $0 == 3 })
    #expect(player.board.add(region(0), at: .last) == .init(begin: 6000, lateness: 0))
  }

  @Test(arguments: [false, true])
  func `a region that is to sound at once is added to frames that were read already`(
    _ canLoop: Bool
  ) throws {
    let player = player([0])
    // Live, every source that can seek is one that can loop.
    let source: any AudioSource = canLoop ? try LoopedSource(player) : player
    #expect(source.regions === player.board)
    let ring = PlanarRing.make(channelCount: 1, minimumCapacity: 4096)
    defer { ring.destroy() }
    #expect(player.board.beginAtOnce(region(0)) == nil, "nobody reads ahead")
    let wakes = Atomic<Int>(0)
    player.board.wakeReader { wakes.add(1, ordering: .relaxed) }
    // The ring wraps, and 900 frames were taken.
    for _ in 0..<2 {
      let samples = try read(source, 2000)
      samples.withUnsafeBufferPointer { samples in
        withUnsafePointer(to: samples.baseAddress!) { _ = ring.push($0, frameCount: 2000) }
      }
      _ = ring.drop(450)
    }
    let number = try #require(player.board.beginAtOnce(region(0, "now")))
    #expect(wakes.load(ordering: .relaxed) == 1)
    #expect(player.board.placement(of: number) == nil)
    source.beginUrgentRegions(in: ring, lead: 100)
    #expect(try player.board.placement(of: number)?.get() == .init(begin: 1000, lateness: 0))
    #expect(player.board.placement(of: number) == nil)
    let block = PlanarBuffer(channelCount: 1, frameCount: 4000)
    #expect(ring.take(into: block.channels, frameCount: 4000) == 3100)
    let waiting = Array(UnsafeBufferPointer(start: block[0], count: 3100))
    #expect(waiting[..<100].allSatisfy { $0 == 1 } && waiting[100...].allSatisfy { $0 == 2 })
    // The region goes on for its 5000 frames behind what was read, and the first one ends before it.
    let rest = try read(source, 3000)
    #expect(rest.count == 2000)
    #expect(rest[..<1000].allSatisfy { $0 == 2 } && rest[1000...].allSatisfy { $0 == 1 })
  }

  @Test func `in a loop a region begins behind what was read`() throws {
    let player = player([0])
    let source = try LoopedSource(player, loop: SourceLoop(from: 0, to: 1000))
    let ring = PlanarRing.make(channelCount: 1, minimumCapacity: 4096)
    defer { ring.destroy() }
    player.board.wakeReader {}
    let samples = try read(source, 1000)
    samples.withUnsafeBufferPointer { samples in
      withUnsafePointer(to: samples.baseAddress!) { _ = ring.push($0, frameCount: 1000) }
    }
    let number = try #require(player.board.beginAtOnce(region(0, "now")))
    source.beginUrgentRegions(in: ring, lead: 100)
    #expect(try player.board.placement(of: number)?.get().begin == 1000)
  }

  @Test(arguments: [false, true])
  func `a file is closed if its region is removed while it is opened`(_ cancelsAll: Bool) throws {
    let openings = Openings()
    let isRemoved = Atomic<Bool>(false)
    let regions = RegionOpenings(
      { _ in
        let source = openings.open()
        while !isRemoved.load(ordering: .acquiring) { usleep(1000) }
        return source
      }, RateConversion(to: 44100))
    regions.prepare(region(0), order: 3)
    while openings.openCount == 0 { usleep(1000) }
    if cancelsAll { regions.cancel() } else { regions.discard(3) }
    isRemoved.store(true, ordering: .releasing)
    for _ in 0..<20_000 where openings.openCount > 0 { usleep(1000) }
    #expect(openings.openCount == 0)
    withExtendedLifetime(regions) {}
  }

  @Test func `a player without an end waits for regions in silence`() throws {
    let player = player([], isEndless: true)
    #expect(player.frameCount == nil)
    #expect(try read(player, 3000).allSatisfy { $0 == 0 })
    #expect(player.board.add(region(0), at: .last) == .init(begin: 3000, lateness: 0))
    #expect(try read(player, 5000).allSatisfy { $0 == 1 })
    #expect(try read(player, 10).allSatisfy { $0 == 0 })
  }

  @Test func `a finished player accepts no more regions`() throws {
    let player = player([0])
    #expect(try read(player, 6000).count == 5000)
    #expect(player.board.add(region(0), at: .now) == nil)
  }

  @Test func `a removed region fades out, and a future one does not begin`() throws {
    let player = player([0], isEndless: true)
    _ = player.board.add(region(0, "on"), at: .frame(100))
    _ = player.board.add(region(0, "later"), at: .frame(3000))
    _ = try read(player, 1000)
    #expect(player.board.remove("on") == 1)
    #expect(player.board.remove("later") == 1)
    #expect(player.board.remove("nobody") == 0)
    let heard = try read(player, 3000)
    // 20 frames from two to one.
    #expect(heard[0] < 2 && heard[0] > 1.9 && heard[19] > 1 && heard[20] == 1)
    #expect(zip(heard[..<20], heard[1...20]).allSatisfy { $0 > $1 })
    #expect(heard[20...].allSatisfy { $0 == 1 })
  }
}
