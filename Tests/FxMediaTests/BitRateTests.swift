import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

struct BitRateTests {
  private let folder = TemporaryFolder()

  /// Two seconds of noise, for which an encoder uses its whole bit rate.
  @Test(
    arguments: [
      ("opus", 48000.0, 1, 64), ("opus", 48000, 2, 96), ("opus", 48000, 4, 160),
      ("mp3", 44100, 2, 128), ("mp3", 22050, 1, 64), ("mp3", 8000, 1, 32),
    ])
  func `a file has the bit rate that is asked for`(
    _ end: String, _ sampleRate: Double, _ channelCount: Int, _ kilobits: Int
  ) throws {
    let path = folder.file("a.\(end)")
    let frameCount = Int(2 * sampleRate)
    let sound = (0..<channelCount).map { Signal.noise(frameCount, seed: UInt64($0)) }
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: sampleRate, channelCount: channelCount),
      encoding: FileEncoding(kilobits: kilobits))
    try writeAll(sound, to: sink)
    try sink.finish()
    let written = Double(contents(path).count) * 8 / 2000
    #expect(abs(written / Double(kilobits) - 1) < 0.15, "\(written) kbit/s")
  }

  @Test func `samples far beyond full scale do not end an MP3 encoder`() throws {
    let path = folder.file("a.mp3")
    let sink = try FileSink.create(path, format: StreamFormat(sampleRate: 44100, channelCount: 1))
    try writeAll([Signal.noise(10_000).map { $0 * 1e25 }], to: sink)
    try sink.finish()
    #expect(try FileSource.open(path).frameCount == 10_000)
  }

  @Test(
    arguments: [
      ("mp3", 44100.0, 2, 500, "MP3 takes 32 to 320 kbit/s at 44100 Hz, not 500"),
      ("mp3", 22050, 2, 256, "MP3 takes 8 to 160 kbit/s at 22050 Hz, not 256"),
      ("opus", 48000, 1, 320, "Opus takes 6 to 256 kbit/s for 1 channel, not 320"),
      ("opus", 48000, 2, 6, "Opus takes 12 to 512 kbit/s for 2 channels, not 6"),
      ("flac", 48000, 2, 96, "a bit rate goes with .mp3 and .opus, not with .flac"),
    ])
  func `a bit rate that a format does not have is refused`(
    _ end: String, _ sampleRate: Double, _ channelCount: Int, _ kilobits: Int, _ message: String
  ) {
    let error = ioError {
      _ = try FileSink.create(
        folder.file("a.\(end)"),
        format: StreamFormat(sampleRate: sampleRate, channelCount: channelCount),
        encoding: FileEncoding(kilobits: kilobits))
    }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.message == message)
    #expect(folder.names.isEmpty)
  }
}
