import Foundation
@testable import FxKit
import FxTestSupport
import Synchronization
import Testing

/// Regions that are queued, listed and removed while a chain plays.
struct LivePlayerTests {
  private let folder = TemporaryFolder()

  private func chain(_ regions: String, _ options: String = "") -> Chain {
    Chain(
      json: """
        { "version": 1, "tail": "none", "sampleRate": 44100,
          "nodes": { "show": { "source": { "player": [ \(regions) ]\(options) } },
            "ears": { "sink": { "alsa": "null" } } },
          "connections": ["show -> ears"] }
        """, path: folder.file("chain.json"))
  }

  private func players(_ control: LiveControl) throws -> [LivePlayer] {
    guard case .players(let players) = try control.ask(.players) else { throw CancellationError() }
    return players
  }

  private func queued(_ answer: LiveAnswer) throws -> PlacedRegion {
    guard case .queued(let placed) = answer else { throw CancellationError() }
    return placed
  }

  @Test func `a region is queued, begins, is listed and is removed`() throws {
    // The null device plays as fast as it is rendered: long enough for a machine that is busy.
    let long = try folder.writeSound("long.wav", [Float](repeating: 0, count: 480_000), rate: 100)
    let summary = try playing(chain("", #", "endless": true, "channels": 1"#)) {
      (control: LiveControl) throws in
      var region = QueuedRegion(file: long)
      region.time = .now
      region.id = "bed"
      let placed = try queued(control.ask(.play(region)))
      #expect(placed.region.player == "show")
      #expect(placed.region.id == "bed")
      #expect(placed.region.durationSeconds == 4800)
      #expect(placed.lateSeconds == 0)
      var next = QueuedRegion(file: long)
      next.time = .seconds(1e6)
      let waiting = try queued(control.ask(.play(next)))
      #expect(waiting.region.seconds == 1e6)
      #expect(waiting.region.id == "queued1")
      var late = QueuedRegion(file: long)
      late.time = .seconds(0)
      #expect(try queued(control.ask(.play(late))).lateSeconds > 0)
      let players = try players(control)
      #expect(players.map(\.node) == ["show"])
      #expect(players[0].waiting >= 1)
      #expect(try control.ask(.remove(region: "bed")) == .done)
      let again = failure { try control.ask(.remove(region: "queued2", player: "other")) }
      #expect(again?.message == "there is no player 'other'; there is 'show'")
      let unknown = failure { try control.ask(.remove(region: "nobody")) }
      #expect(unknown?.code == "unknown-region")
      let missing = failure { try control.ask(.play(QueuedRegion(file: "/nowhere.wav"))) }
      #expect(missing?.kind == .input)
      guard case .status(let status) = try control.ask(.status) else { throw CancellationError() }
      #expect(status.players.map(\.node) == ["show"])
    }
    #expect(summary.wasStopped)
  }

  @Test func `each region reports that it begins and that it has been played`() throws {
    _ = try folder.writeSound("a.wav", noise(4410))
    _ = try folder.writeSound("b.wav", noise(8820))
    let events = Mutex<[RegionEvent]>([])
    let summary = try chain(#"{ "id": "a", "file": "a.wav" }, { "id": "b", "file": "b.wav" }"#)
      .play(RenderRequest()) { _ in
      } region: { event in
        events.withLock { $0.append(event) }
      }
    let seen = events.withLock { $0.map { "\($0.kind.rawValue) \($0.region.id ?? "")" } }
    #expect(Set(seen) == ["region-began a", "region-ended a", "region-began b", "region-ended b"])
    #expect(seen.count == 4)
    #expect(seen.first == "region-began a" && seen.last == "region-ended b")
    #expect(summary.regions.map(\.id) == ["a", "b"])
    #expect(summary.regions.map(\.frame) == [0, 4410])
  }

  @Test func `a chain without a player has nothing to queue in`() throws {
    let file = try folder.writeSound("in.wav", noise(44100))
    var request = RenderRequest()
    request.inputs["main"] = file
    request.loop = LiveLoop()
    _ = try playing(
      Chain(
        json: #"{ "version": 1, "chain": [ { "unit": "gain" }, { "sink": { "alsa": "null" } } ] }"#),
      request
    ) {
      (control: LiveControl) throws in
      let refused = failure { try control.ask(.play(QueuedRegion(file: file))) }
      #expect(refused?.code == "no-transport")
      #expect(try players(control).isEmpty)
    }
  }
}
