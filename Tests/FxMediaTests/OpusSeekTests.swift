import Foundation
import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

private let hasFFmpeg = access("/usr/bin/ffmpeg", X_OK) == 0

/// Jumps in speech, whose decoder remembers for seconds.
@Suite(.enabled(if: hasFFmpeg)) struct OpusSeekTests {
  private let folder = TemporaryFolder()

  /// Syllables of a voice whose pitch moves, at 48 kHz.
  private func voice(seconds: Int) -> [Float] {
    var phase = 0.0
    return (0..<seconds * 48000).map { frame in
      let time = Double(frame) / 48000
      phase += (110 + 30 * sin(2.1 * time) + 12 * sin(13 * time)) / 48000
      let syllable = max(0, sin(9 * time) + 0.3 * sin(1.7 * time))
      let harmonics = (1...12).reduce(0.0) { sum, number in
        let place = Double(number) * 130 - 700 - 400 * sin(3 * time)
        return sum + sin(2 * Double.pi * Double(number) * phase) / (1 + place * place / 2e5)
      }
      return Float(0.2 * syllable * harmonics)
    }
  }

  @Test func `a jump in speech gives the samples of playing there`() throws {
    let wav = folder.file("voice.wav")
    let sink = try FileSink.create(
      wav, format: StreamFormat(sampleRate: 48000, channelCount: 1),
      encoding: FileEncoding(depth: .int16))
    try writeAll([voice(seconds: 20)], to: sink)
    try sink.finish()
    let path = folder.file("voice.opus")
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
    program.arguments =
      ["-v", "error", "-nostdin", "-i", wav, "-c:a", "libopus", "-application", "voip"]
      + ["-b:a", "20k", path]
    try program.run()
    program.waitUntilExit()
    let whole = try readAll(try FileSource.open(path))[0]
    #expect(whole.count == 20 * 48000)
    let source = try FileSource.open(path)
    var random = SeededRandom(7)
    var different: [Int] = []
    for _ in 0..<60 {
      let frame = Int.random(in: 0..<whole.count - 2400, using: &random)
      let part = try readAll(try RangedSource(source, start: frame, duration: 2400))[0]
      if part != Array(whole[frame..<frame + 2400]) { different.append(frame) }
    }
    #expect(different == [])
  }
}
