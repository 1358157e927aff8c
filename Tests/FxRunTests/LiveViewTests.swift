import FxKit
@testable import FxRun
import Testing

/// The live view as text. A person should look at `Fixtures/golden/view-*.txt`.
@Suite struct LiveViewTests {
  private typealias Level = LiveSnapshot.Level

  private static func load(_ mean: Double, maximum: Double) -> LiveSnapshot.Load {
    LiveSnapshot.Load(
      now: mean * 1.1, mean: mean, p50: mean * 0.98, p99: mean * 1.5, p999: mean * 2,
      maximum: maximum)
  }

  @Test func `the first line has tempo, bar and beat where there is a tempo`() {
    var snapshot = LiveSnapshot()
    snapshot.chain = "Dub"
    #expect(!LiveView.lines(snapshot, width: 80, height: 9)[0].contains("bpm"))
    (snapshot.tempo, snapshot.bar, snapshot.beat) = (96.04, 12, 3.75)
    #expect(LiveView.lines(snapshot, width: 80, height: 9)[0].contains("96 bpm 12:3"))
  }

  static var snapshot: LiveSnapshot {
    var snapshot = LiveSnapshot()
    snapshot.chain = "Podcast voice"
    snapshot.device = "hw:CARD=USB"
    snapshot.sampleRate = 48000
    snapshot.periodFrames = 128
    snapshot.bufferFrames = 384
    snapshot.blockFrames = 128
    snapshot.elapsedSeconds = 192
    snapshot.positionSeconds = 192
    snapshot.roundTripFrames = 624
    snapshot.sources = [
      LiveSnapshot.Stream(
        name: "mic", place: "hw:CARD=USB",
        channels: [Level(peak: -9.4, rms: -18.2, highest: -3.1)])
    ]
    snapshot.sinks = [
      LiveSnapshot.Stream(
        name: "out", place: "hw:CARD=USB",
        channels: [
          Level(peak: -1.2, rms: -9.5, highest: 0.4, clippedSamples: 3),
          Level(peak: -30, rms: -.infinity, highest: -2),
        ])
    ]
    snapshot.nodes = [
      .init(
        id: "rumble", unit: "highPass", load: load(0.004, maximum: 0.02)),
      .init(
        id: "even", unit: "compressor",
        readings: [.init(id: "gainReduction", measure: "dB", values: [7.25])],
        load: load(0.021, maximum: 0.08)),
      .init(
        id: "hall", unit: "reverb", load: load(0.61, maximum: 0.93)),
      .init(
        id: "loud", unit: "meter",
        readings: [
          .init(id: "peak", measure: "dB", values: [-3.2, -3.4]),
          .init(id: "rms", measure: "dB", values: [-18, -.infinity]),
        ], load: load(0.002, maximum: 0.01)),
      .init(
        id: "limit", unit: "limiter",
        readings: [.init(id: "gainReduction", measure: "dB", values: [0])],
        load: load(0.03, maximum: 0.09)),
    ]
    snapshot.betweenNodes = load(0.001, maximum: 0.004)
    snapshot.blocks = load(0.668, maximum: 1.13)
    return snapshot
  }

  private func text(
    _ snapshot: LiveSnapshot, _ width: Int, _ height: Int, style: LiveViewStyle = LiveViewStyle(),
    keys: String? = nil
  ) -> String {
    var loud = snapshot
    for index in loud.sinks.indices {
      for channel in loud.sinks[index].channels.indices {
        loud.sinks[index].channels[channel].peak += 4
      }
    }
    var holds = LiveHolds()
    holds.follow(loud)
    return LiveView.lines(
      snapshot, holds: holds, width: width, height: height, style: style, keys: keys
    ).joined(separator: "\n") + "\n"
  }

  @Test(arguments: [40, 80, 200])
  func `the view fits the width`(_ width: Int) throws {
    try Golden.expect(text(Self.snapshot, width, 40), is: "view-\(width).txt")
  }

  @Test func `without UTF-8 the view is ASCII`() throws {
    var snapshot = Self.snapshot
    snapshot.chain = "Grüße"
    let shown = text(snapshot, 80, 24, style: LiveViewStyle(isUnicode: false))
    #expect(shown.unicodeScalars.allSatisfy { $0.isASCII })
    try Golden.expect(shown, is: "view-ascii.txt")
  }

  @Test func `high values are coloured if colours are switched on`() throws {
    let shown = text(Self.snapshot, 80, 24, style: LiveViewStyle(isColored: true))
    try Golden.expect(
      shown.replacing("\u{1B}", with: "<ESC>"), is: "view-coloured.txt")
    #expect(!text(Self.snapshot, 80, 24).contains("\u{1B}"))
  }

