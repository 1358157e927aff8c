import FxAudio

/// Events that travel from one node to another, and the notes that they have started. Programs that
/// share the connection share this memory.
///
/// Allocated and freed on the control thread, used on the render thread.
final class EventLineMemory: @unchecked Sendable {
  // Sendable: the pointers never change; what they point to belongs to the render thread while a
  // program runs.
  let buffer: EventBuffer
  let notes = SoundingNotes()
  private let memory: UnsafeMutableRawPointer

  /// Capacity for waiting events, in bytes.
  static let capacity = 1 << 16

  init() {
    let count = EventBuffer.byteCount(capacity: Self.capacity)
    memory = .allocate(byteCount: count, alignment: 64)
    // Writing maps the pages before the render thread needs them.
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    buffer = EventBuffer(at: memory, capacity: Self.capacity)
  }

  deinit {
    notes.destroy()
    memory.deallocate()
  }
}

/// The notes that have started and not ended, by channel and key: a view of the line's memory.
struct SoundingNotes: BitwiseCopyable {
  /// One bit per note. The last word is not 0 when an event was lost or the line is cut: all notes
  /// must then be ended.
  private let words: UnsafeMutablePointer<UInt64>
  private static let wordCount = 32

  init() {
    words = .allocate(capacity: Self.wordCount + 1)
    words.initialize(repeating: 0, count: Self.wordCount + 1)
  }

  func destroy() { words.deallocate() }

  // MARK: - Realtime

  var areToEnd: Bool {
    @_noLocks get { words[32] != 0 }
    @_noLocks nonmutating set { words[32] = newValue ? 1 : 0 }
  }

  @_noLocks
  func note(_ status: UInt8, _ key: UInt8, _ velocity: UInt8) {
    guard status & 0xe0 == 0x80 else { return }
    let number = Int(status & 15) << 7 | Int(key & 127)
    let bit = UInt64(1) << UInt64(number & 63)
    if status & 0x10 != 0, velocity > 0 {
      words[number >> 6] |= bit
    } else {
      words[number >> 6] &= ~bit
    }
  }

  /// Removes and returns the first note; below 0 if there is none.
  @_noLocks
  func takeFirst() -> Int {
    for word in 0..<32 where words[word] != 0 {
      let bit = words[word].trailingZeroBitCount
      words[word] &= words[word] &- 1
      return word << 6 | bit
    }
    return -1
  }
}
