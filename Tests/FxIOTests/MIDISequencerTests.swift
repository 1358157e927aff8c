import FxAudio
import Synchronization
import Testing

@testable import FxIO

@Suite struct MIDISequencerTests {
  @Test func `a sender that does not exist is named`() {
    let input = MIDISequencer.Input(name: "keys", sender: "nobody here:99", inbox: MIDIInbox())
    do throws(IOError) {
      let sequencer = try MIDISequencer([input])
      sequencer.stop()
      Issue.record("it found a sender")
    } catch {
      // Without the sequencer in the kernel it cannot be opened in the first place.
      #expect(error.code == .deviceUnavailable)
      #expect(error.message.hasPrefix("the MIDI input 'keys' "))
    }
  }

  @Test func `a listener is told a message with nothing for the data that it lacks`() {
    let heard = Mutex<[[Double]]>([])
    let input = MIDISequencer.Input(name: "control", sender: nil) { status, first, second, time in
      heard.withLock { $0.append([Double(status), Double(first), Double(second), time]) }
    }
    input.destination.send([0xb0, 74, 100], at: 1)
    input.destination.send([0xc3, 5], at: 2)
    input.destination.send([], at: 3)
    #expect(heard.withLock { $0 } == [[0xb0, 74, 100, 1], [0xc3, 5, 0, 2]])
  }

  @Test func `messages leave an inbox in their order, up to a time`() {
    let inbox = MIDIInbox()
    inbox.send([0x90, 60, 1], at: 1)
    inbox.send([0xc0, 5], at: 2)
    inbox.send([], at: 2)
    inbox.send([1, 2, 3, 4], at: 2)
    #expect(inbox.ring.receive(before: 1)?.size == nil)
    #expect(inbox.ring.receive(before: 1.5)?.bytes.1 == 60)
    #expect(inbox.ring.receive(before: 1.5)?.size == nil)
    let last = inbox.ring.receive(before: .infinity)
    #expect(last?.size == 2 && last?.bytes.0 == 0xc0)
    #expect(inbox.ring.receive(before: .infinity)?.size == nil)
  }
}