  @Test func `of many nodes the heaviest are shown, and levels of nodes have a column`() throws {
    var snapshot = Self.snapshot
    snapshot.nodes = (1...40).map { number in
      .init(
        id: "a node with a long name \(number)", unit: "gain",
        load: Self.load(Double(number) / 4000, maximum: 0.2), peak: Double(-number))
    }
    snapshot.state = .waiting
    snapshot.lengthSeconds = 4000
    snapshot.counts.xruns = 3
    snapshot.counts.ownXruns = 1
    snapshot.counts.returns = 1
    try Golden.expect(text(snapshot, 100, 16, keys: "n levels"), is: "view-many.txt")
  }

  @Test func `the view fits any terminal`() {
    var wide = Self.snapshot
    wide.chain = "名前の長い鎖の名前の長い鎖の名前の長い鎖の名前"
    wide.sources[0].channels = [Level](
      repeating: Level(peak: 30, rms: .nan, highest: .infinity), count: 64)
    wide.nodes[0].load = LiveSnapshot.Load(
      now: .nan, mean: .infinity, p50: 0, p99: -1, p999: 0, maximum: 1e300)
    wide.nodes[1].readings[0].values = [.infinity]
    wide.counts.xruns = 1_000_000
    for snapshot in [Self.snapshot, wide, LiveSnapshot()] {
      for width in [1, 10, 20, 21, 33, 40, 79, 120, 500] {
        for height in [1, 2, 3, 5, 8, 13, 24, 100] {
          let lines = LiveView.lines(snapshot, width: width, height: height, keys: "some keys")
          #expect(lines.count <= max(height, 3) - 1)
          for line in lines {
            #expect(TerminalText.columns(line) <= max(width, 20) - 1, "\(line)")
          }
        }
      }
    }
  }

  @Test func `a name cannot move the cursor`() {
    var snapshot = Self.snapshot
    snapshot.chain = "a\u{1B}[2Jb\u{202E}c\nd"
    snapshot.nodes[0].id = "\u{7}bell"
    let shown = text(snapshot, 80, 24)
    #expect(shown.contains(#"a\u{1b}[2Jb\u{202e}c\nd"#))
    #expect(shown.contains(#"\u{7}bell"#))
  }

  @Test func `a peak is held for two seconds, and marks can be cleared`() {
    var snapshot = Self.snapshot
    var holds = LiveHolds()
    func hear(_ peak: Double, at seconds: Double) {
      snapshot.elapsedSeconds = seconds
      snapshot.sinks[0].channels[0].peak = peak
      holds.follow(snapshot)
    }
    hear(-6, at: 1)
    hear(-20, at: 2.9)
    #expect(holds.peak("out 0", 0) == -6)
    hear(-3, at: 2.95)
    #expect(holds.peak("out 0", 0) == -3)
    hear(-25, at: 5.1)
    #expect(holds.peak("out 0", 0) == -25)
    #expect(holds.isClipped("out 0", 0, 3))
    holds.clear(snapshot)
    #expect(!holds.isClipped("out 0", 0, 3))
    #expect(holds.isClipped("out 0", 0, 4))
    #expect(holds.peak("out 0", 0) == nil)
  }

  @Test func `texts are cut and padded by columns, not by characters`() {
    #expect(TerminalText.columns("aé漢") == 4)
    #expect(TerminalText.columns("e\u{301}") == 1)
    #expect(TerminalText.fit("漢字漢字", 5) == "漢字…")
    #expect(TerminalText.fit("漢字漢字", 6) == "漢字… ")
    #expect(TerminalText.fit("ab", 4, isRight: true) == "  ab")
    #expect(TerminalText.cut("abc", 3) == "abc")
    #expect(TerminalText.cut("abc", 0) == "")
  }

  @Test func `costs are a table`() throws {
    let costs = [
      NodeCost.make("hall", "reverb", share: 0.75, nanoseconds: 120.5),
      NodeCost.make("漢", "http://example.org/plugin", share: 0.2, nanoseconds: 32),
      NodeCost.make("", "", share: 0.05, nanoseconds: 8),
    ]
    try Golden.expect(
      ProfileReport(costs: costs, sampleRate: 48000).text + "\n", is: "profile.txt")
  }
}

extension NodeCost {
  fileprivate static func make(
    _ node: String, _ unit: String, share: Double, nanoseconds: Double
  ) -> NodeCost {
    NodeCost(
      node: node, unit: unit, share: share, nanosecondsPerFrame: nanoseconds,
      load: LiveSnapshot.Load(now: 0.1, mean: 0.1, p50: 0.1, p99: 0.2, p999: 0.25, maximum: 0.31))
  }
}
