/// What stands before the bytes of an event.
package struct EventHeader: BitwiseCopyable {
  /// Frames from the beginning of a block; on a line between two nodes, the program's frame.
  package var frame: Int
  /// `EventHeader.midi`, or the number that the plugins of this process know a type of atoms by.
  package var type: UInt32
  /// Which of a node's event inputs or outputs.
  package var port: UInt32
  /// Bytes that follow.
  package var size: Int

  // MARK: - Realtime

  @_noLocks
  package init(frame: Int, type: UInt32, port: UInt32, size: Int) {
    self.frame = frame
    self.type = type
    self.port = port
    self.size = size
  }

  /// The type of a MIDI message.
  package static var midi: UInt32 {
    @_noLocks get { 0 }
  }

  /// Bytes of the header and what follows it, a multiple of eight.
  package var stride: Int {
    @_noLocks get { MemoryLayout<EventHeader>.stride + (size + 7) & ~7 }
  }
}

/// Events of one block, in the order of their frames: a view of memory that belongs to somebody else.
package struct EventList: BitwiseCopyable {
  package let start: UnsafeRawPointer?
  package let byteCount: Int

  // MARK: - Realtime

  @_noLocks
  package init(start: UnsafeRawPointer?, byteCount: Int) {
    self.start = start
    self.byteCount = byteCount
  }

  /// The event at a place, 0 being the first; nil behind the last one. The next one is `stride`
  /// further.
  @_noLocks
  package func event(at place: Int) -> EventHeader? {
    guard let start, place + MemoryLayout<EventHeader>.stride <= byteCount else { return nil }
    let header = (start + place).load(as: EventHeader.self)
    // Another process may have written this.
    guard header.size >= 0, header.size <= byteCount, place + header.stride <= byteCount else {
      return nil
    }
    return header
  }

  /// The bytes of the event at a place.
  @_noLocks
  package func bytes(at place: Int) -> UnsafeRawPointer? {
    start.map { $0 + place + MemoryLayout<EventHeader>.stride }
  }
}

/// Room for events: what a unit gives in a block, or what waits for one.
package struct EventBuffer: BitwiseCopyable {
  fileprivate struct State: BitwiseCopyable {
    /// Bytes that hold events: from `first` to `end`.
    var first = 0
    var end = 0
    var lostCount = 0
  }

  private let state: UnsafeMutablePointer<State>
  private let bytes: UnsafeMutableRawPointer
  private let capacity: Int

  /// Bytes of memory for a buffer of a capacity.
  package static func byteCount(capacity: Int) -> Int { MemoryLayout<State>.stride + capacity }

  /// Lays an empty buffer out in memory of `byteCount(capacity:)` bytes, on a multiple of eight.
  package init(at memory: UnsafeMutableRawPointer, capacity: Int) {
    self.init(viewing: memory, capacity: capacity)
    layOut()
  }

  /// Makes an empty buffer of memory that is viewed.
  package func layOut() { state.initialize(to: State()) }

  // MARK: - Realtime

  /// A view of a buffer that has been laid out.
  @_noLocks
  package init(viewing memory: UnsafeMutableRawPointer, capacity: Int) {
    state = memory.assumingMemoryBound(to: State.self)
    bytes = memory + MemoryLayout<State>.stride
    self.capacity = capacity & ~7
  }

  @_noLocks
  package func clear() {
    state.pointee.first = 0
    state.pointee.end = 0
  }

  package var isEmpty: Bool {
    @_noLocks get { state.pointee.first == state.pointee.end }
  }

  /// Events that found no room.
  package var lostCount: Int {
    @_noLocks get { state.pointee.lostCount }
  }

  package var list: EventList {
    @_noLocks get {
      let (first, end) = (state.pointee.first, state.pointee.end)
      guard first >= 0, first <= end, end <= capacity, first & 7 == 0 else {
        return EventList(start: nil, byteCount: 0)
      }
      return EventList(start: UnsafeRawPointer(bytes + first), byteCount: end - first)
    }
  }

  /// Puts an event behind the others. False where it has no room: it is counted then.
  @_noLocks
  package func append(_ header: EventHeader, _ content: UnsafeRawPointer) -> Bool {
    guard let target = room(for: header) else { return false }
    for index in 0..<header.size {
      target.storeBytes(
        of: (content + index).load(as: UInt8.self), toByteOffset: index, as: UInt8.self)
    }
    return true
  }

  /// Puts an event of at most four bytes behind the others.
  @_noLocks
  package func append(_ header: EventHeader, _ content: (UInt8, UInt8, UInt8, UInt8)) -> Bool {
    guard header.size <= 4, let target = room(for: header) else { return false }
    target.storeBytes(of: content.0, toByteOffset: 0, as: UInt8.self)
    target.storeBytes(of: content.1, toByteOffset: 1, as: UInt8.self)
    target.storeBytes(of: content.2, toByteOffset: 2, as: UInt8.self)
    target.storeBytes(of: content.3, toByteOffset: 3, as: UInt8.self)
    return true
  }

  /// The place of an event's bytes, its header written before them; nil where it has no room, which is
  /// counted.
  @_noLocks
  private func room(for header: EventHeader) -> UnsafeMutableRawPointer? {
    let stride = header.stride
    if state.pointee.end + stride > capacity { closeUp() }
    // Another process may have written the end.
    let end = state.pointee.end
    guard header.size >= 0, end >= 0, end + stride <= capacity else {
      state.pointee.lostCount += 1
      return nil
    }
    let place = bytes + end
    place.storeBytes(of: header, as: EventHeader.self)
    state.pointee.end = end + stride
    return place + MemoryLayout<EventHeader>.stride
  }

  /// The first event; nil where there is none.
  package var first: EventHeader? {
    @_noLocks get { list.event(at: 0) }
  }

  /// Takes the first event away.
  @_noLocks
  package func removeFirst() {
    guard let first else { return }
    state.pointee.first += first.stride
    if isEmpty { clear() }
  }

  /// Moves what is left to the beginning.
  @_noLocks
  private func closeUp() {
    let (first, count) = (state.pointee.first, state.pointee.end - state.pointee.first)
    guard first > 0, count >= 0, first + count <= capacity else { return }
    var index = 0
    while index < count {
      let word = (bytes + first + index).load(as: UInt64.self)
      (bytes + index).storeBytes(of: word, as: UInt64.self)
      index += 8
    }
    state.pointee.first = 0
    state.pointee.end = count
  }
}
