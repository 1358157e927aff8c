import FxAudio
@testable import FxLV2
import Testing

/// A request to a plugin's own process arrives whole.
@Suite struct HostRequestTests {
  private var preparation: Preparation {
    var preparation = Preparation(
      sampleRate: 44100.5, maximumFrameCount: 64, nominalFrameCount: 32, inputWidths: [2, 1],
      outputWidths: [2], options: ["a": .text("ü"), "b": .number(-1.5), "c": .flag(true)],
      items: [ListItem(id: "x", options: ["d": .flag(false)]), ListItem()],
      parameters: [1, -.infinity, 0.1], isLive: true, seed: .max)
    preparation.unit = "urn:x"
    preparation.controlReadings = [4, 0]
    preparation.eventInputs = [1]
    preparation.eventOutputs = [0]
    preparation.revision = 3
    preparation.layout = .discrete(2)
    preparation.node = "far"
    preparation.setup = PluginSetup(
      state: .folder("/some/where"),
      properties: [
        PluginSetup.Property(uri: "urn:a", value: .text("t")),
        PluginSetup.Property(uri: "urn:b", value: .number(2)),
        PluginSetup.Property(uri: "urn:c", value: .flag(true)),
        PluginSetup.Property(uri: "urn:d", value: .file("/a/file")),
      ], isIsolated: true)
    preparation.events = [
      MIDIEvent(frame: -7, bytes: (0x90, 127, 255), size: 3),
      MIDIEvent(frame: .max, bytes: (0xc0, 1, 0), size: 2),
    ]
    preparation.hasFixedBlocks = true
    preparation.roundTrip = 1234
    preparation.waitedRoundTrip = 234
    preparation.playedLatency = 34
    preparation.playbackFrames = 35
    preparation.tempo = 93.5
    return preparation
  }

  /// All fields but those that stay in this process: readings, live MIDI, and sounds, models
  /// and measurements, which no plugin uses.
  private func text(_ preparation: Preparation) -> [String] {
    let crossing = Mirror(reflecting: preparation).children.filter {
      !["readings", "inbox", "sounds", "models", "measured"].contains($0.label)
    }
    return crossing.map { child in
      if let options = child.value as? [String: OptionValue] {
        return "\(options.sorted { $0.key < $1.key })"
      }
      return "\(child.label ?? ""): \(child.value)"
    }
  }

  @Test func `every field of a preparation arrives`() throws {
    let sent = HostRequest(
      uri: "urn:p", searchPath: "/a:/b", preparation: preparation)
    let received = try #require(HostRequest(sent.bytes))
    #expect(received.uri == "urn:p")
    #expect(received.searchPath == "/a:/b")
    #expect(text(received.preparation) == text(preparation))
    // Give a new field a value here that is not its default.
    let standard = text(
      Preparation(sampleRate: 1, maximumFrameCount: 1, inputWidths: [], outputWidths: []))
    for (mine, theirs) in zip(text(preparation), standard) { #expect(mine != theirs) }
  }

  @Test func `an incomplete request is refused`() {
    let bytes = HostRequest(
      uri: "urn:p", searchPath: "/a:/b", preparation: preparation
    ).bytes
    for count in 0..<bytes.count {
      #expect(HostRequest(Array(bytes[..<count])) == nil)
    }
  }
}
