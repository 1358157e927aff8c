import CRealtime
import Dispatch
import Foundation
import FxAudio
@testable import FxMedia
@testable import FxPlaying
import FxSoundTestSupport
import Glibc
import Testing

struct FeedTests {
  @Test func `two threads lose and invent nothing in a small ring`() {
    let ring = PlanarRing.make(channelCount: 2, minimumCapacity: 128)
    let total = 100_000
    var failure: Int32 = 0
    let writer = WorkerThread(failure: &failure) {
      let buffer = PlanarBuffer(channelCount: 2, frameCount: 64)
      var next = 0
      var seed: UInt32 = 1
      while next < total {
        seed = seed &* 1_664_525 &+ 1_013_904_223
        let count = min(Int(seed >> 26) + 1, total - next)
        for frame in 0..<count {
          buffer[0][frame] = Float(next + frame)
          buffer[1][frame] = -Float(next + frame)
        }
        let pushed = ring.push(buffer.readable, frameCount: count)
        next += pushed
        if pushed == 0 { sched_yield() }
      }
      ring.end()
    }
    let buffer = PlanarBuffer(channelCount: 2, frameCount: 50)
    var next = 0
    var wrong = 0
    while true {
      let isEnded = ring.isEnded
      let count = ring.take(into: buffer.channels, frameCount: 1 + next % 50)
      for frame in 0..<count
      where buffer[0][frame] != Float(next + frame) || buffer[1][frame] != -Float(next + frame) {
        wrong += 1
      }
      next += count
      if count == 0 {
        if isEnded { break }
        sched_yield()
      }
    }
    writer?.join()
    #expect(next == total)
    #expect(wrong == 0)
    ring.destroy()
  }

  @Test func `a source comes through its feed whole and in order`() throws {
    let sound = [(0..<50000).map { Float($0) }]
    let feed = try SourceFeed(ArraySource(sound), capacity: 512)
    #expect(taken(feed) == sound[0])
    #expect(feed.error == nil)
  }

  @Test func `a source without read-ahead is read on the taking thread, whole and in order`()
    throws
  {
    let sound = [(0..<50000).map { Float($0) }]
    let source = ThreadNotingSource(sound)
    let feed = try SourceFeed(source, startFrame: 100, readsAhead: false)
    #expect(taken(feed) == Array(sound[0][100...]))
    #expect(feed.error == nil)
    #expect(source.threads == [pthread_self()])
  }

  @Test func `a source without read-ahead ends with its failure, or when it is stopped`()
    throws
  {
    let empty = try SourceFeed(ArraySource([[]]), mustHaveSound: true, readsAhead: false)
    #expect(!empty.isExhausted)
    empty.wait(frameCount: 64)
    #expect(empty.isExhausted)
    #expect(empty.error?.code == .empty)
    let stopped = try SourceFeed(
      NullSource(format: StreamFormat(sampleRate: 44100, channelCount: 2)), readsAhead: false)
    stopped.wait(frameCount: 64)
    #expect(!stopped.isExhausted)
    let buffer = PlanarBuffer(channelCount: 2, frameCount: 64)
    stopped.stop()
    while stopped.take(into: buffer.channels, frameCount: 64) > 0 {}
    stopped.wait(frameCount: 64)
    #expect(stopped.isExhausted)
  }

  /// The default floating-point mode of a thread.
  private static var usualMode: UInt64 {
    #if arch(x86_64)
      0x1f80
    #else
      0
    #endif
  }

  @Test func `a source is read with denormals on the thread that renders without them`() throws {
    // A render may have run on this thread before.
    fx_set_floating_point_mode(Self.usualMode)
    let source = DenormalSource()
    let feed = try SourceFeed(source, readsAhead: false)
    let buffer = PlanarBuffer(channelCount: 1, frameCount: 1)
    let mode = fx_flush_denormals()
    let rendering = fx_floating_point_mode()
    feed.wait(frameCount: 1)
    let after = fx_floating_point_mode()
    fx_set_floating_point_mode(mode)
    _ = feed.take(into: buffer.channels, frameCount: 1)
    #expect(buffer[0][0].isSubnormal)
    #expect(after == rendering)
  }

