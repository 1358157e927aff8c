@testable import FxKit
import FxTestSupport
import Testing

/// Snapshots of a performance for its caller. The null device accepts all frames at once.
@Suite struct LiveSnapshotTests {
  private let folder: TemporaryFolder

  init() throws { folder = TemporaryFolder() }

  private func play(
    _ nodes: String, seconds: Double = 0.5, _ configure: (inout RenderRequest) -> Void = { _ in }
  ) throws -> (shown: [LiveSnapshot], summary: RenderSummary) {
    // A square wave: its peak is its RMS.
    let samples = (0..<Int(44100 * seconds)).map { Float($0 % 100 < 50 ? 0.25 : -0.25) }
    let chain = Chain(
      json: #"""
        { "version": 1, "name": "Square", "tail": "none",
          "chain": [\#(nodes), { "id": "ears", "sink": { "alsa": "null" } }] }
        """#)
    var request = RenderRequest(inputs: ["main": try folder.writeSound("in.wav", samples)])
    configure(&request)
    var shown: [LiveSnapshot] = []
    let summary = try chain.play(request, metering: LiveMetering { shown.append($0) })
    return (shown, summary)
  }

  @Test func `a snapshot has levels, readings and each node's load`() throws {
    let (shown, _) = try play(
      #"""
      { "id": "half", "unit": "gain", "parameters": { "gain": "-6.0206 dB" } },
      { "id": "level", "unit": "meter" },
      { "id": "squash", "unit": "compressor",
        "parameters": { "threshold": "-40 dB", "ratio": "2:1", "makeup": "0 dB" } }
      """#)
    let last = try #require(shown.last)
    #expect(last.state == .playing)
    #expect(last.chain == "Square")
    #expect(last.device == "null")
    #expect(last.sampleRate == 44100)
    #expect(last.blockFrames == 256)
    #expect(last.lengthSeconds == 0.5)
    #expect(last.nodes.map(\.id) == ["half", "level", "squash"])
    #expect(last.nodes.map(\.unit) == ["gain", "meter", "compressor"])
    #expect(last.sources.map(\.name) == ["input"])
    #expect(last.sources[0].place?.hasSuffix("in.wav") == true)
    #expect(last.sinks.map(\.name) == ["ears"])
    #expect(last.sinks[0].place == "null")
    #expect(last.sinks[0].channels.count == 2)
    let source = try #require(last.sources[0].channels.first)
    #expect(abs(source.highest - -12.04) < 0.01)
    #expect(source.clippedSamples == 0)
    let meter = last.nodes[1].readings
    #expect(
      meter.map(\.id) == [
        "peak", "rms", "truePeak", "momentary", "shortTerm", "integrated", "range", "correlation",
        "highestMomentary", "highestShortTerm",
      ])
    #expect(
      meter.map(\.measure) == [
        "dB", "dB", "dB", "LUFS", "LUFS", "LUFS", "LU", "", "LUFS", "LUFS",
      ])
    #expect(abs((meter[0].values.first ?? 0) - -18.06) < 0.01)
    #expect(last.nodes[2].readings.map(\.id) == ["gainReduction"])
    for node in last.nodes {
      let load = try #require(node.load)
      #expect(load.mean > 0)
      #expect(load.p50 <= load.p99)
      #expect(load.p99 <= load.p999)
      #expect(load.p999 <= load.maximum)
      #expect(node.peak == nil)
    }
    let whole = try #require(last.blocks)
    let parts = last.nodes.compactMap(\.load?.mean).reduce(0, +)
    #expect(whole.mean >= parts * 0.999)
    #expect(last.roundTripFrames == nil)
    #expect(last.counts == LiveSnapshot.Counts())
  }

  @Test func `levels of nodes are measured only while they are switched on`() throws {
    let chain = Chain(
      json: #"""
        { "version": 1, "chain": [
          { "source": "null" }, { "id": "a", "unit": "gain" }, { "sink": { "alsa": "null" } } ] }
        """#)
    let (control, stop) = (LiveControl(), StopSignal())
    var peaks: [Double?] = []
    let metering = LiveMetering { snapshot in
      peaks.append(snapshot.nodes.first?.peak)
      switch peaks.count {
      case 1: control.post(.nodeLevels(true))
      case 3: control.post(.nodeLevels(false))
      case 5...: stop.stop()
      default: break
      }
    }
    _ = try chain.play(RenderRequest(), stop: stop, control: control, metering: metering)
    #expect(peaks.prefix(5) == [nil, -.infinity, -.infinity, nil, nil])
  }

  @Test func `the position counts from the beginning of the file`() throws {
    let (shown, _) = try play(#"{ "unit": "gain" }"#, seconds: 2) { $0.start = 1 }
    let last = try #require(shown.last)
    #expect(last.positionSeconds >= 1)
    #expect(last.lengthSeconds == 2)
  }

  @Test func `the summary has each node's cost, offline only on request`() throws {
    let (_, live) = try play(#"{ "id": "a", "unit": "reverb" }, { "id": "b", "unit": "gain" }"#)
    #expect(Set(live.nodeCosts.map(\.node)) == ["a", "b"])
    #expect(abs(live.nodeCosts.map(\.share).reduce(0, +) - 1) < 1e-9)
    let chain = list(#"{ "id": "a", "unit": "reverb" }, { "id": "b", "unit": "gain" }"#)
    let input = try folder.writeSound("in.wav", noise(5000))
    var request = RenderRequest(input: input, output: folder.file("out.wav"))
    #expect(try chain.render(request).nodeCosts.isEmpty)
    request.measuresNodes = true
    let costs = try chain.render(request).nodeCosts
    // The most expensive node comes first.
    #expect(costs.count == 2 && costs[0].nanosecondsPerFrame >= costs[1].nanosecondsPerFrame)
    #expect(costs.allSatisfy { $0.nanosecondsPerFrame > 0 && $0.load.maximum > 0 })
    #expect(costs.sorted { $0.node < $1.node }.map(\.unit) == ["reverb", "gain"])
  }
}
