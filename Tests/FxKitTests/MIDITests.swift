import FxAudio
import FxChain
import FxEngine
@testable import FxKit
import FxPlaying
import FxTestSupport
import Synchronization
import Testing

@Suite struct MIDITests {
  /// Any plugin is an instrument with one output, or an effect if its name contains "effect". It
  /// records its preparations.
  private final class Instruments: UnitCatalog {
    let told = Mutex<[Preparation]>([])
    let unitNames: [String] = []
    let pluginSearch: (folders: [String], pluginCount: Int) = ([], 0)

    func unit(named name: String) -> UnitType? { UnitLibrary.shared.unit(named: name) }
    func nearestPlugins(to uri: String) -> [String] { [] }

    func plugin(uri: String) throws(Failure) -> UnitType? {
      var spec = UnitSpec(
        uri, name: "Synth", summary: "A synth.", category: "instrument",
        inputs: uri.contains("effect") ? [.main] : [],
        outputs: [OutputBusSpec("out", width: .exactly(2))])
      spec.takesMIDI = true
      spec.isRealtimeCapable = uri.contains("good")
      let made = spec
      return UnitType(spec: made) { preparation in
        self.told.withLock { $0.append(preparation) }
        return UnitInstance(
          spec: made, state: .allocate(byteCount: 8, alignment: 8),
          entry: UnitEntry(render: { _, _ in }, reset: { _ in }), latency: 0, tail: .none,
          readings: ReadingBoard(cellCount: 0)
        ) { $0.deallocate() }
      }
    }
  }

  private static let note = #""midi": { "events": [ { "at": 1, "note": 60, "duration": 1 } ] }"#

  private func compiled(
    _ json: String, blockSize: Int? = nil, live: Bool = false, whole: Bool = true
  ) throws -> (chain: CompiledChain, told: [Preparation]) {
    var settings = CompiledChain.Settings.check()
    settings.blockSize = blockSize
    settings.isLive = live
    settings.hasWholeBlocks = whole
    let catalog = Instruments()
    settings.catalog = catalog
    let chain = try Chain(json: json).compiled(settings)
    return (chain, catalog.told.withLock { $0 })
  }

  private func list(_ nodes: String, _ more: String = "") -> String {
    #"{ "version": 1, \#(more) "chain": [ \#(nodes) ] }"#
  }

  @Test func `MIDI reaches the instrument at its frames, with the tempo`() throws {
    let (chain, told) = try compiled(
      list(#"{ "lv2": "urn:synth", \#(Self.note) }"#, #""tempo": 90,"#))
    #expect(
      told.map(\.events) == [
        [
          MIDIEvent(frame: 48000, bytes: (0x90, 60, 100), size: 3),
          MIDIEvent(frame: 96000, bytes: (0x80, 60, 64), size: 3),
        ]
      ])
    #expect(told[0].tempo == 90 && told[0].inbox == nil)
    #expect(chain.plan.sources.isEmpty)
    #expect(chain.scheduleEnd == 2)
  }

  @Test func `blocks have a fixed length except in a loop and in a caller's buffers`() throws {
    let loop = """
      { "version": 1, "nodes": { "in": { "source": "main" }, "a": { "lv2": "urn:effect:a" },
        "b": { "lv2": "urn:effect:b" }, "out": { "sink": "main" } },
        "connections": [ "in -> a", "a -> b", "b -> out",
          { "from": "a", "to": "a", "feedback": true, "delay": "10 ms" } ] }
      """
    #expect(try compiled(loop).told.map(\.hasFixedBlocks) == [false, true])
    #expect(try compiled(loop, whole: false).told.map(\.hasFixedBlocks) == [false, false])
  }

  @Test func `a live input has an inbox, and a file render refuses it`() throws {
    let json = list(#"{ "id": "synth", "lv2": "urn:synth", "midi": { "port": "keys" } }"#)
    let live = try compiled(json, live: true)
    #expect(live.told.first?.inbox != nil)
    #expect(live.chain.midiInputs.map(\.name) == ["keys"])
    let offline = try compiled(json).chain
    #expect(offline.inboxes.isEmpty)
    let node = try #require(offline.liveNode)
    #expect(ChainFailure.liveOnly(node).message.contains("'synth' plays what comes in"))
  }

  @Test func `a plugin that does not declare real-time capability is noted`() throws {
    let chain = try compiled(
      list(
        #"{ "id": "a", "lv2": "urn:good" }, { "id": "b", "lv2": "urn:effect" }, { "sink": "alsa" }"#
      )
    ).chain
    #expect(chain.namesDevice)
    #expect(chain.realtimeNotes.all.map(\.code) == [.notRealtime])
    #expect(chain.realtimeNotes.all.first?.message.contains("'b' is played live") == true)
  }

  @Test func `a chain without an input lasts as long as its automation`() throws {
    let folder = TemporaryFolder()
    let chain = Chain(
      json: """
        { "version": 1, "sampleRate": 8000, "tail": "none",
          "nodes": { "in": { "source": "null" }, "g": { "unit": "gain" }, "out": { "sink": "main" } },
          "connections": [ "in -> g", "g -> out" ],
          "automation": [ { "parameter": "g.gain", "points": [ [0, 0], [0.5, -6] ] } ] }
        """)
    var request = RenderRequest(outputs: ["main": folder.file("out.wav")])
    #expect(try chain.render(request).frames == 4000)
    request.start = 0.25
    #expect(try chain.render(request).frames == 2000)
    request.duration = 1
    #expect(try chain.render(request).frames == 8000)
    request.duration = nil
    request.start = 2
    #expect(failure { _ = try chain.render(request) }?.message.contains("leaves nothing") == true)
  }
}
