@testable import FxChecks
import FxEngine
import Testing

/// The words for a change of a MIDI file.
@Suite struct MIDIChangeTests {
  private func words(_ messages: (Double, [UInt8])...) -> [String] {
    messages.map { MIDIWords.words(TimedMIDI(seconds: $0.0, bytes: $0.1)) }
  }

  @Test func `a changed message is named with its number`() {
    let then = words((0, [0x90, 60, 100]), (0.5, [0x80, 60, 0]))
    let now = words((0, [0x90, 60, 100]), (0.75, [0x80, 60, 0]))
    #expect(
      MIDIWords.change(of: "synth", now, since: then)
        == "message 2 of the MIDI of 'synth' is note off 60 (channel 1) at 0.75 s, was note off 60 "
        + "(channel 1) at 0.5 s")
    #expect(MIDIWords.change(of: "synth", then, since: then) == nil)
    #expect(
      MIDIWords.change(of: "synth", Array(then.prefix(1)), since: then)?.contains("is gone") == true
    )
    #expect(
      MIDIWords.change(of: "synth", then, since: Array(then.prefix(1)))?.contains("is new") == true)
  }

  @Test func `messages of every kind have words`() {
    #expect(words((1, [0x9F, 1, 2])) == ["note on 1 (velocity 2, channel 16) at 1 s"])
    #expect(words((1, [0x90, 1, 0])) == ["note off 1 (channel 1) at 1 s"])
    #expect(words((1, [0xB0, 7, 64])) == ["controller 7 = 64 (channel 1) at 1 s"])
    #expect(words((1, [0xC1, 4])) == ["program 5 (channel 2) at 1 s"])
    #expect(words((1, [0xE0, 0, 64])) == ["pitch bend 0 (channel 1) at 1 s"])
    #expect(words((1, [])) == ["message  at 1 s"])
  }
}
