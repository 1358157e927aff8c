import Foundation
import FxAudio
@testable import FxKit
import FxTestSupport
import Testing

@Suite struct RenderRequestTests {
  private let samples = noise(5000)

  @Test func `a request renders from one file into another`() throws {
    let folder = TemporaryFolder()
    let input = try folder.writeSound("in.wav", samples)
    let summary = try list(#"{ "unit": "limiter" }"#, tail: "0.1").render(
      RenderRequest(input: input, output: folder.file("out.wav")))
    #expect(folder.names == ["in.wav", "out.wav"])
    #expect(summary.frames == 5000 + 4410)
    #expect(summary.tailFrames == 4410)
    #expect(summary.tailPolicy == "given")
    #expect(summary.latencyFrames == 54)
    #expect(summary.sampleRate == 44100)
    #expect(summary.live == nil)
    #expect(!summary.wasStopped)
    let output = try #require(summary.outputs.first)
    #expect(output.name == folder.file("out.wav"))
    #expect((output.frames, output.channels, output.isPartial) == (9410, 1, false))
    #expect(output.peak > 0.4 && output.peak <= 0.5)
  }

  @Test func `a file for the main output of a chain without one is refused`() throws {
    let folder = TemporaryFolder()
    let chain = Chain(
      json: """
        { "version": 1, "nodes": { "in": { "source": "main" }, "out": { "sink": "stems" } },
          "connections": ["in -> out"] }
        """)
    let request = RenderRequest(
      input: try folder.writeSound("in.wav", samples), output: folder.file("out.wav"))
    let refused = failure { _ = try chain.render(request) }
    #expect(refused?.message == "the chain has no output 'main' (its outputs: stems)")
    #expect(folder.names == ["in.wav"])
  }

  @Test func `a request has settings, bypasses and a part of the input`() throws {
    let folder = TemporaryFolder()
    var request = RenderRequest(
      input: try folder.writeSound("in.wav", samples), output: folder.file("out.wav"))
    request.settings = [.init("g.gain", "-20 dB"), .init("g.gain", "-6 dB")]
    request.bypassed = ["h"]
    request.start = 0.05
    request.duration = 0.02
    request.blockSize = 100
    let summary = try list(
      #"{ "id": "g", "unit": "gain" }, { "id": "h", "unit": "gain", "parameters": { "gain": -60 } }"#
    ).render(request)
    #expect(summary.frames == 882)
    #expect(summary.blockSize == 100)
    let expected =
      samples[2205..<(2205 + 882)].map { abs(Float(Int($0 * 32768)) / 32768) }.max() ?? 0
    #expect(abs((summary.outputs.first?.peak ?? 0) - expected * 0.501187) < 1e-5)
  }

