import FxAudio
import Synchronization

/// The bytes of a stream between the fetching thread and the reader: a window that moves through
/// the stream. Some bytes behind the reader are kept.
final class HTTPBuffer: Sendable {
  /// The memory of a stream in bytes, whatever the server sends.
  static let capacity = 4 << 20
  /// The bytes kept behind the reader, so that a short seek back needs no request.
  static let keptByteCount = 1 << 19
  /// The bytes that are fetched ahead behind a seek. As more are read, more are fetched ahead.
  private static let firstByteCount = 1 << 16
  /// Up to this distance, reading on is faster than another request.
  static let skippedByteCount = 1 << 18

  /// The result of a read.
  enum Taken { case bytes(Int), nothing, end, failed(Failure) }

  private struct State {
    var bytes: [UInt8] = []
    /// The stream offsets of the window's first byte and of the byte after its last.
    var start = 0
    var end = 0
    /// The offset of the next byte to read.
    var position = 0
    /// The offset where fetching began.
    var origin = 0
    /// Increases whenever fetching restarts at another offset.
    var generation = 0
    var isComplete = false
    var failure: Failure?
    var isWaiting = false
    var isFull = false
    var titles: [(place: Int, title: String)] = []
  }

  private let state = Mutex(State())
  private let arrival = Wakeup.make()

  deinit { arrival.destroy() }

  // MARK: The reader

  /// Waits for a change that `take` would see, or a tenth of a second.
  func wait() { _ = arrival.wait(seconds: 0.1) }

  /// Takes the next bytes. With `inPieces` (a stream with titles) it returns small pieces that end
  /// where a title begins. So a title appears only after the decoder has read up to it.
  func take(_ target: UnsafeMutableRawPointer, _ count: Int, inPieces: Bool) -> Taken {
    state.withLock { state in
      let available = state.end - state.position
      guard available > 0 else {
        if let failure = state.failure { return .failed(failure) }
        if state.isComplete { return .end }
        state.isWaiting = true
        return .nothing
      }
      var size = min(count, available)
      if inPieces {
        size = min(size, 4096)
        if let next = state.titles.first(where: { $0.place > state.position }) {
          size = min(size, next.place - state.position)
        }
      }
      Self.copy(state.bytes, state.position, size, target)
      state.position += size
      return .bytes(size)
    }
  }

  /// True if fetching stopped because the buffer was full, and there is room again.
  var hasRoomAgain: Bool {
    state.withLock { $0.isFull && Self.room($0) >= Self.limit($0) / 4 }
  }

  /// Takes the titles up to the reading position.
  func takeTitles() -> [String] {
    state.withLock { state in
      let due = state.titles.prefix { $0.place <= state.position }.map(\.title)
      state.titles.removeFirst(due.count)
      return due
    }
  }

  /// Sets the next byte to read. True if fetching must restart for it.
  func move(to place: Int) -> Bool {
    state.withLock { state in
      if place >= state.start, place <= state.end || isNear(place, state) {
        state.position = place
        return false
      }
      restart(at: place, &state)
      return true
    }
  }

  private func isNear(_ place: Int, _ state: State) -> Bool {
    place > state.end && place - state.end <= Self.skippedByteCount && !state.isComplete
      && state.failure == nil
  }

  // MARK: The thread that fetches

  /// The offset to fetch from, and its generation.
  var request: (place: Int, generation: Int) { state.withLock { ($0.end, $0.generation) } }

  func isCurrent(_ generation: Int) -> Bool { state.withLock { $0.generation == generation } }

  /// False if there is no room; the fetching thread waits then.
  func hasRoom(for count: Int) -> Bool {
    state.withLock { state in
      state.isFull = Self.room(state) < count
      return !state.isFull
    }
  }

  /// Appends fetched bytes, unless fetching has restarted meanwhile.
  func append(_ bytes: UnsafeRawBufferPointer, _ generation: Int) {
    state.withLock { state in
      guard state.generation == generation else { return }
      if state.bytes.isEmpty { state.bytes = [UInt8](repeating: 0, count: Self.capacity) }
      let index = state.end & (Self.capacity - 1)
      let first = min(bytes.count, Self.capacity - index)
      state.bytes.withUnsafeMutableBytes { buffer in
        guard let source = bytes.baseAddress, let base = buffer.baseAddress else { return }
        (base + index).copyMemory(from: source, byteCount: first)
        base.copyMemory(from: source + first, byteCount: bytes.count - first)
      }
      state.end += bytes.count
      state.start = max(state.start, state.end - Self.capacity)
      wake(&state)
    }
  }

  /// False if the bytes at an offset differ from those received before, as far as these are kept.
  func matches(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
    state.withLock { state in
      let first = max(place, state.start)
      let last = min(place + bytes.count, state.end)
      guard first < last else { return true }
      return (first..<last).allSatisfy {
        state.bytes[$0 & (Self.capacity - 1)] == bytes[$0 - place]
      }
    }
  }

  /// Adds a title that applies from the next byte on.
  func append(title: String) {
    state.withLock { state in
      if state.titles.count < 1000 { state.titles.append((state.end, title)) }
    }
  }

  func complete(_ generation: Int) {
    state.withLock { state in
      guard state.generation == generation else { return }
      state.isComplete = true
      wake(&state)
    }
  }

  func fail(_ error: Failure, _ generation: Int) {
    state.withLock { state in
      guard state.generation == generation else { return }
      state.failure = error
      wake(&state)
    }
  }

  private func restart(at place: Int, _ state: inout State) {
    state.start = place
    state.end = place
    state.position = place
    state.origin = place
    state.generation += 1
    state.isComplete = false
    state.failure = nil
    state.titles = []
  }

  private func wake(_ state: inout State) {
    guard state.isWaiting else { return }
    state.isWaiting = false
    arrival.signal()
  }

  private static func room(_ state: State) -> Int {
    min(
      capacity - (state.end - max(state.start, state.position - keptByteCount)),
      limit(state) - (state.end - state.position))
  }

  /// The most bytes that are fetched ahead. It grows with the number of bytes read since the last
  /// seek.
  private static func limit(_ state: State) -> Int {
    let read = state.position - state.origin
    return min(max(read / 2, firstByteCount) + max(read - capacity / 4, 0), capacity)
  }

  private static func copy(
    _ bytes: [UInt8], _ place: Int, _ count: Int, _ target: UnsafeMutableRawPointer
  ) {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      let index = place & (capacity - 1)
      let first = min(count, capacity - index)
      target.copyMemory(from: base + index, byteCount: first)
      (target + first).copyMemory(from: base, byteCount: count - first)
    }
  }
}
