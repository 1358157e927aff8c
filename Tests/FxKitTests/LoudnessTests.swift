import Foundation
import FxAudio
import FxChecks
@testable import FxKit
import FxTestSupport
import Testing

/// Not the unit of this name.
private typealias Loudness = FxChecks.Loudness

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
    _ more: String = "", _ parameters: String = "{}", automation: String = "[]"
  ) throws -> (summary: RenderSummary, loudness: Loudness) {
    let chain = Chain(
      json: """
        { "version": 1, "chain": [
          { "id": "level", "unit": "loudness"\(more), "parameters": \(parameters) }],
          "automation": \(automation) }
        """, path: folder.file("chain.json"))
    var request = RenderRequest(input: folder.file("in.wav"), output: folder.file("out.wav"))
    request.encoding.depth = .float32
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

  @Test func `a target that rises stops at the ceiling, and from there falls at once`() throws {
    try write(sound(seconds: 4, spike: 0.5))
    func points(_ list: String) -> String {
      #"[{ "parameter": "level.target", "points": [\#(list)] }]"#
    }
    // The spikes of 0.5 stop the gain at +5 dB; the target of -16 needs more.
    let rising = try render(
      "", #"{ "target": "-50 LUFS" }"#, automation: points(#"[0, -50], [2, -1, "step"]"#))
    #expect(abs(rising.loudness.truePeak + 1) < 0.1)
    let high = try render("", #"{ "target": "-10 LUFS" }"#).loudness
    let moved = try render(
      "", #"{ "target": "-10 LUFS" }"#, automation: points(#"[0, -10], [0.1, -16, "step"]"#)
    ).loudness
    #expect(abs(high.truePeak - moved.truePeak) < 0.01)
  }

  @Test func `silence stays silent`() throws {
    try write([Float](repeating: 0, count: 8000))
    let (summary, _) = try render(#", "limit": true"#)
    #expect(summary.outputs[0].peak == 0)
    #expect(summary.warnings.count == 1)
    #expect(summary.warnings.first?.contains("no part of the sound is above -70 LUFS") == true)
  }

  @Test func `a sound of less than 400 ms has no loudness, and the summary says so`() throws {
    try write(noise(3100).map { $0 * 0.1 })
    let (summary, _) = try render()
    #expect(summary.warnings.first?.contains("shorter than 0.4 s") == true)
  }

  /// Noise of -52 dB with a clap of 30 ms at full scale.
  private func clap(_ seconds: Int, at time: Int = 3) -> [Float] {
    noise(seconds * 8000).enumerated().map { frame, sample in
      (time * 8000..<time * 8000 + 240).contains(frame) ? sample : sample * 0.0025
    }
  }

  /// Behind the limited clap the noise begins to count, so more gain first makes it quieter.
  @Test(arguments: [-12.0, -16, -30])
  func `a limiter brings quiet noise with one clap to the target`(_ target: Double) throws {
    try write(clap(5))
    let (summary, loudness) = try render(#", "limit": true"#, #"{ "target": \#(target) }"#)
    #expect(abs(loudness.integrated - target) < 0.1, "\(loudness.integrated)")
    #expect(loudness.truePeak < -0.9)
    #expect(summary.warnings.isEmpty, "\(summary.warnings)")
  }

  @Test func `a target beyond every gain of the limiter is reported with the distance`() throws {
    try write(clap(5))
    let (summary, loudness) = try render(#", "limit": true"#, #"{ "target": 0 }"#)
    let words = try #require(summary.warnings.first)
    #expect(words.contains("its limiter cannot make this sound louder"))
    let named = try #require(Double(words.split(separator: " ")[4]))
    #expect(abs(named + loudness.integrated) < 0.1)
    // The noise is as loud as the limiter allows.
    #expect(loudness.integrated > -12)
  }

  /// Blocks below -70 LUFS do not count at first, and do after the gain.
  @Test func `the absolute gate counts behind the gain`() throws {
    try write(
      noise(8 * 8000).enumerated().map { frame, sample in
        sample * (frame / 8000 % 2 == 0 ? 0.003 : 0.0015)
      })
    let (summary, loudness) = try render("", #"{ "target": -30 }"#)
    #expect(abs(loudness.integrated + 30) < 0.05, "\(loudness.integrated)")
    #expect(summary.warnings.isEmpty)
  }
}