  /// All frames of a feed of one channel.
  private func taken(_ feed: SourceFeed) -> [Float] {
    let buffer = PlanarBuffer(channelCount: 1, frameCount: 700)
    var back: [Float] = []
    while !feed.isExhausted {
      feed.wait(frameCount: 200)
      let count = feed.take(into: buffer.channels, frameCount: 700)
      back.append(contentsOf: UnsafeBufferPointer(start: buffer[0], count: count))
    }
    return back
  }

  @Test func `several late files delay a start no longer than one`() throws {
    let sources = (0..<6).map { _ in StuckSource() }
    let feeds = try sources.map { try SourceFeed($0, capacity: 256) }
    defer { for source in sources { source.interrupt() } }
    let start = fx_monotonic_seconds()
    #expect(!feeds.wait(frameCount: 64, seconds: 0.5))
    let waited = fx_monotonic_seconds() - start
    #expect(waited >= 0.5 && waited < 1.5)
  }

  @Test func `a feed that is never emptied ends when it is released`() throws {
    var feed: SourceFeed? = try SourceFeed(
      NullSource(format: StreamFormat(sampleRate: 44100, channelCount: 2)), capacity: 256)
    feed?.wait(frameCount: 64)
    feed = nil
    #expect(feed == nil)
  }

  @Test func `sound pushed with waiting arrives whole and in order`() throws {
    let sink = ArraySink(StreamFormat(sampleRate: 44100, channelCount: 1))
    let feed = try SinkFeed(sink, capacity: 512)
    let buffer = PlanarBuffer(channelCount: 1, frameCount: 900)
    var next = 0
    for count in (0..<60).map({ 1 + $0 * 15 }) {
      for frame in 0..<count { buffer[0][frame] = Float(next + frame) }
      #expect(feed.pushWaiting(buffer.readable, frameCount: count))
      next += count
    }
    try feed.finish()
    #expect(sink.isFinished)
    #expect(sink.channels[0] == (0..<next).map { Float($0) })
    #expect(feed.overrunFrameCount == 0)
  }

  @Test func `the pushing thread writes due frames, and the rest at the end`() throws {
    let sink = ArraySink(StreamFormat(sampleRate: 44100, channelCount: 2))
    let feed = try SinkFeed(sink, capacity: 512, writesBehind: false)
    let buffer = PlanarBuffer(channelCount: 2, frameCount: 256)
    var next = 0
    for count in (0..<60).map({ 1 + $0 * 37 % 256 }) {
      for frame in 0..<count {
        buffer[0][frame] = Float(next + frame)
        buffer[1][frame] = -Float(next + frame)
      }
      feed.writeDue()
      // No other thread may write: frames that are not due stay in the ring.
      #expect(next - sink.channels[0].count < feed.producer.batch)
      #expect(feed.producer.ring.writableCount >= feed.producer.pieceFrameCount)
      feed.producer.push(buffer.readable, frameCount: count)
      next += count
    }
    try feed.finish()
    #expect(sink.isFinished)
    #expect(sink.channels[0] == (0..<next).map { Float($0) })
    #expect(sink.channels[1] == (0..<next).map { -Float($0) })
    #expect(feed.overrunFrameCount == 0)
  }

  @Test func `the pushing thread writes with denormals`() throws {
    let sink = ArraySink(StreamFormat(sampleRate: 44100, channelCount: 1))
    let feed = try SinkFeed(
      LevelledSink(sink, amplitude: 0.5, changes: [], latency: 0), capacity: 64, writesBehind: false
    )
    let buffer = PlanarBuffer(channelCount: 1, frameCount: 32)
    for frame in 0..<32 { buffer[0][frame] = .leastNormalMagnitude }
    let mode = fx_flush_denormals()
    let flushing = fx_floating_point_mode()
    feed.producer.push(buffer.readable, frameCount: 32)
    feed.writeDue()
    let after = fx_floating_point_mode()
    fx_set_floating_point_mode(mode)
    #expect(after & ~0x3f == flushing)
    #expect(sink.channels[0] == Array(repeating: .leastNormalMagnitude / 2, count: 32))
    try feed.finish()
  }

