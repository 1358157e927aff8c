@testable import FxAudio
import Testing

struct MIDIBacklogTests {
  private func backlog(_ messages: [[UInt8]], capacity: Int = 4) -> MIDIBacklog {
    var backlog = MIDIBacklog(capacity: capacity)
    for bytes in messages {
      if let message = MIDIRing.Message(bytes, at: 0) { backlog.add(message) }
    }
    return backlog
  }

  private func bytes(_ backlog: MIDIBacklog) -> [[UInt8]] { backlog.messages.map(\.paddedBytes) }

  @Test func `every message is kept in its order while there is room`() {
    let messages: [[UInt8]] = [[0xb0, 7, 1], [0xb0, 7, 2], [0xe0, 0, 64], [0x90, 60, 9]]
    let full = backlog(messages)
    #expect(bytes(full) == messages)
    #expect(full.droppedCount == 0)
  }

  @Test
  func `a full backlog keeps the newest value of each controller, bend, pressure and program`() {
    let full = backlog([
      [0xb0, 7, 1], [0xb0, 7, 2], [0xb0, 8, 3], [0xb1, 7, 4],
      [0xe0, 0, 1], [0xb0, 7, 5], [0xe0, 0, 2], [0xd0, 9], [0xd0, 10], [0xc0, 1], [0xc0, 2],
      [0xa0, 60, 1], [0xa0, 61, 2], [0xa0, 60, 3], [0xb0, 8, 6],
    ])
    #expect(
      bytes(full) == [
        [0xb0, 7, 1], [0xb1, 7, 4], [0xb0, 7, 5], [0xe0, 0, 2], [0xd0, 10, 0], [0xc0, 2, 0],
        [0xa0, 61, 2], [0xa0, 60, 3], [0xb0, 8, 6],
      ])
    #expect(full.droppedCount == 6)
  }

  @Test func `a full backlog drops notes that begin and keeps every end of a note`() {
    let notes: [[UInt8]] = [[0x90, 60, 1], [0x90, 61, 1], [0x90, 62, 1], [0x90, 63, 1]]
    let full = backlog(
      notes + [
        [0x90, 64, 1], [0x80, 60, 0], [0x90, 61, 0], [0x80, 60, 0], [0x80, 64, 0], [0x80, 70, 0],
      ])
    #expect(
      bytes(full) == notes + [[0x80, 60, 0], [0x90, 61, 0], [0x80, 64, 0], [0x80, 70, 0]])
    #expect(full.droppedCount == 2)
  }

  @Test func `a backlog stays bounded for any messages`() {
    var full = MIDIBacklog()
    for step in 0..<100_000 {
      let bytes = [UInt8(0x80 + step * 7 % 112), UInt8(step % 128), UInt8(step / 128 % 128)]
      if let message = MIDIRing.Message(bytes, at: 0) { full.add(message) }
    }
    #expect(full.messages.count <= 1024 + 1024 + 16 * (3 * 128 + 3))
    #expect(full.messages.count + full.droppedCount == 100_000)
  }

  @Test func `messages that are put back come before those that followed`() {
    var messages = backlog([[0xb0, 7, 3]])
    messages.putBack(backlog([[0xb0, 7, 1], [0x90, 60, 2]]).messages)
    #expect(bytes(messages) == [[0xb0, 7, 1], [0x90, 60, 2], [0xb0, 7, 3]])
  }
}
