import Dispatch
import FxAudio
@testable import FxPlaying
import FxSoundTestSupport
import Glibc
import Testing

/// Without hardware: devices of alsa-lib's own that swallow sound or write it to a file.
@Suite(.serialized)
struct SoundDeviceTests {
  private let devices = TestDevices(.fx)

  init() { #expect(devices.isConfigured) }

  @Test func `a missing device is reported with the remedies`() {
    for name in ["fxmissing", "hw:77", "default", "", "plughw:9,9"] {
      let error = ioError { _ = try devices.player(name) }
      #expect(error?.code == .deviceUnavailable)
      #expect(error?.description.contains("-o") == true)
      #expect(error?.description.contains("'\(name)'") == !name.isEmpty)
    }
  }

  @Test func `the agreed settings of a device can be read`() throws {
    let device = try devices.player("fxnull", period: 128)
    let agreement = try #require(device.playback)
    #expect(agreement.sampleRate == 44100)
    #expect(agreement.channelCount == 2)
    #expect(agreement.periodFrameCount == 128)
    #expect(agreement.bufferFrameCount == 384)
    #expect(agreement.isFloat)
    #expect(device.differences.isEmpty)
    #expect(device.format == StreamFormat(sampleRate: 44100, channelCount: 2))
  }

  @Test func `a device without a clock is recognized when it takes more than its buffer`() throws {
    let device = try devices.player("fxnull", channelCount: 1)
    let agreement = try #require(device.playback)
    let buffer = PlanarBuffer(channelCount: 1, frameCount: agreement.bufferFrameCount)
    #expect(device.isPaced)
    #expect(device.write(buffer.readable, frameCount: buffer.frameCount))
    #expect(!device.isPaced)
  }

  @Test func `frames reach the device in order and unchanged`() throws {
    let sound = tones([440, 550], frameCount: 5000)
    do {
      let device = try devices.player("fxfile")
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
    let bytes = contents("\(devices.folder)/out.raw")
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
      let device = try devices.player("fxlinear", channelCount: 1)
      #expect(device.playback?.isFloat == false)
      #expect(device.playback?.bitsPerSample == 32)
      let buffer = PlanarBuffer(channelCount: 1, frameCount: 1000)
      for frame in 0..<1000 { buffer[0][frame] = Float(frame) / 32768 }
      #expect(device.write(buffer.readable, frameCount: 1000))
      #expect(device.drain())
    }
    let bytes = contents("\(devices.folder)/short.raw")
    let samples = bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 2)).map { raw.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self) }
    }
    #expect(Array(samples.prefix(1000)) == (0..<1000).map { Int16($0) })
  }

  @Test func `a device with fewer channels than the sound is refused`() {
    let error = ioError {
      _ = try devices.player("fxnarrow")
    }
    #expect(error?.code == .deviceUnavailable)
    #expect(error?.message.contains("downmix") == true)
  }

  @Test func `a recording fades in and is otherwise unchanged`() throws {
    let sound = tones([440, 550], frameCount: 5000)
    devices.putInFrontOfMicrophone(sound)
    let device = try devices.recorder("fxmic", channelCount: 2)
    #expect(device.playback == nil)
    #expect(device.roundTripFrameCount == nil)
    let buffer = PlanarBuffer(channelCount: 2, frameCount: 4000)
    #expect(device.start())
    #expect(device.read(into: buffer.channels, width: 2, frameCount: 4000))
    #expect(device.report.recordedFrameCount == 4000)
    for channel in 0..<2 {
      #expect((441..<4000).allSatisfy { buffer[channel][$0] == sound[channel][$0] })
      #expect((0..<441).allSatisfy { abs(buffer[channel][$0]) <= abs(sound[channel][$0]) })
    }
    #expect(device.drain())
  }

  @Test func `both ends of a device play and record in one go`() throws {
    devices.putInFrontOfMicrophone(tones([440, 550], frameCount: 9000))
    var request = SoundDevice.Request(
      playback: SoundDevice.End("fxboth", channelCount: 2),
      capture: SoundDevice.End("fxboth", channelCount: 2))
    request.sampleRate = 44100
    request.periodFrameCount = 64
    request.periodCount = 2
    let device = try SoundDevice(request)
    #expect(device.isDuplex)
    // The whole buffer is queued before the first frame that was recorded.
    let buffer = try #require(device.playback?.bufferFrameCount)
    #expect(buffer == 128)
    #expect(device.roundTripFrameCount == buffer)
    #expect(device.clocks == nil)
    let block = PlanarBuffer(channelCount: 2, frameCount: 64)
    #expect(device.start())
    #expect(device.read(into: block.channels, width: 2, frameCount: 64))
    #expect(device.write(block.readable, frameCount: 64))
    #expect(device.drain())
  }

  @Test func `settings that the device changed are reported`() {
    let agreement = ALSAAgreement(
      sampleRate: 44100, channelCount: 1, periodFrameCount: 441, bufferFrameCount: 1323,
      isMapped: true, format: ALSAFormat.candidates[0])
    #expect(
      agreement.differences(from: ALSARequest()) == [
        "44100 Hz instead of 48000", "1 channel instead of 2", "period 441 frames instead of 256",
        "buffer 1323 frames instead of 768",
      ])
  }

  @Test func `standard error is restored after several threads have silenced it at once`() {
    func target() -> [UInt] {
      var status = stat()
      fstat(2, &status)
      return [UInt(status.st_dev), UInt(status.st_ino), UInt(status.st_rdev)]
    }
    let before = target()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20 { DeviceCatalog.quietly { _ = sched_yield() } }
    }
    #expect(target() == before)
  }

  @Test func `every device of the configuration is listed with what it can do`() throws {
    let devices = DeviceCatalog.devices()
    let mic = try #require(devices.first { $0.name == "fxmic" })
    guard case .available(let abilities)? = mic.ends[.capture] else {
      Issue.record("fxmic does not record")
      return
    }
    #expect(abilities.formats.first == "FLOAT_LE")
    #expect(abilities.usualSampleRates.contains(44100))
    #expect(abilities.channels.contains(2))
    #expect(!devices.contains { $0.name == "null" })
    #expect(Set(devices.map(\.name)).count == devices.count)
  }

  @Test func `the other byte order has its bytes reversed`() throws {
    let format = try #require(ALSAFormat.candidates.first { $0.name == "S24_3BE" })
    var bytes: [UInt8] = [1, 2, 3, 4, 5, 6]
    bytes.withUnsafeMutableBytes { raw in
      if let base = raw.baseAddress { format.swapBytes(base, count: 2) }
    }
    #expect(bytes == [3, 2, 1, 6, 5, 4])
    #expect(ALSAFormat.candidates.map(\.name).contains("S16_BE"))
  }

  @Test func `device events arrive in order, and a full ring drops the newest`() {
    let events = DeviceEvents.make()
    defer { events.destroy() }
    #expect(events.next() == nil)
    for count in 0..<300 { events.push(.returned(seconds: Double(count))) }
    #expect((0..<256).allSatisfy { events.next() == .returned(seconds: Double($0)) })
    #expect(events.next() == nil)
    events.push(.lost(.capture, code: -5))
    #expect(events.next() == .lost(.capture, code: -5))
  }
}
