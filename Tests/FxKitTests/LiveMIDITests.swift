@testable import FxKit
import Testing

/// MIDI control while a chain plays, on ALSA's null device.
struct LiveMIDITests {
  private static let chain = Chain(
    json: #"""
      { "version": 1, "sampleRate": 48000,
        "scenes": { "soft": { "parameters": { "fader.gain": "-20 dB" } } },
        "midi": [
          { "cc": 74, "parameter": "fader.gain", "range": ["-12 dB", "0 dB"] },
          { "note": 60, "bypass": "fader" },
          { "program": 3, "scene": "soft" } ],
        "chain": [
          { "source": "null" },
          { "id": "fader", "unit": "gain", "parameters": { "gain": "-3 dB" } },
          { "sink": { "alsa": "null" } } ] }
      """#)

  @Test func `controllers, notes and programs control their mapped targets`() throws {
    _ = try playing(Self.chain) { control in
      try control.ask(.midi([176, 74, 0]))
      #expect(try control.ask(.get(parameter: "fader.gain")) == .value(-12))
      try control.ask(.midi([176, 74, 127]))
      #expect(try control.ask(.get(parameter: "fader.gain")) == .value(0))
      try control.ask(.midi([144, 60, 100]))
      #expect(try control.ask(.get(parameter: "fader.bypass")) == .value(1))
      try control.ask(.midi([144, 60, 100]))
      #expect(try control.ask(.get(parameter: "fader.bypass")) == .value(0))
      try control.ask(.midi([192, 3]))
      #expect(try control.ask(.get(parameter: "fader.gain")) == .value(-20))
      #expect(failure { try control.ask(.midi([176, 74])) } != nil)
    }
  }

  @Test func `the next moved controller is learned`() throws {
    _ = try playing(Self.chain) { control in
      #expect(failure { try control.ask(.learn(parameter: "fader.gian")) } != nil)
      control.post(.learn(parameter: "fader.wet")) { outcome in
        #expect((try? outcome.get()) == .learned(#"{"cc":20,"channel":1,"parameter":"fader.wet"}"#))
      }
      try control.ask(.midi([176, 20, 127]))
      try control.ask(.midi([176, 20, 0]))
      #expect(try control.ask(.get(parameter: "fader.wet")) == .value(0))
    }
  }
}
