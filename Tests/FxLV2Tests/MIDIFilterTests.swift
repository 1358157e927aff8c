import Foundation
import FxAudio
@testable import FxLV2
import FxTestSupport
import Testing

/// Plugins with MIDI input and output, compared with a bare loop over the same plugin.
@Suite struct MIDIFilterTests {
  private static let world = LV2World()
  private static let family = "http://gareus.org/oss/lv2/midifilter#"
  private static let isInstalled = world.describe(uri: family + "passthru") != nil
  private static let names = [
    "passthru", "miditranspose", "midichord", "mapkeyscale", "keyrange", "velocityscale",
    "enforcescale", "notetoggle", "monolegato", "channelmap", "ntapdelay", "nodup",
  ]

  struct Event: Equatable, CustomStringConvertible {
    var frame: Int
    var bytes: [UInt8]

    var description: String {
      "\(frame) " + bytes.map { String(format: "%02x", $0) }.joined(separator: " ")
    }
  }

  /// Chords, runs, controllers and bends, several at one frame and across the ends of blocks.
  private static let played: [Event] = {
    var state: UInt64 = 11
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 40) % limit
    }
    var events: [Event] = []
    var sounding: [UInt8] = []
    for step in 0..<200 {
      let frame = step / 2 * 199 + random(3) * 64
      switch random(5) {
      case 0 where !sounding.isEmpty:
        events.append(Event(frame: frame, bytes: [0x80, sounding.removeFirst(), 64]))
      case 1:
        events.append(Event(frame: frame, bytes: [0xb0, UInt8(random(120)), UInt8(random(128))]))
      case 2:
        events.append(Event(frame: frame, bytes: [0xe0, UInt8(random(128)), UInt8(random(128))]))
      default:
        let key = UInt8(36 + random(48))
        sounding.append(key)
        events.append(Event(frame: frame, bytes: [0x90, key, UInt8(1 + random(127))]))
      }
    }
    return events.enumerated().sorted { ($0.1.frame, $0.0) < ($1.1.frame, $1.0) }.map(\.1)
  }()

  private static let bareLoop: String = {
    let program = FixtureBundles.temporaryFolder("bare") + "/bare-midi"
    let flags =
      (try? BuiltProgram.run(
        URL(filePath: "/usr/bin/pkg-config"), ["--cflags", "--libs", "lilv-0"]
      ).text) ?? ""
    _ = try? BuiltProgram.run(
      URL(filePath: "/usr/bin/cc"),
      ["-O1", "-o", program, "\(Fixture.repository)/Tests/Fixtures/bare-midi.c"]
        + flags.split(whereSeparator: \.isWhitespace).map(String.init))
    return program
  }()

  private func bare(_ uri: String, block: Int, frames: Int) throws -> [Event] {
    let input = FixtureBundles.temporaryFolder("midi") + "/\(UUID().uuidString)"
    try Self.played.map { "\($0)\n" }.joined().write(
      toFile: input, atomically: true, encoding: .utf8)
    let outcome = try BuiltProgram.run(
      URL(filePath: "/bin/sh"),
      ["-c", "exec '\(Self.bareLoop)' '\(uri)' 48000 \(block) \(frames) <'\(input)' 2>/dev/null"])
    #expect(outcome.status == 0)
    return outcome.text.split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return Event(
        frame: Int(words[0]) ?? -1, bytes: words.dropFirst().compactMap { UInt8($0, radix: 16) })
    }
  }

  /// The output of a plugin in blocks of one length, as the engine runs it.
  private func given(_ uri: String, block: Int, frames: Int) throws -> [Event] {
    let type = try #require(try Self.world.plugin(uri: uri))
    let instance = try type.made(maximum: block) {
      $0.eventInputs = [0]
      $0.eventOutputs = [0]
    }
    var signals = type.spec.parameters.map { ParameterSignal(constant: Float($0.defaultValue)) }
    let capacity = 1 << 16
    let bytes = EventBuffer.byteCount(capacity: capacity)
    let memory = [0, 1].map { _ in UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 8)
    }
    defer { memory.forEach { $0.deallocate() } }
    let (come, gone) = (
      EventBuffer(at: memory[0], capacity: capacity), EventBuffer(at: memory[1], capacity: capacity)
    )
    let noInputs = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: 1)
    let noOutputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
    defer {
      noInputs.deallocate()
      noOutputs.deallocate()
    }
    var result: [Event] = []
    var start = 0
    while start < frames {
      let count = min(block, frames - start)
      come.clear()
      gone.clear()
      for event in Self.played where event.frame >= start && event.frame < start + count {
        let header = EventHeader(
          frame: event.frame - start, type: EventHeader.midi, port: 0, size: event.bytes.count)
        _ = event.bytes.withUnsafeBytes { bytes in
          bytes.baseAddress.map { come.append(header, $0) }
        }
      }
      signals.withUnsafeMutableBufferPointer { signals in
        guard let parameters = signals.baseAddress else { return }
        var rendered = RenderBlock(
          inputs: UnsafePointer(noInputs), inputCount: 0, outputs: UnsafePointer(noOutputs),
          outputCount: 0, frameCount: count, frame: start, parameters: UnsafePointer(parameters))
        rendered.events = come.list
        rendered.givenEvents = gone
        instance.entry.render(instance.state, &rendered)
      }
      var place = 0
      while let event = gone.list.event(at: place), let bytes = gone.list.bytes(at: place) {
        result.append(
          Event(
            frame: start + event.frame,
            bytes: Array(UnsafeRawBufferPointer(start: bytes, count: event.size))))
        place += event.stride
      }
      start += count
    }
    return result
  }

  @Test(.enabled(if: isInstalled, "x42-plugins is not installed"), arguments: names)
  func `a MIDI filter gives what a bare loop over it gives, event by event`(_ name: String) throws {
    let expected = try bare(Self.family + name, block: 256, frames: 24000)
    #expect(!expected.isEmpty)
    #expect(try given(Self.family + name, block: 256, frames: 24000) == expected)
  }
}
