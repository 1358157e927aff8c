import FxAudio
@testable import FxLV2
import Synchronization
import Testing

@Suite struct LogTests {
  /// Collects what a world's plugins log.
  private final class Lines: Sendable {
    private let lines = Mutex<[LV2LogLine]>([])
    var all: [LV2LogLine] { lines.withLock { $0 } }
    func add(_ line: LV2LogLine) { lines.withLock { $0.append(line) } }
  }

  private let uri = "urn:fxrun:test:chatty"

  @Test func `a plugin's log messages reach the world's handler with level and arguments`() throws {
    let lines = Lines()
    let plugin = try fixture("chatty", in: FixtureBundles.world { lines.add($0) }).made()
    #expect(lines.all == [.init(level: .error, plugin: uri, text: "made for 48000 Hz (so it is)")])
    _ = plugin.render([[0, 0]])
    #expect(lines.all.last == .init(level: .trace, plugin: uri, text: "ran 2 frames"))
  }

  @Test func `log messages of a live render thread arrive when the instance ends`() throws {
    let lines = Lines()
    do {
      let plugin = try fixture("chatty", in: FixtureBundles.world { lines.add($0) })
        .made(live: true)
      _ = plugin.render([[0, 0, 0]])
      #expect(lines.all.count == 1)
    }
    #expect(lines.all.last?.text == "ran 3 frames")
  }

  @Test func `numbers for URIs are stable and never run out`() {
    let first = URIDMap.shared.map("urn:fxrun:test:urid:0")
    for index in 0..<20000 { _ = URIDMap.shared.map("urn:fxrun:test:urid:\(index)") }
    #expect(URIDMap.shared.map("urn:fxrun:test:urid:0") == first)
    let last = URIDMap.shared.map("urn:fxrun:test:urid:19999")
    #expect(URIDMap.shared.unmap(last).map { String(cString: $0) } == "urn:fxrun:test:urid:19999")
    #expect(URIDMap.shared.unmap(0) == nil)
    #expect(URIDMap.shared.unmap(.max) == nil)
  }
}