  @Test(arguments: [nil, 1, 3, 64, 1000, 8192])
  func `blocks that are rendered together give the same bits as single blocks`(_ size: Int?) throws
  {
    let folder = TemporaryFolder()
    let input = try folder.writeSound("in.wav", samples)
    let chain = list(
      #"{ "unit": "highPass" }, { "unit": "reverb", "wet": 0.3 }, { "unit": "limiter" }"#,
      tail: #""auto""#)
    var request = RenderRequest(input: input, output: folder.file("one.wav"))
    request.blockSize = 256
    let expected = try chain.render(request)
    request.outputs["main"] = folder.file("other.wav")
    request.blockSize = size
    let summary = try chain.render(request)
    #expect(summary.blockSize == size ?? 256)
    #expect(summary.frames == expected.frames)
    let made = try Data(contentsOf: URL(fileURLWithPath: folder.file("other.wav")))
    #expect(made == (try Data(contentsOf: URL(fileURLWithPath: folder.file("one.wav")))))
  }

  @Test func `a duration that is less than a frame is refused`() throws {
    let folder = TemporaryFolder()
    var request = RenderRequest(
      input: try folder.writeSound("in.wav", samples), output: folder.file("out.wav"))
    request.duration = 1e-5
    let refused = failure { _ = try list("").render(request) }
    #expect(refused?.kind == .request)
    #expect(refused?.message.hasSuffix("in.wav: --duration 1e-05 is less than a frame") == true)
    #expect(folder.names == ["in.wav"])
  }

  @Test func `a failed render leaves no file`() throws {
    let folder = TemporaryFolder()
    let input = try folder.writeSound("in.wav", samples)
    let chain = list("")
    let missing = failure {
      _ = try chain.render(
        RenderRequest(input: folder.file("no.wav"), output: folder.file("out.wav")))
    }
    #expect(missing?.kind == .input)
    let same = failure { _ = try chain.render(RenderRequest(input: input, output: input)) }
    #expect(same?.kind == .output)
    let unbound = failure {
      _ = try chain.render(RenderRequest(outputs: ["main": folder.file("o.wav")]))
    }
    #expect(unbound?.kind == .request)
    var late = RenderRequest(input: input, output: folder.file("out.wav"))
    late.start = 10
    #expect(failure { _ = try chain.render(late) }?.kind == .request)
    var unknown = RenderRequest(input: input, output: folder.file("out.wav"))
    unknown.settings = [.init("nobody.gain", "0")]
    #expect(failure { _ = try chain.render(unknown) }?.kind == .request)
    #expect(folder.names == ["in.wav"])
  }

  @Test(arguments: [Double.nan, -1, .infinity, 1e300])
  func `impossible times are refused`(_ time: Double) throws {
    let folder = TemporaryFolder()
    let input = try folder.writeSound("in.wav", samples)
    var request = RenderRequest(input: input, output: folder.file("out.wav"))
    request.start = time
    #expect(failure { _ = try list("").render(request) }?.kind == .request)
    request.start = 0
    request.duration = time
    #expect(failure { _ = try list("").render(request) }?.kind == .request)
    #expect(folder.names == ["in.wav"])
  }

  @Test(arguments: [0, -1, 1_000_000_000])
  func `impossible block sizes are refused`(_ size: Int) throws {
    let folder = TemporaryFolder()
    let input = try folder.writeSound("in.wav", samples)
    var request = RenderRequest(input: input, output: folder.file("out.wav"))
    request.blockSize = size
    #expect(failure { _ = try list("").render(request) }?.kind == .request)
    #expect(folder.names == ["in.wav"])
  }

  @Test(
    arguments: [
      ("kilobits", { @Sendable in $0.encoding.kilobits = 600 }),
      ("normalizedPeak", { $0.encoding.normalizedPeak = 1 }),
      ("fadeIn", { $0.encoding.shape.fadeIn = -1 }),
      ("quality with a bit rate", { ($0.encoding.quality, $0.encoding.kilobits) = (0.5, 128) }),
      ("cut", { $0.mainInput.cut = SilenceCut(.all, SilenceRule(level: 3)) }),
      ("playCount", { $0.mainInput.playCount = 0 }), ("start", { $0.start = -1 }),
      ("stopLevel", { $0.recording = RecordingRule(.level, startLevel: -30, stopLevel: -20) }),
      ("sampleRate", { $0.sampleRate = 10 }), ("threads", { $0.threads = 65 }),
    ] as [(String, @Sendable (inout RenderRequest) -> Void)])
  func `a value that is out of range is refused`(
    _ name: String, _ change: @Sendable (inout RenderRequest) -> Void
  ) throws {
    let folder = TemporaryFolder()
    let input = try folder.writeSound("in.wav", samples)
    var request = RenderRequest(input: input, output: folder.file("out.wav"))
    change(&request)
    let failure = failure { _ = try list("").render(request) }
    #expect(
      failure?.kind == .request && failure?.code == "out-of-range",
      "\(name): \(String(describing: failure))")
    #expect(folder.names == ["in.wav"])
  }

  @Test func `a render that is stopped keeps a partial file`() throws {
    let folder = TemporaryFolder()
    // An hour of silence after the input: the stop comes first.
    let chain = list(#"{ "unit": "gain" }"#, tail: "3600")
    let stop = StopSignal()
    let summary = try chain.render(
      RenderRequest(
        input: try folder.writeSound("in.wav", samples), output: folder.file("out.wav")),
      stop: stop
    ) { progress in
      #expect(progress.sampleRate == 44100)
      if progress.frames > 0 { stop.stop() }
    }
    #expect(summary.wasStopped)
    #expect(summary.outputs.first?.isPartial == true)
    #expect(summary.outputs.first?.name == folder.file("out.partial.wav"))
    #expect(folder.names == ["in.wav", "out.partial.wav"])
  }
}
