/// The header before the bytes of an event.
package struct EventHeader: BitwiseCopyable {
  /// Frames from the beginning of a block; on a connection between two nodes, the program's frame.
  package var frame: Int
  /// `EventHeader.midi`, or the number of an atom type for the plugins of this process.
  package var type: UInt32
  /// The index of the node's event input or output.
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

  /// Bytes of the header and the event, a multiple of eight.
  package var stride: Int {
    @_noLocks get { MemoryLayout<EventHeader>.stride + (size + 7) & ~7 }
  }
}

/// Events of one block, sorted by frame: a non-owning view.
public struct EventList: BitwiseCopyable {
  package let start: UnsafeRawPointer?
  package let byteCount: Int

  // MARK: - Realtime

  @_noLocks
  package init(start: UnsafeRawPointer?, byteCount: Int) {
    self.start = start
    self.byteCount = byteCount
  }

  /// The event at a byte offset, 0 for the first; nil after the last one. The next event is
  /// `stride` bytes further.
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

  /// The bytes of the event at an offset.
  @_noLocks
  package func bytes(at place: Int) -> UnsafeRawPointer? {
    start.map { $0 + place + MemoryLayout<EventHeader>.stride }
  }
}

/// A buffer for events: those that a unit outputs in a block, or those that wait for a block.
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

  /// Initializes an empty buffer in memory of `byteCount(capacity:)` bytes, aligned to eight.
  package init(at memory: UnsafeMutableRawPointer, capacity: Int) {
    self.init(viewing: memory, capacity: capacity)
    layOut()
  }

  /// Initializes the viewed memory as an empty buffer.
  package func layOut() { state.initialize(to: State()) }

  // MARK: - Realtime

  /// A view of a buffer that has been initialized.
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

  /// Events that were dropped because the buffer was full.
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

  /// Appends an event. False where there is no room: the event is then counted as lost.
  @_noLocks
  package func append(_ header: EventHeader, _ content: UnsafeRawPointer) -> Bool {
    guard let target = room(for: header) else { return false }
    for index in 0..<header.size {
      target.storeBytes(
        of: (content + index).load(as: UInt8.self), toByteOffset: index, as: UInt8.self)
    }
    return true
  }

  /// Appends an event of at most four bytes.
  @_noLocks
  package func append(_ header: EventHeader, _ content: (UInt8, UInt8, UInt8, UInt8)) -> Bool {
    guard header.size <= 4, let target = room(for: header) else { return false }
    target.storeBytes(of: content.0, toByteOffset: 0, as: UInt8.self)
    target.storeBytes(of: content.1, toByteOffset: 1, as: UInt8.self)
    target.storeBytes(of: content.2, toByteOffset: 2, as: UInt8.self)
    target.storeBytes(of: content.3, toByteOffset: 3, as: UInt8.self)
    return true
  }

  /// Writes the header and returns the address for the event's bytes; nil where there is no room,
  /// which is counted.
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

  /// Removes the first event.
  @_noLocks
  package func removeFirst() {
    guard let first else { return }
    state.pointee.first += first.stride
    if isEmpty { clear() }
  }

  /// Moves the remaining events to the beginning of the memory.
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
