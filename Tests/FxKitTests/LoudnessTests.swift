import Foundation
import FxAnalysis
import FxTestSupport
import Testing

@testable import FxKit

/// A whole sound is brought to a loudness; libebur128 measures the result.
@Suite struct LoudnessTests {
  private let folder = TemporaryFolder()

  private func write(_ samples: [Float]) throws {
    _ = try folder.writeSound("in.wav", samples, rate: 8000)
  }

  /// Noise with a moving level, with a spike every half second if `spike` is given.
  private func sound(seconds: Int, spike: Float? = nil) -> [Float] {
    noise(seconds * 8000).enumerated().map { frame, sample in
      if let spike, frame % 4000 == 2000 { return spike }
      return sample * [0.02, 0.05, 0.03][frame / 4000 % 3]
    }
  }

  private func render(
    _ more: String = "", _ parameters: String = "{}"
  ) throws -> (summary: RenderSummary, loudness: Loudness) {
    let chain = Chain(
      json: """
        { "version": 1, "chain": [
          { "id": "level", "unit": "loudness"\(more), "parameters": \(parameters) }] }
        """, path: folder.file("chain.json"))
    var request = RenderRequest(input: folder.file("in.wav"), output: folder.file("out.wav"))
    request.bits = 32
    let summary = try chain.render(request)
    return (summary, try #require(Loudness(try rendered())))
  }

  /// The samples of the written float file.
  private func rendered() throws -> Sound {
    let bytes = try Data(contentsOf: URL(filePath: folder.file("out.wav")))
    let mark = try #require(bytes.range(of: Data("data".utf8)))
    let samples = stride(from: mark.upperBound + 4, to: bytes.count - 3, by: 4).map { place in
      Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) })
    }
    return Sound(channels: [samples], sampleRate: 8000)
  }

  @Test func `one gain brings a sound to the target`() throws {
    let input = sound(seconds: 4)
    try write(input)
    let (summary, loudness) = try render("", #"{ "target": "-20 LUFS" }"#)
    #expect(abs(loudness.integrated + 20) < 0.05)
    #expect(summary.warnings.isEmpty)
    #expect(summary.frames == input.count)
  }

  @Test func `the true peak limits the gain, and the missed target is reported`() throws {
    let input = sound(seconds: 4, spike: 0.5)
    try write(input)
    let (summary, loudness) = try render()
    #expect(abs(loudness.truePeak + 1) < 0.1)
    let missed = -16 - loudness.integrated
    let words = try #require(summary.warnings.first)
    #expect(words.hasPrefix("'level': target missed by "))
    let named = try #require(Double(words.split(separator: " ")[4]))
    #expect(abs(named - missed) < 0.1)
  }

  @Test func `with a limiter the target is reached`() throws {
    let input = sound(seconds: 4, spike: 0.5)
    try write(input)
    let (summary, loudness) = try render(#", "limit": true"#)
    #expect(abs(loudness.integrated + 16) < 0.1)
    #expect(loudness.truePeak < -0.9)
    #expect(summary.warnings.isEmpty)
    #expect(summary.frames == input.count)
  }

  @Test func `silence stays silent`() throws {
    try write([Float](repeating: 0, count: 8000))
    let (summary, _) = try render(#", "limit": true"#)
    #expect(summary.outputs[0].peak == 0 && summary.warnings.isEmpty)
  }
}