  @Test func `a sink that fails on the pushing thread is not written to again`() throws {
    let sink = ArraySink(StreamFormat(sampleRate: 44100, channelCount: 1))
    sink.capacity = 100
    let feed = try SinkFeed(sink, capacity: 64, writesBehind: false)
    let buffer = PlanarBuffer(channelCount: 1, frameCount: 32)
    var isAccepted = true
    var turns = 0
    while isAccepted, turns < 100 {
      isAccepted = feed.pushWaiting(buffer.readable, frameCount: 32)
      turns += 1
    }
    #expect(turns < 10)
    #expect(feed.hasFailed)
    #expect(throws: Failure.self) { try feed.complete() }
    #expect(sink.channels[0].count <= 100 + feed.producer.ring.capacity)
  }

  @Test func `a file is written in large pieces, and a stream to a listener in small ones`() throws
  {
    for (writesSoon, least) in [(false, 32_768), (true, 8192)] {
      let sink = ArraySink(StreamFormat(sampleRate: 44100, channelCount: 2))
      let feed = try SinkFeed(sink, writesSoon: writesSoon)
      #expect(feed.producer.batch == least)
      let buffer = PlanarBuffer(channelCount: 2, frameCount: 8192)
      #expect(feed.pushWaiting(buffer.readable, frameCount: 8191))
      usleep(20_000)
      #expect(sink.gate.withLock { sink.channels[0].count } == 0)
      #expect(feed.pushWaiting(buffer.readable, frameCount: 1))
      if writesSoon {
        while sink.gate.withLock({ sink.channels[0].count }) < 8192 { usleep(1000) }
      }
      try feed.finish()
      #expect(sink.channels[0].count == 8192)
    }
  }

  @Test func `live frames that find no room are counted`() throws {
    let sink = ArraySink(StreamFormat(sampleRate: 44100, channelCount: 1))
    let feed = try SinkFeed(sink, capacity: 64)
    let buffer = PlanarBuffer(channelCount: 1, frameCount: 1000)
    feed.producer.push(buffer.readable, frameCount: 1000)
    #expect(feed.overrunFrameCount == 1000 - 64)
    try feed.finish()
    #expect(sink.channels[0].count == 1000)
    #expect(feed.gaps == [RenderSummary.Gap(frame: 64, frames: 1000 - 64)])
  }

  @Test func `frames that are lost are silent in the file, which keeps its time`() throws {
    let sink = ArraySink(StreamFormat(sampleRate: 44100, channelCount: 2))
    let feed = try SinkFeed(sink, capacity: 256)
    let buffer = PlanarBuffer(channelCount: 2, frameCount: 100)
    var watch = FileOverrunMonitor([feed])
    var told: [Int] = []
    sink.gate.lock()
    var frame = 0
    for round in 0..<40 {
      for offset in 0..<100 {
        buffer[0][offset] = Float(frame + offset + 1)
        buffer[1][offset] = -Float(frame + offset + 1)
      }
      feed.producer.push(buffer.readable, frameCount: 100)
      frame += 100
      if round % 10 == 9 {
        // The disk accepts data for a while.
        sink.gate.unlock()
        _ = feed.producer.waitForRoom(frameCount: 128)
        sink.gate.lock()
      }
      watch.look(at: Double(round)) { event in
        if case .overrun(_, let frame, _) = event { told.append(frame) }
      }
    }
    sink.gate.unlock()
    try feed.finish()
    #expect(sink.channels[0].count == 4000)
    #expect(feed.overrunFrameCount > 1000)
    #expect(feed.gaps.map(\.frames).reduce(0, +) == feed.overrunFrameCount)
    var expected = (1...4000).map { Float($0) }
    for gap in feed.gaps {
      for frame in gap.frame..<gap.frame + gap.frames { expected[frame] = 0 }
    }
    #expect(sink.channels[0] == expected)
    #expect(sink.channels[1] == expected.map { -$0 })
    #expect(feed.gaps.count > 1)
    // Reported at once, and then from time to time.
    #expect(told.first == feed.gaps.first?.frame)
    #expect(told.count > 1 && told.count <= 8)
  }

