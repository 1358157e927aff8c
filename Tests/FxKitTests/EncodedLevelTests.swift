import FxAudio
import FxChecks
@testable import FxKit
import FxTestSupport
import Testing

/// Not the unit of this name.
private typealias Loudness = FxChecks.Loudness

/// The figures of the summary are those of the file as a player decodes it.
@Suite struct EncodedLevelTests {
  private let folder = TemporaryFolder()

  /// An encoding, by the end of the file name and the settings of the request.
  struct Case: CustomTestStringConvertible, Sendable {
    let end: String
    var bits: Int?
    var kilobits: Int?
    var quality: Double?
    var shapesNoise = false
    var sampleRate = 48000.0
    var channelCount = 2

    var testDescription: String {
      "\(end) \(bits ?? 0) bits \(kilobits ?? 0) kbit/s \(quality ?? -1) \(sampleRate) Hz"
    }
  }

  static let cases =
    [8, 16, 24, 32, 64].map { Case(end: "wav", bits: $0) }
    + [8, 16, 24].map { Case(end: "flac", bits: $0) }
    + ["aiff", "caf", "w64", "au"].map { Case(end: $0, bits: 16) }
    + [Case(end: "wav", bits: 8, shapesNoise: true), Case(end: "wav", bits: 16, channelCount: 6)]
    + [32, 64, 96, 128, 192, 320].map { Case(end: "mp3", kilobits: $0) }
    + [8, 64, 160].map { Case(end: "mp3", kilobits: $0, sampleRate: 22050, channelCount: 1) }
    + [0, 0.6, 1].map { Case(end: "mp3", quality: $0, sampleRate: 44100) }
    + [0, 0.6, 1].map { Case(end: "ogg", quality: $0) }
    + [Case(end: "ogg", quality: 0.3, channelCount: 6)]
    + [12, 32, 96, 256].map { Case(end: "opus", kilobits: $0) }
    + [Case(end: "opus", kilobits: 240, channelCount: 6), Case(end: "opus", sampleRate: 16000)]

  /// Noise with a moving level, whose peaks need no limiter.
  private func input(_ sampleRate: Double, _ channelCount: Int) throws -> String {
    let frameCount = Int(2 * sampleRate)
    let samples = noise(frameCount * channelCount).enumerated().map { index, sample in
      sample * [0.02, 0.1, 0.05][index / channelCount / 4000 % 3]
    }
    return try folder.writeSound(
      "in.wav", samples, rate: Int(sampleRate), channels: channelCount)
  }

  private func decoded(_ path: String, _ sampleRate: Double) throws -> Sound {
    let received = SampleCollector()
    var request = RenderRequest(inputs: ["main": path])
    request.sampleOutputs["main"] = .push { channels, _ in received.add(channels) }
    let summary = try Chain.empty.render(request)
    return Sound(channels: received.samples, sampleRate: summary.sampleRate)
  }

  private func request(_ encoding: Case, _ input: String) -> RenderRequest {
    var request = RenderRequest(input: input, output: folder.file("a.\(encoding.end)"))
    request.encoding.depth = encoding.bits.flatMap { .init(bits: $0) }
    request.encoding.kilobits = encoding.kilobits
    request.encoding.quality = encoding.quality
    request.encoding.shapesNoise = encoding.shapesNoise
    return request
  }

  @Test(arguments: cases)
  func `the loudness and the peak of the summary are those of the decoded file`(
    _ encoding: Case
  ) throws {
    var request = request(encoding, try input(encoding.sampleRate, encoding.channelCount))
    request.loudness = -16
    let output = try Chain.empty.render(request).outputs[0]
    let sound = try decoded(output.name, encoding.sampleRate)
    let loudness = try #require(Loudness(sound))
    let printed = try #require(output.loudness)
    #expect(abs(loudness.integrated - printed) < 0.02, "\(loudness.integrated), \(printed)")
    #expect(!output.isBeforeEncoding)
    let peak = sound.channels.joined().reduce(0) { max($0, abs($1)) }
    #expect(abs(peak - output.peak) < 0.02, "\(peak), \(output.peak)")
    // A lossy encoder leaves out some of the noise.
    if encoding.kilobits == nil, encoding.quality == nil, encoding.end != "opus",
      !encoding.shapesNoise
    {
      #expect(abs(loudness.integrated + 16) < 0.05, "\(loudness.integrated)")
    }
  }

  @Test(arguments: ["flac", "wav", "mp3"])
  func `the loudness tags of a clipped file are those of what is left`(_ end: String) throws {
    var request = request(Case(end: end), try input(48000, 2))
    request.encoding.tagsLoudness = true
    let chain = list(#"{ "unit": "gain", "parameters": { "gain": "40 dB" } }"#)
    let output = try chain.render(request).outputs[0]
    let loudness = try #require(Loudness(try decoded(output.name, 48000)))
    #expect(abs(loudness.integrated - (output.loudness ?? 0)) < 0.02)
    #expect(output.clippedSamples > 0)
  }

  @Test func `the parts of a divided sound have the levels of their decoded files`() throws {
    var request = request(Case(end: "mp3", kilobits: 64), try input(48000, 2))
    request.encoding.split = .every(seconds: 1)
    let output = try Chain.empty.render(request).outputs[0]
    #expect(output.parts.count == 2 && !output.isBeforeEncoding)
    #expect(output.frames == 2 * 48000)
    for part in output.parts {
      let sound = try decoded(part.name, 48000)
      #expect(sound.frameCount == part.frames)
      let peak = sound.channels.joined().reduce(0) { max($0, abs($1)) }
      #expect(abs(peak - part.peak) < 1e-6)
      #expect(part.peak <= output.peak)
    }
  }
}
