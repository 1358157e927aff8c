import FxAudio
import FxEngine
@testable import FxMedia
@testable import FxPlaying
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

/// Feeds between the render and files or pipes.
@Suite struct FileFeedTests {
  private let folder = TemporaryFolder()
  private let stereo = StreamFormat(sampleRate: 44100, channelCount: 2)

  @Test func `waiting for a pipe can be interrupted`() throws {
    let feeder = PipeFeeder(Array(contents(Fixture.audio("voice.mp3"))[0..<20000]), keepsOpen: true)
    let source = try FileSource.open(descriptor: feeder.readEnd, name: "pipe")
    let feed = try SourceFeed(source)
    feed.wait(frameCount: 1000)
    feed.stop()
    #expect(feed.consumer.ring.isEnded)
  }

  @Test(
    .enabled(if: getuid() == 0, "mounting a small disk takes root"),
    arguments: ["wav", "flac", "aiff", "caf", "w64", "rf64", "au", "ogg"])
  func `frames recorded before a disk is full are kept in every format`(_ end: String) throws {
    let disk = folder.file("disk")
    mkdir(disk, 0o755)
    try #require(system("mount -t tmpfs -o size=256k tmpfs '\(disk)' 2>/dev/null") == 0)
    defer { _ = system("umount '\(disk)'") }
    let sink = try FileSink.create(
      "\(disk)/a.\(end)", format: stereo, encoding: FileEncoding(depth: .int16), isRecording: true)
    let feed = try SinkFeed(sink, isLive: true)
    let block = PlanarBuffer(channelCount: 2, frameCount: 8192)
    var seed: UInt32 = 7
    for _ in 0..<200 where !feed.hasFailed {
      for frame in 0..<8192 {
        seed = seed &* 1_664_525 &+ 1_013_904_223
        block[0][frame] = Float(Int32(bitPattern: seed)) / 2_147_483_648
        block[1][frame] = -block[0][frame]
      }
      _ = feed.pushWaiting(block.readable, frameCount: 8192)
    }
    let error = ioError { try feed.finish() }
    #expect(error?.code == .diskFull)
    #expect(error?.message.hasSuffix("recorded before is in \(disk)/a.partial.\(end)") == true)
    let source = try FileSource.open("\(disk)/a.partial.\(end)")
    let sound = try readAll(source)
    #expect(sound[0].count > 20_000)
    #expect(sound[0].count == source.frameCount)
    #expect(source.warnings == [])
  }

  @Test(.enabled(if: getuid() == 0, "mounting a small disk takes root"))
  func `frames recorded before a disk is full are kept`() throws {
    let disk = folder.file("disk")
    mkdir(disk, 0o755)
    try #require(system("mount -t tmpfs -o size=256k tmpfs '\(disk)' 2>/dev/null") == 0)
    defer { _ = system("umount '\(disk)'") }
    let sink = try FileSink.create("\(disk)/a.wav", format: stereo)
    let feed = try SinkFeed(sink, isLive: true)
    let block = PlanarBuffer(channelCount: 2, frameCount: 8192)
    for _ in 0..<10 where !feed.hasFailed {
      _ = feed.pushWaiting(block.readable, frameCount: 8192)
    }
    let error = ioError { try feed.finish() }
    #expect(error?.code == .diskFull)
    #expect(error?.message.hasSuffix("recorded before is in \(disk)/a.partial.wav") == true)
    let source = try FileSource.open("\(disk)/a.partial.wav")
    #expect((source.frameCount ?? 0) > 20_000)
    #expect(source.warnings == [])
  }

  @Test func `a recording without new frames is still written to the disk`() throws {
    let sink = try FileSink.create(folder.file("take.wav"), format: stereo, isRecording: true)
    let feed = try SinkFeed(sink, isLive: true)
    let block = PlanarBuffer(channelCount: 2, frameCount: 8192)
    #expect(feed.pushWaiting(block.readable, frameCount: 8192))
    let hidden = try #require(folder.names.first { $0.hasPrefix(".take") })
    // This takes half a second if the writer's thread gets a processor at once.
    let deadline = ContinuousClock.now + .seconds(30)
    var frameCount: Int?
    while frameCount != 8192, ContinuousClock.now < deadline {
      usleep(50_000)
      frameCount = try? FileSource.open(folder.file(hidden)).frameCount
    }
    #expect(frameCount == 8192)
    try feed.finish()
  }
}
