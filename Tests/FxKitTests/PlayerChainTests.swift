import Foundation
@testable import FxKit
import FxTestSupport
import Testing

/// Players and regions of files in chains.
@Suite struct PlayerChainTests {
  private let folder = TemporaryFolder()
  private let long = noise(8000, seed: 3)
  private let short = noise(1000, seed: 5)

  init() throws {
    _ = try folder.writeSound("long.wav", long, rate: 8000)
    _ = try folder.writeSound("short.wav", short, rate: 8000)
    _ = try folder.writeSound("fast.wav", noise(4410, seed: 7), rate: 44100)
  }

  private func kept(_ samples: [Float]) -> [Float] {
    samples.map { Float(Int($0 * 32768)) / 32768 }
  }

  private func chain(_ source: String, _ settings: String = "") -> Chain {
    Chain(
      json: """
        { "version": 1, "tail": "none", \(settings)
          "nodes": { "show": { "source": \(source) }, "out": { "sink": "main" } },
          "connections": ["show -> out"] }
        """, path: folder.file("chain.json"))
  }

  /// The samples that a chain renders.
  private func render(
    _ chain: Chain, _ change: (inout RenderRequest) -> Void = { _ in }
  ) throws -> (samples: [[Float]], summary: RenderSummary) {
    let queue = SampleCollector()
    var request = RenderRequest()
    request.sampleOutputs["main"] = .push { channels, _ in queue.add(channels) }
    change(&request)
    let summary = try chain.render(request)
    return (queue.samples, summary)
  }

  @Test func `regions follow one another at the rate of the first, and are listed`() throws {
    let (samples, summary) = try render(
      chain(#"{ "player": [ { "id": "a", "file": "short.wav" }, { "file": "long.wav" } ] }"#))
    #expect(summary.sampleRate == 8000)
    #expect(samples == [kept(short + long)])
    #expect(summary.regions.map(\.id) == ["a", nil])
    #expect(summary.regions.map(\.frame) == [0, 1000])
    #expect(summary.regions.map(\.frames) == [1000, 8000])
  }

  @Test func `times are seconds, frames and beats`() throws {
    let (samples, _) = try render(
      chain(
        """
        { "player": [ { "file": "short.wav", "at": "1 beats" },
          { "file": "short.wav", "at": "100 frames", "duration": "50 ms" } ] }
        """, #""tempo": 120,"#))
    #expect(samples[0].count == 5000)
    let sound = kept(short)
    #expect(Array(samples[0][100..<500]) == Array(sound[..<400]))
    #expect(Array(samples[0][4000...]) == sound)
  }

  @Test func `a file and an input may begin later and from their middle`() throws {
    let source = #"{ "file": "long.wav", "at": "0:01", "start": "0.5 s", "duration": "250 ms" }"#
    let sound = kept(long)
    let expected = [Float](repeating: 0, count: 8000) + sound[4000..<6000]
    #expect(try render(chain(source)).samples == [expected])
    let input = source.replacing("\"file\": \"long.wav\"", with: "\"input\": \"main\"")
    let found = try render(chain(input)) { $0.inputs["main"] = folder.file("long.wav") }
    #expect(found.samples == [expected])
  }

  @Test func `the start of a render counts within the schedule`() throws {
    let player = chain(
      #"{ "player": [ { "file": "short.wav" }, { "file": "long.wav", "reverse": true } ] }"#)
    let all = try render(player).samples[0]
    let late = try render(player) { $0.start = 0.5 }
    #expect(late.samples == [Array(all[4000...])])
  }

  @Test func `the chain's rate applies to every region`() throws {
    let (samples, summary) = try render(
      chain(
        #"{ "player": [ { "file": "long.wav" }, { "file": "fast.wav" } ] }"#,
        #""sampleRate": 48000,"#))
    #expect(summary.sampleRate == 48000)
    #expect(samples[0].count == 48000 + 4800)
  }

  @Test(arguments: [
    (#"{ "file": "gone.wav" }"#, "no such file", #""gone.wav""#),
    (#"{ "file": "short.wav", "start": "9 s" }"#, "behind the end of the file", #""9 s""#),
    (#"{ "file": "short.wav", "duration": "9 s" }"#, "the file ends before that", #""9 s""#),
    (#"{ "file": "short.wav", "fadeIn": "1 s" }"#, "longer than the region", #""1 s""#),
    (#"{ "file": "short.wav", "id": "a", "after": "a" }"#, "'a' waits for itself", #""file""#),
    (#"{ "file": "short.wav", "offset": "-1 s" }"#, "before the schedule does", #""-1 s""#),
    (#"{ "file": "short.wav", "channels": [2] }"#, "there is no channel 2", "[2]"),
    (#"{ "file": "short.wav", "loop": "forever" }, { "file": "short.wav" }"#, "has no end", "{"),
    (
      #"{ "file": "short.wav", "loop": "forever", "fadeOut": "1 ms" }"#, "no end to fade",
      #""1 ms""#
    ),
    (
      #"{ "file": "short.wav" }, { "file": "short.wav", "crossfade": "1 s" }"#,
      "before the schedule does",
      #""1 s""#
    ),
  ])
  func `a region that cannot be played is a mistake at its place`(
    _ regions: String, _ message: String, _ place: String
  ) throws {
    let found = chain(#"{ "player": [ \#(regions) ] }"#).check()
    let mistake = try #require(found.first { $0.message.contains(message) }, "\(found)")
    #expect(mistake.line == 2)
    #expect(mistake.code == "invalid-region")
  }

  @Test(arguments: [
    #"{ "file": "nope.wav", "fadeIn": "0.2 s", "fadeOut": "0.1 s" }"#,
    #"{ "file": "nope.wav" }, { "file": "short.wav", "crossfade": "1 ms" }"#,
  ])
  func `a missing file is one mistake`(_ regions: String) throws {
    let found = chain(#"{ "player": [ \#(regions) ] }"#).check()
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.message.contains("no such file") == true)
  }

  @Test func `the files of a schedule are files of the chain`() throws {
    let chain = chain(#"{ "player": [ { "file": "long.wav" }, { "file": "short.wav" } ] }"#)
    let files = try chain.files().map { URL(filePath: $0).lastPathComponent }
    #expect(files.sorted() == ["chain.json", "long.wav", "short.wav"])
  }
}
