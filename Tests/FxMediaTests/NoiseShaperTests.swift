import Foundation
import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

struct NoiseShaperTests {
  /// The power of the noise after a quiet tone is rounded to 16 bits, in squares of a step: from 2
  /// to 5 kHz, where the ear is most sensitive, and in total.
  private func noise(shaped: Bool) throws -> (audible: Double, all: Double) {
    let folder = TemporaryFolder()
    let tone = tones([1000], frameCount: 9600, sampleRate: 48000, amplitude: 0.01)
    let sink = try FileSink.create(
      folder.file("a.wav"), format: StreamFormat(sampleRate: 48000, channelCount: 1),
      encoding: FileEncoding(depth: .int16, shapesNoise: shaped))
    try writeAll(tone, to: sink)
    try sink.finish()
    let back = try readAll(try FileSource.open(folder.file("a.wav")))[0]
    let error = zip(back, tone[0]).map { Double($0 - $1) * 32768 }
    let audible = stride(from: 2000.0, to: 5000, by: 100).map { frequency in
      var (real, imaginary) = (0.0, 0.0)
      for (frame, value) in error.enumerated() {
        let phase = 2 * Double.pi * frequency * Double(frame) / 48000
        // A Hann window.
        let weight = 0.5 - 0.5 * cos(2 * Double.pi * Double(frame) / Double(error.count))
        real += value * weight * cos(phase)
        imaginary += value * weight * sin(phase)
      }
      return (real * real + imaginary * imaginary) / Double(error.count)
    }
    return (
      audible.reduce(0, +) / Double(audible.count),
      error.reduce(0) { $0 + $1 * $1 } / Double(error.count)
    )
  }

  @Test func `noise moves to frequencies where the ear is less sensitive`() throws {
    let plain = try noise(shaped: false)
    let shaped = try noise(shaped: true)
    #expect(abs(plain.all - 0.25) < 0.03)
    // The filter lets 1 % pass there.
    #expect(shaped.audible < plain.audible / 50)
    #expect(shaped.all > plain.all * 2)
  }

  @Test func `noise shaping is refused at a rate that its filter does not support`() throws {
    let error = ioError {
      _ = try FileSink.create(
        "/dev/null/a.wav", format: StreamFormat(sampleRate: 96000, channelCount: 1),
        encoding: FileEncoding(depth: .int16, shapesNoise: true))
    }
    #expect(error?.message.contains("noise shaping") == true)
  }
}
