import Foundation
import FxKit
import FxTestSupport
import Testing

@Suite struct `A converter` {
  private let cd = SampleFormat(sampleRate: 44100, channels: 1)

  private func tone(_ rate: Double, frames: Int) -> [Float] {
    (0..<frames).map { Float(0.5 * sin(2 * .pi * 997 * Double($0) / rate)) }
  }

  @Test(arguments: [8000.0, 22050, 48000, 96000]) func `keeps a tone in place at every rate`(
    rate: Double
  ) throws {
    let sound = try PCMBuffer([tone(44100, frames: 44100)], format: cd)
    let converted = try sound.converted(to: SampleFormat(sampleRate: rate, channels: 1))
    #expect(converted.frameCount == Int(rate))
    let wanted = tone(rate, frames: Int(rate))
    // Away from the ends, where the tone begins and stops.
    let middle = Int(rate / 4)..<Int(rate * 3 / 4)
    let error = zip(converted.channels[0][middle], wanted[middle]).map { abs($0 - $1) }.max() ?? 1
    // -110 dB of the tone.
    #expect(error < 1.6e-6)
  }

  @Test func `gives the same frames for pieces of any size`() throws {
    let sound = tone(44100, frames: 10_000)
    let target = SampleFormat(sampleRate: 48000, channels: 1)
    let whole = try PCMBuffer([sound], format: cd).converted(to: target).channels[0]
    for size in [1, 63, 4096, 9999] {
      let converter = try Converter(from: cd, to: target)
      for _ in 0..<2 {
        var found: [Float] = []
        for start in stride(from: 0, to: sound.count, by: size) {
          let piece = Array(sound[start..<min(start + size, sound.count)])
          found += try converter.convert(PCMBuffer([piece], format: cd)).channels[0]
        }
        found += try converter.finish().channels[0]
        #expect(found.count == whole.count)
        let error = zip(found, whole).map { abs($0 - $1) }.max() ?? 1
        #expect(error < 1e-6, "pieces of \(size) frames")
      }
    }
  }

  @Test func `gives a single channel to all`() throws {
    let sound = try PCMBuffer([[0.1, 0.2]], format: cd)
    let both = try sound.converted(to: SampleFormat(sampleRate: 44100, channels: 2))
    #expect(both.channels == [[0.1, 0.2], [0.1, 0.2]])
    let empty = try PCMBuffer([[]], format: cd)
    #expect(try empty.converted(to: SampleFormat(sampleRate: 48000)).frameCount == 0)
  }

  @Test func `refuses what it cannot convert`() throws {
    let stereo = SampleFormat(sampleRate: 44100, channels: 2)
    #expect(throws: ChainFailure.self) { try Converter(from: stereo, to: cd) }
    #expect(throws: ChainFailure.self) {
      try Converter(from: cd, to: SampleFormat(sampleRate: .nan, channels: 1))
    }
    let converter = try Converter(from: cd, to: SampleFormat(sampleRate: 48000, channels: 1))
    #expect(throws: ChainFailure.self) {
      try converter.convert(PCMBuffer([[0], [0]], format: stereo))
    }
  }
}
