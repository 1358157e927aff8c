import Foundation
import FxAudio
import FxChain
@testable import FxKit
import FxTestSupport
import Testing

/// A pass before the render measures the whole sound for the nodes that need it.
@Suite struct MeasuringTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = TemporaryFolder()
    _ = try folder.writeSound("in.wav", noise(30000).map { $0 * 0.2 }, rate: 48000)
  }

  private func render(
    _ nodes: String, _ change: (inout RenderRequest) -> Void = { _ in }
  ) throws -> RenderSummary {
    let chain = Chain(
      json: #"{ "version": 1, "chain": [\#(nodes)] }"#, path: folder.file("chain.json"))
    var request = RenderRequest(input: folder.file("in.wav"), output: folder.file("out.wav"))
    request.encoding.depth = .float32
    change(&request)
    return try chain.render(request)
  }

  private func decibels(_ peak: Float) -> Double { 20 * log10(Double(peak)) }

  @Test(arguments: [-1.0, -20, 0]) func `an output is normalized to the requested level`(
    _ level: Double
  ) throws {
    let summary = try render(#"{ "unit": "gain", "parameters": { "gain": -9 } }"#) {
      $0.encoding.normalizedPeak = level
    }
    #expect(abs(decibels(summary.outputs[0].peak) - level) < 1e-5)
    #expect(summary.outputs[0].normalization > 1)
    // The length has not changed.
    let plain = try render(#"{ "unit": "gain", "parameters": { "gain": -9 } }"#)
    #expect(plain.outputs[0].frames == summary.outputs[0].frames)
    #expect(plain.outputs[0].normalization == 1)
  }

  @Test func `the tail is measured, and the removed latency is not`() throws {
    let nodes = #"""
      { "unit": "limiter", "parameters": { "ceiling": -12 } },
      { "unit": "delay", "wet": 1, "parameters": { "time": "700 ms", "feedback": 0.1 } },
      { "sink": { "file": "\#(folder.file("own.wav"))", "normalize": "-3 dB" } }
      """#
    let summary = try render(nodes) { $0.outputs = [:] }
    #expect(abs(decibels(summary.outputs[0].peak) + 3) < 1e-5)
  }

  @Test func `a unit measures its own input, after the units before it`() throws {
    let summary = try render(
      #"""
      { "unit": "normalize", "parameters": { "level": -6 } },
      { "unit": "gain", "parameters": { "gain": 3 } },
      { "unit": "normalize", "parameters": { "level": -12 } }, { "unit": "gain" }
      """#)
    #expect(abs(decibels(summary.outputs[0].peak) + 12) < 1e-5)
    // The first node reaches its level too: -6 dB, and 3 dB of gain.
    let first = try render(
      #"""
      { "unit": "normalize", "parameters": { "level": -6 } },
      { "unit": "gain", "parameters": { "gain": 3 } }
      """#)
    #expect(abs(decibels(first.outputs[0].peak) + 3) < 1e-5)
  }

  @Test func `silence stays silent`() throws {
    _ = try folder.writeSound("in.wav", [Float](repeating: 0, count: 1000), rate: 48000)
    let summary = try render(#"{ "unit": "normalize" }"#) { $0.encoding.normalizedPeak = -1 }
    #expect(summary.outputs[0].peak == 0 && summary.outputs[0].normalization == 1)
  }

  @Test func `two passes of a side path do not disturb each other`() throws {
    let chain = Chain(
      json: #"""
        { "version": 1,
          "nodes": {
            "in": { "source": "input" }, "loud": { "unit": "normalize", "parameters": { "level": 0 } },
            "low": { "unit": "lowPass", "parameters": { "frequency": 200 } },
            "deep": { "unit": "normalize", "parameters": { "level": -6 } },
            "out": { "sink": "output" }, "side": { "sink": { "output": "side" } } },
          "connections": [ "in -> loud -> out", "in -> low -> deep -> side" ] }
        """#)
    var request = RenderRequest(input: folder.file("in.wav"), output: folder.file("out.wav"))
    request.outputs["side"] = folder.file("side.wav")
    request.encoding.depth = .float32
    let summary = try chain.render(request)
    #expect(summary.outputs.map { (decibels($0.peak) * 1e4).rounded() / 1e4 } == [0, -6])
  }

  @Test func `chains that cannot have the whole sound refuse a measuring unit by name`() throws {
    let live = Chain(
      json: #"""
        { "version": 1, "chain": [ { "source": "null" }, { "id": "peak", "unit": "normalize" },
          { "sink": { "alsa": "null" } } ] }
        """#)
    let refused = try #require(failure { _ = try live.play(RenderRequest()) })
    #expect(refused.code == "needs-whole-sound" && refused.description.contains("'peak' measures"))
    #expect(live.checked().all.map(\.code) == [.needsWholeSound])
    let blocks = failure { _ = try ChainRenderer(list(#"{ "unit": "normalize" }"#)) }
    #expect(blocks?.code == "needs-whole-sound")
    let loop = Chain(
      json: #"""
        { "version": 1, "nodes": { "in": { "source": "input" }, "sum": { "unit": "gain" },
            "peak": { "unit": "normalize" }, "out": { "sink": "output" } },
          "connections": [ "in -> sum -> peak -> out",
            { "from": "peak", "to": "sum", "feedback": true, "delay": "20 ms", "gain": -6 } ] }
        """#)
    #expect(loop.checked().all.map(\.code) == [.cycle])
    #expect(
      failure { _ = try render(#"{ "unit": "gain" }"#) { $0.encoding.normalizedPeak = 1 } }?.code
        == "out-of-range")
  }

  @Test func `the key of a measurement changes with everything that it depends on`() throws {
    func key(_ nodes: String, _ change: (inout RenderRequest) -> Void = { _ in }) throws -> String {
      var request = RenderRequest(input: folder.file("in.wav"), output: folder.file("out.wav"))
      request.encoding.normalizedPeak = -1
      change(&request)
      let job = try RenderJob(list(nodes), request)
      return try #require(job.keys(of: Set(job.measuringNodes.keys)).values.first)
    }
    let gain = #"{ "unit": "gain", "parameters": { "gain": -9 } }"#
    let first = try key(gain)
    #expect(try key(gain) == first)
    let others = try [
      key(gain.replacing("-9", with: "-8")), key(gain) { $0.start = 0.1 },
      key(gain) { $0.duration = 0.1 }, key(gain) { $0.settings = [.init("gain.gain", "-2 dB")] },
      key(#"{ "unit": "dcBlock" }"#), key(gain) { $0.blockSize = 64 },
      key(gain) {
        $0.loop = LiveLoop(from: .seconds(0.1), to: .seconds(0.2))
        $0.duration = 0.1
      },
      key(#"{ "source": { "input": "main", "layout": "mono" } }, \#(gain)"#),
    ]
    _ = try folder.writeSound("in.wav", noise(30000, seed: 4), rate: 48000)
    #expect(try Set(others + [first, key(gain)]).count == 10)
  }

  @Test func `the latest megabyte of measurements is kept, by key`() throws {
    let path = folder.file("cache")
    func kept(_ key: String) -> [Double]? { MeasurementCache(path: path).values(of: key) }
    var cache = MeasurementCache(path: path)
    #expect(cache.values(of: "first") == nil)
    cache.keep([0.5, -.infinity], of: "first")
    cache.keep([1], of: "first1")
    cache.keep([], of: "empty")
    cache.keep([2], of: "first")
    cache.write()
    #expect(kept("first") == [0.5, -.infinity])
    #expect(kept("first1") == [1])
    #expect(kept("empty") == [])
    #expect(kept("fir") == nil && kept("irst") == nil && kept("1") == nil)
    cache = MeasurementCache(path: path)
    for number in 0..<100 {
      cache.keep((0..<1000).map { Double(number * 1000 + $0) / 7 }, of: "many\(number)")
    }
    cache.write()
    #expect(kept("first") == nil && kept("many0") == nil)
    #expect(kept("many99")?.count == 1000 && kept("many99")?.last == 99999.0 / 7)
    #expect(try Data(contentsOf: URL(filePath: path)).count < 1_100_000)
    for text in [
      "rubbish\nfirst 0", "fxrun measurements 2\nfirst 3ff0000000000000 x", "fxrun measurements 2",
      "fxrun measurements 1\nfirst 3ff0000000000000",
    ] {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(kept("first") == nil)
    }
    try "fxrun measurements 2\nfirst 3ff0000000000000".write(
      toFile: path, atomically: true, encoding: .utf8)
    #expect(kept("first") == [1])
  }
}
