import FxAudio
@testable import FxPlaying
import Glibc
import Synchronization
import Testing

@Suite struct MIDISequencerTests {
  /// The reports of a sequencer.
  private final class Reports: Sendable {
    private let all = Mutex<[SenderChange]>([])

    func add(_ change: SenderChange) { all.withLock { $0.append(change) } }
    var kinds: [SenderChange.Kind] { all.withLock { $0.map(\.kind) } }
    var last: String { all.withLock { $0.last?.description ?? "" } }

    func wait(for kinds: [SenderChange.Kind]) -> Bool { eventually { self.kinds == kinds } }
  }

  private static func eventually(_ condition: () -> Bool) -> Bool {
    for _ in 0..<5000 {
      if condition() { return true }
      usleep(1000)
    }
    return false
  }

  private func input(_ sender: String?, _ inbox: MIDIInbox = MIDIInbox()) -> MIDISequencer.Input {
    MIDISequencer.Input(id: "synth keys", name: "keys", sender: sender, inbox: inbox)
  }

  private static let absent = SenderChange.Kind.waiting(code: -ENOENT)

  @Test func `an input starts without its sender and is connected when that appears and returns`()
    throws
  {
    let (fake, reports, inbox) = (FakeSequencer(), Reports(), MIDIInbox())
    let sequencer = try MIDISequencer([input("nano:0", inbox)], connection: fake) {
      reports.add($0)
    }
    #expect(reports.kinds == [Self.absent])
    #expect(reports.last.hasPrefix("the MIDI input 'keys' waits for its sender 'nano:0'"))
    fake.add(16, "other")
    fake.add(20, "nanoKONTROL")
    #expect(reports.wait(for: [Self.absent, .connected]))
    fake.send([0xb0, 7, 9], from: 20)
    #expect(Self.eventually { inbox.ring.receive(before: .infinity)?.bytes.2 == 9 })
    fake.remove(20)
    #expect(reports.wait(for: [Self.absent, .connected, .lost]))
    fake.add(24, "nanoKONTROL")
    #expect(reports.wait(for: [Self.absent, .connected, .lost, .connected]))
    fake.send([0xb0, 7, 10], from: 24)
    #expect(Self.eventually { inbox.ring.receive(before: .infinity)?.bytes.2 == 10 })
    sequencer.stop()
  }

  @Test func `a sender without an announcement is still found, and so is its end`() throws {
    let (fake, reports) = (FakeSequencer(), Reports())
    let sequencer = try MIDISequencer([input("20:0")], connection: fake) { reports.add($0) }
    let absent = SenderChange.Kind.waiting(code: -EINVAL)
    #expect(reports.kinds == [absent])
    fake.add(20, "keys", announced: false)
    #expect(reports.wait(for: [absent, .connected]))
    fake.remove(20, announced: false)
    #expect(reports.wait(for: [absent, .connected, .lost]))
    sequencer.stop()
  }

  @Test func `connections at the start are not reported`() throws {
    let (fake, reports) = (FakeSequencer([20: "keys"]), Reports())
    let sequencer = try MIDISequencer([input("keys"), input(nil)], connection: fake) {
      reports.add($0)
    }
    #expect(fake.state.withLock { $0.links } == [0: SequencerAddress(client: 20, port: 0)])
    #expect(reports.kinds.isEmpty)
    sequencer.stop()
  }

  @Test func `a new chain has its own sender and inbox`() throws {
    let (fake, reports) = (FakeSequencer([20: "keys", 24: "pads"]), Reports())
    let sequencer = try MIDISequencer([input("keys")], connection: fake) { reports.add($0) }
    let inbox = MIDIInbox()
    sequencer.update([input("pads", inbox)])
    #expect(reports.kinds == [.connected])
    fake.send([0xb0, 7, 1], from: 20)
    fake.send([0xb0, 7, 2], from: 24)
    #expect(Self.eventually { inbox.ring.receive(before: .infinity)?.bytes.2 == 2 })
    sequencer.update([input(nil, inbox)])
    #expect(fake.state.withLock { $0.links.isEmpty })
    sequencer.stop()
  }

  @Test func `a sequencer that fails to open its inputs is closed once`() throws {
    let count = Mutex(0)
    do throws(Failure) {
      let fake = FakeSequencer { count.withLock { $0 += 1 } }
      let refused = MIDISequencer.Input(
        id: "refused", name: "refused", sender: nil, inbox: MIDIInbox())
      _ = try MIDISequencer([input("nobody"), refused], connection: fake) { _ in }
      Issue.record("it was opened")
    } catch {
      #expect(error.message.hasPrefix("the MIDI input 'refused' cannot be opened: "))
    }
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `a system without a sequencer is reported with the remedy`() {
    do throws(Failure) {
      _ = try MIDISequencer([input("nobody here:99")]) { _ in }
    } catch {
      #expect(error.code == .deviceUnavailable)
      #expect(error.message.hasPrefix("the MIDI input 'keys' cannot be opened: "))
      #expect(error.message.contains("modprobe snd-seq") || error.message.contains("'audio'"))
    }
  }

  @Test func `a listener receives a message with zeros for missing data`() {
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
