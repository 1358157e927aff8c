import Foundation
import FxKit
@testable import FxTesting
import Testing

@Suite struct RenderingTests {
  @Test func `a rendering has the samples of the chain`() throws {
    let rendering = try Chain.voice().rendering(
      .impulse(at: 0.01), seconds: 0.02, sampleRate: 44100, channels: 1)
    #expect(rendering.channelCount == 1 && rendering.frameCount == 882)
    #expect(rendering.sampleRate == 44100 && rendering.seconds == 0.02)
    #expect(rendering.samples[0].prefix(441).allSatisfy { $0 == 0 })
    #expect(Double(rendering.samples[0][441]) ≈ (0.69 ± 0.02))
    #expect("\(rendering)" == "voice.json: 'main', 1 channel, 882 frames at 44100 Hz")
  }

  @Test(arguments: [
    Signal.silence, .impulse, .tone(440), .sweep(to: 15000), .noise, .noise(seed: 3), .pinkNoise,
    .bursts, .bursts(of: 300), .programme, .programme(seed: 2, level: -20),
  ])
  func `every signal goes through a chain`(_ signal: Signal) throws {
    let rendering = try Chain.voice(gain: 0).rendering(signal, seconds: 0.05)
    #expect(rendering.channelCount == 2 && rendering.frameCount == 2400)
    let isSilent = rendering.samples.allSatisfy { $0.allSatisfy { $0 == 0 } }
    #expect(isSilent == (signal == .silence))
  }

  @Test func `settings, variables and scenes are applied`() throws {
    let plain = try Chain.voice(gain: -6).rendering(.noise, seconds: 0.02)
    let set = try Chain.voice().rendering(.noise, seconds: 0.02, set: ["fader.gain": "-6 dB"])
    #expect(plain ≈ set)
    let failure = #expect(throws: ChainFailure.self) {
      try Chain.voice().rendering(.noise, seconds: 0.02, set: ["fader.gian": "-6 dB"])
    }
    #expect(failure?.message.contains("gian") == true)
  }

  @Test func `a chain file lies beside the test`() throws {
    let folder = GoldenFolder()
    let text =
      #"{ "version": 1, "chain": [{ "unit": "gain", "parameters": { "gain": "-6 dB" } }] }"#
    try text.write(toFile: "\(folder.path)/voice.json", atomically: true, encoding: .utf8)
    let chain = try Chain("voice.json", filePath: "\(folder.path)/VoiceTests.swift")
    #expect(try chain.rendering(.noise, seconds: 0.01).frameCount == 480)
    let failure = #expect(throws: ChainFailure.self) { try Chain("no such chain.json") }
    let here = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    #expect(failure?.message.contains("/\(here)/no such chain.json") == true)
  }

  @Test func `a file is played through a chain`() throws {
    let path = "\(#filePath)".split(separator: "/").dropLast(2).joined(separator: "/")
    let rendering = try Chain.voice().rendering(
      .file("../Fixtures/audio/mono-vbr.mp3"), seconds: 0.05)
    #expect(rendering.channelCount == 1)
    #expect(rendering.seconds ≈ (0.05 ± 0.001))
    let missing = #expect(throws: ChainFailure.self) {
      try Chain.voice().rendering(.file("no such file.wav"))
    }
    #expect(missing?.kind == .input)
    #expect(missing?.message.contains("/\(path)/FxTestingTests/no such file.wav") == true)
  }

  @Test func `inputs are named`() throws {
    let sum = Chain(
      json: """
        { "version": 1, "tail": "none", "nodes": {
            "in": { "source": "main" }, "other": { "source": "music" },
            "fader": { "unit": "gain", "parameters": { "gain": "0 dB" } }, "out": { "sink": "main" } },
          "connections": ["in -> fader", "other -> fader", "fader -> out"] }
        """)
    let one = try sum.rendering(["main": .noise, "music": .silence], seconds: 0.01)
    let other = try sum.rendering(["main": .silence, "music": .noise], seconds: 0.01)
    #expect(one ≈ other)
    let failure = #expect(throws: ChainFailure.self) {
      try sum.rendering(["main": .noise, "musik": .noise], seconds: 0.01)
    }
    #expect(failure?.message == "the chain has no input 'musik' (its inputs: main, music)")
  }

  @Test func `a missing output is refused`() throws {
    let rendering = try Chain.voice().rendering(.noise, seconds: 0.01)
    #expect(try rendering.output("main").output == "main")
    let failure = #expect(throws: ChainFailure.self) { try rendering.output("low") }
    #expect(failure?.message == "the chain has no output 'low' (its outputs: main)")
  }

  @Test func `impossible lengths, rates and widths are refused`() throws {
    let chain = Chain.voice()
    for refused in [
      { try chain.rendering(.noise, seconds: -1) }, { try chain.rendering(.noise, seconds: .nan) },
      { try chain.rendering(.noise, seconds: .infinity) },
      { try chain.rendering(.noise, seconds: 1e9) },
      { try chain.rendering(.noise, sampleRate: 0) },
      { try chain.rendering(.noise, sampleRate: .nan) },
      { try chain.rendering(.noise, channels: 0) },
      { try chain.rendering(.noise, channels: Int.max) },
      { try chain.rendering(.noise, seconds: 0.1, blockSize: 0) },
      { try chain.rendering(.tone(30000)) }, { try chain.rendering(.tone(.nan)) },
      { try chain.rendering(.sweep(from: 0)) }, { try chain.rendering(.noise(level: .infinity)) },
      { try chain.rendering(.impulse(at: -1)) },
    ] as [() throws -> Rendering] {
      let failure = #expect(throws: ChainFailure.self) { try refused() }
      #expect(failure?.kind == .request, "\(failure?.message ?? "")")
    }
  }

  @Test func `an empty rendering is valid`() throws {
    let rendering = try Chain.voice().rendering(.noise, seconds: 0)
    #expect(rendering.frameCount == 0 && rendering.channelCount == 2 && rendering.seconds == 0)
  }
}
