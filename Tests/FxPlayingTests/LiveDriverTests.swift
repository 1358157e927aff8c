import FxAudio
@testable import FxMedia
@testable import FxPlaying
import FxSoundTestSupport
import Testing

/// Playing and recording without hardware.
@Suite(.serialized)
struct LiveDriverTests {
  private let devices = TestDevices(.live)

  init() { #expect(devices.isConfigured) }

  @Test func `a file plays to its end, and a recording beside it has its latency removed`() throws {
    let sound = tones([440, 550], frameCount: 3000)
    let program = try TestProgram(
      lateness: 50, width: 2, sinkCount: 2, sampleRate: 44100, maximumFrameCount: 128
    ).make()
    let recording = ArraySink(StreamFormat(sampleRate: 44100, channelCount: 2))
    do {
      let device = try devices.player("livefile", period: 128)
      let driver = try LiveDriver(
        program, sources: [try SourceFeed(ArraySource(sound))], device: device,
        sinks: [.feed(try SinkFeed(recording)), .device],
        options: RenderOptions(tail: .frames(100)))
      let report = try driver.run()
      #expect(report.mainFrames == 3000)
      #expect(report.live?.xruns == 0)
      #expect(report.live?.starvedFrames == 0)
      #expect(report.outputs[0].overrunFrames == 0)
      #expect(report.outputs[1].peak > 0.49)
    }
    #expect(recording.isFinished)
    #expect(recording.channels == sound.map { $0 + Array(repeating: 0, count: 100) })
    let bytes = contents("\(devices.folder)/out.raw")
    let samples = bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 4)).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    let expected: [Float] = (0..<6000).map { sound[$0 % 2][$0 / 2] }
    #expect(Array(samples.prefix(6000)) == expected)
  }

  @Test func `a stop fades out and keeps the recorded part under another name`() throws {
    let program = try TestProgram(sinkCount: 2, sampleRate: 44100).make()
    let format = StreamFormat(sampleRate: 44100, channelCount: 1)
    let recording = ArraySink(format)
    let device = try devices.player("livenull", channelCount: 1)
    let stop = StopSignal()
    let driver = try LiveDriver(
      program,
      sources: [try SourceFeed(NullSource(format: format, frameCount: Int.max))], device: device,
      sinks: [.device, .feed(try SinkFeed(recording))])
    let report = try driver.run(stop: stop) { _ in stop.stop() }
    #expect(report.wasStopped)
    #expect(recording.isAbandoned)
    #expect(report.outputs[1].name == "array.partial")
  }

  @Test func `a file keeps what a device records, to the frame that was asked for`() throws {
    devices.putInFrontOfMicrophone(tones([440, 550], frameCount: 9000))
    let program = try TestProgram(width: 2, sampleRate: 44100, maximumFrameCount: 256).make()
    let recording = ArraySink(StreamFormat(sampleRate: 44100, channelCount: 2))
    let driver = try LiveDriver(
      program, sources: [nil], device: try devices.recorder("livemic", channelCount: 2),
      sinks: [.feed(try SinkFeed(recording))],
      options: RenderOptions(length: .frames(3000), tail: .frames(0)))
    let report = try driver.run()
    #expect(report.mainFrames == 3000)
    #expect(report.live?.playback == nil)
    #expect(report.live?.capture?.sampleRate == 44100)
    #expect(recording.isFinished)
    #expect(recording.channels.map(\.count) == [3000, 3000])
  }

  @Test func `a recording without an end is complete when it is stopped`() throws {
    devices.putInFrontOfMicrophone(tones([440, 550], frameCount: 200_000))
    let program = try TestProgram(width: 2, sampleRate: 44100).make()
    let recording = ArraySink(StreamFormat(sampleRate: 44100, channelCount: 2))
    let stop = StopSignal()
    let driver = try LiveDriver(
      program, sources: [nil], device: try devices.recorder("livemic", channelCount: 2),
      sinks: [.feed(try SinkFeed(recording))], options: RenderOptions(length: .endless))
    let report = try driver.run(stop: stop) { _ in stop.stop() }
    #expect(report.wasStopped)
    #expect(recording.isFinished)
    #expect(!recording.isAbandoned)
    #expect(recording.statistics.frameCount == report.renderedFrames)
  }
}
