import FxEngine
@testable import FxKit
import FxPlaying
import FxTestSupport
import Testing

/// The device that sets the clock, and the devices that follow it.
@Suite struct ChainDevicesTests {
  /// A chain that connects each source to each sink; the texts are the nodes' values.
  private func devices(
    sources: [String], sinks: [String], _ settings: LiveSettings = LiveSettings()
  ) throws -> ChainDevices {
    let ins = sources.enumerated().map { #""in\#($0)": { "source": \#($1) }"# }
    let outs = sinks.enumerated().map { #""out\#($0)": { "sink": \#($1) }"# }
    let names = (sources.indices.map { "in\($0)" }, sinks.indices.map { "out\($0)" })
    let connections = names.0.flatMap { source in names.1.map { "\"\(source) -> \($0)\"" } }
    let chain = Chain(
      json: #"""
        { "version": 1, "nodes": { \#((ins + outs).joined(separator: ", ")) },
          "connections": [\#(connections.joined(separator: ", "))] }
        """#)
    var request = RenderRequest()
    request.live = settings
    return try RenderJob(chain, request).devices
  }

  private func device(_ name: String, clock: Bool = false) -> String {
    #"{ "alsa": "\#(name)"\#(clock ? #", "clock": true"# : "") }"#
  }

  private func names(_ devices: ChainDevices) -> [String?] {
    [devices.playback?.device, devices.capture?.device] + devices.following.map(\.device)
  }

  @Test
  func `the first playback device sets the clock, together with the same card's capture device`()
    throws
  {
    let found = try devices(
      sources: [device("mic"), device("card")], sinks: [device("card"), device("far")])
    #expect(names(found) == ["card", "card", "far", "mic"])
    #expect(found.following.map(\.direction) == [.playback, .capture])
    #expect(found.sinks.count == 2)
    #expect(found.recorder(ofSource: found.following[1].ports[0]) == "mic")
  }

  @Test func `a microphone on another card is synchronized as the capture device`() throws {
    let found = try devices(sources: [device("mic"), device("other")], sinks: [device("card")])
    #expect(names(found) == ["card", "mic", "other"])
  }

  @Test func `a device marked as clock sets the clock, playing or recording`() throws {
    let played = try devices(
      sources: [device("mic")], sinks: [device("card"), device("far", clock: true)])
    #expect(names(played) == ["far", "mic", "card"])
    let recorded = try devices(
      sources: [device("other"), device("mic", clock: true)], sinks: [device("card")])
    #expect(names(recorded) == [nil, "mic", "card", "other"])
    let both = try devices(
      sources: [device("card", clock: true)], sinks: [device("far"), device("card")])
    #expect(names(both) == ["card", "card", "far"])
  }

  @Test func `sources of one device share it`() throws {
    let found = try devices(
      sources: [device("mic"), device("other"), device("other")], sinks: [device("card")])
    #expect(found.following.map(\.ports.count) == [2])
  }

  @Test func `two sinks do not share a device`() throws {
    var settings = LiveSettings()
    settings.device = "card"
    let refused = failure {
      _ = try devices(
        sources: [device("mic")], sinks: [device("card"), device("default")], settings)
    }
    #expect(refused?.code == "several-sinks")
  }
}
