import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// MPEG audio decoded on two threads.
struct AheadSourceTests {
  private let folder = TemporaryFolder()

  /// Two frames fewer than what a jump decodes first, and many more.
  private static let stretches = [5000, 30 * 1152, 100 * 1152]

  @Test(arguments: ["voice.mp3", "mono-vbr.mp3", "no-tag.mp3"], stretches)
  func `two threads give the samples that one gives`(_ name: String, _ stretch: Int) throws {
    let path = Fixture.audio(name)
    let expected = try readAll(try FileSource.open(path))
    let source = AheadSource.wrapping(try FileSource.open(path), stretch: stretch)
    #expect((source is AheadSource) == (expected[0].count >= 4 * stretch))
    let isEqual = try readAll(source) == expected
    #expect(isEqual)
    #expect(source.warnings.isEmpty)
  }

  @Test func `a jump while the other thread is ahead is exact`() throws {
    let path = Fixture.audio("voice.mp3")
    let expected = try readAll(try FileSource.open(path))
    let source = AheadSource.wrapping(try FileSource.open(path), stretch: 6000)
    try #require(source is AheadSource)
    for target in [0, 9000, 6001, 17999, 12000, 3] {
      try source.seek(toFrame: target)
      let buffer = PlanarBuffer(channelCount: source.format.channelCount, frameCount: 7000)
      var done = 0
      while done < 7000 {
        let views = (0..<source.format.channelCount).map { buffer[$0] + done }
        let count = try views.withUnsafeBufferPointer {
          try source.read(into: $0.baseAddress!, frameCount: 7000 - done)
        }
        guard count > 0 else { break }
        done += count
      }
      let isEqual = (0..<done).allSatisfy { buffer[0][$0] == expected[0][target + $0] }
      #expect(isEqual && done == min(7000, expected[0].count - target))
    }
  }

  /// Either thread may find the damage first, because it lies at several places of a stretch.
  @Test(arguments: [20000, 50000, 90000])
  func `from damage on one thread decodes, with the samples and warnings of one`(_ place: Int)
    throws
  {
    var bytes = contents(Fixture.audio("voice.mp3"))
    try #require(bytes.count > place + 3000)
    for index in 0..<2000 { bytes[place + index] = UInt8(truncatingIfNeeded: index &* 37) }
    let path = folder.write("damaged.mp3", Array(bytes))
    let alone = try FileSource.open(path)
    let expected = try readAll(alone)
    let source = AheadSource.wrapping(try FileSource.open(path), stretch: 8000)
    let isEqual = try readAll(source) == expected
    #expect(isEqual)
    #expect(source.warnings == alone.warnings)
  }

  @Test func `one thread decodes free format and short sounds`() throws {
    for (name, stretch) in [("free-format.mp3", 2000), ("voice.mp3", 1 << 24)] {
      let source = try FileSource.open(Fixture.audio(name))
      #expect(!(AheadSource.wrapping(source, stretch: stretch) is AheadSource))
    }
  }

  /// The other thread has ended by then and does not answer.
  @Test func `reading after an interrupt ends`() {
    let ended = Wakeup.make()
    let source = AheadSource.wrapping(CountingSource(frameCount: 10_000), stretch: 1000)
    source.interrupt()
    var code: Int32 = 0
    let count = Counter()
    let thread = WorkerThread(failure: &code) {
      count.value = (try? readAll(source)[0].count) ?? 0
      ended.signal()
    }
    let isOver = ended.wait(seconds: 20)
    #expect(isOver)
    guard isOver else { return thread?.forget() ?? () }
    thread?.join()
    ended.destroy()
    #expect(source is AheadSource)
    #expect(count.value == 10_000)
  }
}

private final class Counter: @unchecked Sendable {
  // Sendable: read after its thread was joined.
  var value = 0
}

/// A sound whose samples are their frame numbers. It ignores an interrupt.
private final class CountingSource: AudioSource {
  let name = "count"
  let format = StreamFormat(sampleRate: 48000, channelCount: 1)
  let frameCount: Int?
  private let end: Int
  private var next = 0

  init(frameCount: Int) {
    end = frameCount
    self.frameCount = frameCount
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(Failure) -> Int {
    let count = min(frameCount, end - next)
    for index in 0..<count { channels[0][index] = Float(next + index) }
    next += count
    return count
  }

  func seek(toFrame frame: Int) throws(Failure) { next = frame }

  func fork() -> (any AudioSource)? { CountingSource(frameCount: end) }
}
