import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import Glibc
import Testing

struct ResampledSourceTests {
  @Test(arguments: [(44100.0, 48000.0), (48000, 44100), (22050, 48000), (96000, 44100)])
  func `the length is the source's times the ratio`(_ from: Double, _ to: Double) throws {
    for count in [1, 777, 5000] {
      let sound = tones([440], frameCount: count, sampleRate: from)
      let source = try ResampledSource(ArraySource(sound, sampleRate: from), to: to)
      let expected = Int((Double(count) * to / from).rounded())
      #expect(source.frameCount == expected)
      #expect(try readAll(source)[0].count == expected)
      let unknown = try ResampledSource(
        ArraySource(sound, sampleRate: from, isLengthKnown: false), to: to)
      #expect(unknown.frameCount == nil)
      #expect(try readAll(unknown)[0].count == expected)
    }
  }

  @Test func `a tone keeps its frequency, its time and its purity`() throws {
    let sound = tones([1000, 2500], frameCount: 12000, sampleRate: 44100)
    let source = try ResampledSource(ArraySource(sound), to: 48000)
    let back = try readAll(source)
    let ideal = tones([1000, 2500], frameCount: back[0].count, sampleRate: 48000)
    for channel in 0..<2 {
      let error =
        zip(back[channel], ideal[channel]).dropFirst(2000).dropLast(2000)
        .map { abs($0 - $1) }.max() ?? 1
      // -110 dB below the tone.
      #expect(error < 1.6e-6)
    }
  }

  @Test(arguments: RateConversion.Quality.allCases)
  func
    `what lies above the new band is gone, and what lies below stays but for low quality's treble`(
      _ quality: RateConversion.Quality
    ) throws
  {
    /// The highest sample of a converted tone, without its ends.
    func peak(_ frequency: Double, from: Double, to: Double) throws -> Float {
      let sound = tones([frequency], frameCount: 12000, sampleRate: from)
      let source = try ResampledSource(
        ArraySource(sound, sampleRate: from), to: to, quality: quality)
      return try readAll(source)[0].dropFirst(2000).dropLast(2000).map(abs).max() ?? 1
    }
    let whole = try peak(1000, from: 44100, to: 48000)
    #expect(try peak(30000, from: 96000, to: 44100) < 1.6e-5 * whole)
    let treble = try peak(18500, from: 44100, to: 48000)
    #expect((treble < 0.98 * whole) == (quality == .low))
  }

  @Test func `seeking gives the same samples as playing there`() throws {
    let sound = tones([1000], frameCount: 60000, sampleRate: 44100)
    let all = try readAll(try ResampledSource(ArraySource(sound), to: 48000))[0]
    let source = try ResampledSource(ArraySource(sound), to: 48000)
    for frame in [50000, 20, 33333] {
      try source.seek(toFrame: frame)
      let part = try readAll(source)[0]
      #expect(part.count == all.count - frame)
      let error = zip(part, all[frame...]).map { abs($0 - $1) }.max() ?? 1
      #expect(error < 1e-5)
    }
  }

  @Test func `an impossible rate is an error`() {
    for rate in [0.0, -1, .nan, .infinity] {
      let error = ioError {
        _ = try ResampledSource(ArraySource([[0]]), to: rate)
      }
      #expect(error?.code == .unsupportedFormat)
    }
  }
}
