import FxAudio
import Glibc
import Testing

@testable import FxIO

/// Without hardware: devices of alsa-lib's own that swallow sound or write it to a file.
@Suite(.serialized)
struct SoundDeviceTests {
  private static let folder = "/tmp/fxio-alsa-\(getpid())"

  private static let isConfigured: Bool = {
    let text = """
      </usr/share/alsa/alsa.conf>
      pcm.fxnull { type null }
      pcm.fxfile { type file slave.pcm "fxnull" file "\(folder)/out.raw" format "raw" }
      pcm.fxshort { type file slave.pcm "fxnull" file "\(folder)/short.raw" format "raw" }
      pcm.fxlinear { type linear slave { pcm "fxshort" format S16_LE } }
      pcm.fxnarrow {
        type multi slaves.a { pcm "fxnull" channels 1 } bindings.0 { slave a channel 0 }
      }
      """
    mkdir(folder, 0o755)
    atexit { _ = system("rm -rf /tmp/fxio-alsa-\(getpid())") }
    let path = "\(folder)/asound.conf"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    let count = text.utf8CString.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count - 1) }
    close(descriptor)
    return setenv("ALSA_CONFIG_PATH", path, 1) == 0 && count == text.utf8.count
  }()

  init() { #expect(SoundDeviceTests.isConfigured) }

  private func player(
    _ name: String, channelCount: Int = 2, period: Int = 256
  ) throws(IOError) -> SoundDevice {
    var request = SoundDevice.Request(playback: SoundDevice.End(name, channelCount: channelCount))
    request.sampleRate = 44100
    request.periodFrameCount = period
    return try SoundDevice(request)
  }

  @Test func `a missing device is named with the ways out`() {
    for name in ["fxmissing", "hw:77", "default", "", "plughw:9,9"] {
      let error = ioError { _ = try player(name) }
      #expect(error?.code == .deviceUnavailable)
      #expect(error?.description.contains("-o") == true)
      #expect(error?.description.contains("'\(name)'") == !name.isEmpty)
    }
  }

  @Test func `what a device agrees to can be asked`() throws {
    let device = try player("fxnull", period: 128)
    let agreement = try #require(device.playback)
    #expect(agreement.sampleRate == 44100)
    #expect(agreement.channelCount == 2)
    #expect(agreement.periodFrameCount == 128)
    #expect(agreement.bufferFrameCount == 384)
    #expect(agreement.isFloat)
    #expect(device.differences.isEmpty)
    #expect(device.format == StreamFormat(sampleRate: 44100, channelCount: 2))
  }

  @Test func `a device without a clock shows itself by taking more than it holds`() throws {
    let device = try player("fxnull", channelCount: 1)
    let agreement = try #require(device.playback)
    let buffer = PlanarBuffer(channelCount: 1, frameCount: agreement.bufferFrameCount)
    #expect(device.isPaced)
    #expect(device.write(buffer.readable, frameCount: buffer.frameCount))
    #expect(!device.isPaced)
  }

  @Test func `frames reach the device in order and unchanged`() throws {
    let sound = tones([440, 550], frameCount: 5000)
    do {
      let device = try player("fxfile")
      let buffer = PlanarBuffer(channelCount: 2, frameCount: 5000)
      for channel in 0..<2 {
        for frame in 0..<5000 { buffer[channel][frame] = sound[channel][frame] }
      }
      #expect(device.write(buffer.readable, frameCount: 5000))
      #expect(device.drain())
      #expect(device.report.frameCount == 5000)
      #expect(device.report.xrunCount == 0)
      let peaks: [Float] = sound.map { $0.map { abs($0) }.max() ?? 0 }
      #expect(device.report.statistics.peaks == peaks)
    }
    let bytes = contents("\(SoundDeviceTests.folder)/out.raw")
    let samples = bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 4)).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    let expected: [Float] = (0..<10000).map { sound[$0 % 2][$0 / 2] }
    #expect(samples.count >= 10000)
    #expect(Array(samples.prefix(10000)) == expected)
    #expect(samples.dropFirst(10000).allSatisfy { $0 == 0 })
  }

  @Test func `a device without floats gets whole numbers, and mono sound on both sides`() throws {
    do {
      let device = try player("fxlinear", channelCount: 1)
      #expect(device.playback?.isFloat == false)
      #expect(device.playback?.bitsPerSample == 32)
      let buffer = PlanarBuffer(channelCount: 1, frameCount: 1000)
      for frame in 0..<1000 { buffer[0][frame] = Float(frame) / 32768 }
      #expect(device.write(buffer.readable, frameCount: 1000))
      #expect(device.drain())
    }
    let bytes = contents("\(SoundDeviceTests.folder)/short.raw")
    let samples = bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 2)).map { raw.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self) }
    }
    #expect(Array(samples.prefix(1000)) == (0..<1000).map { Int16($0) })
  }

  @Test func `a device with fewer channels than the sound is refused`() {
    let error = ioError {
      _ = try player("fxnarrow")
    }
    #expect(error?.code == .deviceUnavailable)
    #expect(error?.message.contains("downmix") == true)
  }

  @Test func `a file plays to its end, and a recording beside it has its latency removed`() throws {
    let sound = tones([440, 550], frameCount: 3000)
    let program = try TestProgram(
      lateness: 50, width: 2, sinkCount: 2, sampleRate: 44100, maximumFrameCount: 128
    ).make()
    let recording = ArraySink(StreamFormat(sampleRate: 44100, channelCount: 2))
    do {
      let device = try player("fxfile", period: 128)
      let driver = try LiveDriver(
        program, sources: [try SourceFeed(ArraySource(sound))], device: device,
        sinks: [.feed(try SinkFeed(recording)), .device],
        options: RenderOptions(tail: .frames(100)))
      let report = try driver.run()
      #expect(report.mainFrameCount == 3000)
      #expect(report.live?.xrunCount == 0)
      #expect(report.live?.starvedFrameCount == 0)
      #expect(report.sinks[0].overrunFrameCount == 0)
      #expect(report.sinks[1].statistics.peak > 0.49)
    }
    #expect(recording.isFinished)
    #expect(recording.channels == sound.map { $0 + Array(repeating: 0, count: 100) })
    let bytes = contents("\(SoundDeviceTests.folder)/out.raw")
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
    let device = try player("fxnull", channelCount: 1)
    let stop = StopFlag()
    let driver = try LiveDriver(
      program,
      sources: [try SourceFeed(NullSource(format: format, frameCount: Int.max))], device: device,
      sinks: [.device, .feed(try SinkFeed(recording))])
    let report = try driver.run(stop: stop) { _ in stop.stop() }
    #expect(report.wasStopped)
    #expect(recording.isAbandoned)
    #expect(report.sinks[1].partialPath == "array.partial")
  }
}