  @Test func `a live feed waits for a slow disk for eight seconds`() throws {
    for (channels, rate) in [(2, 48000.0), (1, 44100), (64, 96000), (1024, 192_000)] {
      let format = StreamFormat(sampleRate: rate, channelCount: channels)
      let capacity = PlanarRing.patientCapacity(channelCount: channels, sampleRate: rate)
      let bytes = capacity * channels * 4
      #expect(bytes <= 64 << 20)
      #expect(Double(capacity) >= rate * 8 || bytes > 60 << 20)
      guard channels < 64 else { continue }
      let feed = try SinkFeed(ArraySink(format), isLive: true)
      #expect(feed.producer.ring.capacity >= capacity)
    }
  }

  @Test func `a feed has room for four blocks however wide and large they are`() throws {
    let format = StreamFormat(sampleRate: 44100, channelCount: 100)
    let sink = try SinkFeed(ArraySink(format), blockFrameCount: 8192)
    #expect(sink.producer.ring.capacity >= 4 * 8192)
    let source = try SourceFeed(NullSource(format: format), blockFrameCount: 8192)
    #expect(source.consumer.ring.capacity >= 4 * 8192)
    source.wait(frameCount: 2 * 8192)
    #expect(source.consumer.ring.readableCount >= 2 * 8192)
  }

  @Test func `a sink that fails is reported to the pushing thread and abandoned at the end`() throws
  {
    let sink = ArraySink(StreamFormat(sampleRate: 44100, channelCount: 1))
    sink.capacity = 1000
    let feed = try SinkFeed(sink, capacity: 512)
    let buffer = PlanarBuffer(channelCount: 1, frameCount: 10000)
    #expect(!feed.pushWaiting(buffer.readable, frameCount: 10000))
    #expect(feed.error?.code == .diskFull)
    #expect(ioError { try feed.finish() }?.code == .diskFull)
    #expect(sink.isAbandoned)
  }
}

/// A source whose read waits until it is interrupted.
private final class StuckSource: AudioSource, @unchecked Sendable {
  // Sendable: a semaphore is made for several threads.
  let name = "stuck"
  let format = StreamFormat(sampleRate: 44100, channelCount: 1)
  let frameCount: Int? = nil
  private let gate = DispatchSemaphore(value: 0)

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    gate.wait()
    gate.signal()
    return 0
  }

  func seek(toFrame frame: Int) throws(Failure) {}

  func interrupt() { gate.signal() }
}

/// Records the threads that read it.
private final class ThreadNotingSource: AudioSource {
  let name = "noting"
  let format: StreamFormat
  let frameCount: Int?
  private let sound: ArraySource
  private(set) var threads: Set<pthread_t> = []

  init(_ channels: [[Float]]) {
    sound = ArraySource(channels)
    format = sound.format
    frameCount = sound.frameCount
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    threads.insert(pthread_self())
    return try sound.read(into: channels, frameCount: frameCount)
  }

  func seek(toFrame frame: Int) throws(Failure) { try sound.seek(toFrame: frame) }
}

/// Halves a number until it is denormal.
private final class DenormalSource: AudioSource {
  let name = "denormal"
  let format = StreamFormat(sampleRate: 44100, channelCount: 1)
  let frameCount: Int? = nil
  private var sample: Float = 1

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    while sample >= Float.leastNormalMagnitude { sample *= 0.5 }
    channels[0][0] = sample
    return 1
  }

  func seek(toFrame frame: Int) throws(Failure) {}
}
