import CRealtime

/// Collects the MIDI messages for the next run of a unit: those known in advance, and live ones.
///
/// The known messages depend only on the frames, never on how they are split into runs. At the first run
/// and after a jump, sounding notes are ended and the current state of the channels is sent: programs,
/// controllers, pitch bends, pressures. Notes that began earlier are not sent. Messages that exceed the
/// capacity move to the first frame of the next run.
///
/// A view of memory that its owner frees.
package struct MIDIFeed: BitwiseCopyable {
  private struct State: BitwiseCopyable {
    /// The first frame of the next run, unless there is a jump.
    var expected = 0
    var hasStarted = false
    /// The next message; the next message to chase and the end of those to chase; the next note to end.
    var cursor = 0
    var chase = 0
    var chaseEnd = 0
    var chaseFrame = 0
    var release = MIDIFeed.noteCount
    var count = 0
    /// The start of the current live block, by the monotonic clock.
    var liveStart = 0.0
  }

  private static let noteCount = 16 << 7

  private let state: UnsafeMutablePointer<State>
  private let collected: UnsafeMutablePointer<MIDIEvent>
  private let capacity: Int
  private let known: UnsafeMutableBufferPointer<LastingMIDIEvent>
  /// By channel and note number.
  private let isSounding: UnsafeMutablePointer<Bool>
  private let ring: MIDIRing?
  private let sampleRate: Double

  /// Bytes of memory for a feed.
  package static func byteCount(knownCount: Int, capacity: Int) -> Int {
    MemoryLayout<State>.stride + capacity * MemoryLayout<MIDIEvent>.stride
      + knownCount * MemoryLayout<LastingMIDIEvent>.stride + noteCount
  }

  /// - Parameters:
  ///   - known: messages at frames of the unit's timeline, sorted.
  ///   - ring: live messages; its owner outlives the feed.
  ///   - capacity: messages of one run, at least 1.
  ///   - memory: `byteCount(knownCount:capacity:)` bytes, aligned to eight.
  package init(
    _ known: [MIDIEvent], _ ring: MIDIRing?, sampleRate: Double, capacity: Int,
    at memory: UnsafeMutableRawPointer
  ) {
    var place = memory
    func take<Value: BitwiseCopyable>(_ value: Value, _ count: Int) -> UnsafeMutablePointer<Value> {
      defer { place += count * MemoryLayout<Value>.stride }
      return place.initializeMemory(as: Value.self, repeating: value, count: count)
    }
    let none = MIDIEvent(frame: 0, bytes: (0, 0, 0), size: 0)
    state = take(State(), 1)
    let lasting = LastingMIDIEvent.all(known)
    self.known = UnsafeMutableBufferPointer(
      start: take(LastingMIDIEvent(none), lasting.count), count: lasting.count)
    _ = self.known.update(fromContentsOf: lasting)
    collected = take(none, capacity)
    isSounding = take(false, Self.noteCount)
    self.capacity = capacity
    self.ring = ring
    self.sampleRate = sampleRate
  }

  // MARK: - Realtime

  /// Messages of the run, sorted by frame.
  package var count: Int {
    @_noLocks get { state.pointee.count }
  }

  /// A message of the run; its frame counts from the run's first frame.
  @_noLocks
  package func event(_ index: Int) -> MIDIEvent { collected[index] }

  /// Begins a block of one or more runs. For live messages, it starts `frameCount` frames before now.
  @_noLocks
  package func begin(frameCount: Int) {
    guard ring != nil else { return }
    state.pointee.liveStart = fx_monotonic_seconds() - Double(frameCount) / sampleRate
  }

  /// Collects the messages of the run that starts at an absolute frame and at `offset` in the block.
  ///
  /// - Returns: true at the first run and after a jump.
  @_noLocks
  package func advance(to frame: Int, offset: Int, frameCount: Int, isLast: Bool) -> Bool {
    state.pointee.count = 0
    let jumps = !state.pointee.hasStarted || frame != state.pointee.expected
    if jumps { locate(frame) }
    state.pointee.expected = frame + frameCount
    takeReleases()
    takeState()
    takeKnown(from: frame, frameCount: frameCount)
    takeLive(offset: offset, frameCount: frameCount, isLast: isLast)
    return jumps
  }

  /// Restarts at a frame.
  @_noLocks
  private func locate(_ frame: Int) {
    state.pointee.release = state.pointee.hasStarted ? 0 : MIDIFeed.noteCount
    state.pointee.hasStarted = true
    var low = 0
    var high = known.count
    while low < high {
      let middle = (low + high) / 2
      if known[middle].event.frame < frame { low = middle + 1 } else { high = middle }
    }
    state.pointee.cursor = low
    state.pointee.chase = 0
    state.pointee.chaseEnd = low
    state.pointee.chaseFrame = frame
  }

  @_noLocks
  private func takeReleases() {
    while state.pointee.release < MIDIFeed.noteCount, state.pointee.count < capacity {
      let note = state.pointee.release
      state.pointee.release += 1
      guard isSounding[note] else { continue }
      put((0x80 | UInt8(note >> 7), UInt8(note & 127), 64), size: 3, at: 0)
    }
  }

  @_noLocks
  private func takeState() {
    guard state.pointee.release >= MIDIFeed.noteCount else { return }
    while state.pointee.chase < state.pointee.chaseEnd, state.pointee.count < capacity {
      let lasting = known[state.pointee.chase]
      state.pointee.chase += 1
      guard lasting.lasts(until: state.pointee.chaseFrame) else { continue }
      put(lasting.event.bytes, size: lasting.event.size, at: 0)
    }
  }

  @_noLocks
  private func takeKnown(from frame: Int, frameCount: Int) {
    guard state.pointee.chase >= state.pointee.chaseEnd else { return }
    while state.pointee.cursor < known.count, state.pointee.count < capacity {
      let event = known[state.pointee.cursor].event
      guard event.frame < frame + frameCount else { return }
      state.pointee.cursor += 1
      put(event.bytes, size: event.size, at: event.frame < frame ? 0 : event.frame - frame)
    }
  }

  /// Delays live messages by one block, so that their distances in time are kept.
  @_noLocks
  private func takeLive(offset: Int, frameCount: Int, isLast: Bool) {
    guard let ring else { return }
    let start = state.pointee.liveStart + Double(offset) / sampleRate
    let end = isLast ? Double.infinity : start + Double(frameCount) / sampleRate
    while state.pointee.count < capacity, let message = ring.receive(before: end) {
      let late = (message.seconds - start) * sampleRate
      var place = late > 0 ? (late < Double(frameCount) ? Int(late) : frameCount - 1) : 0
      if state.pointee.count > 0 {
        place = max(place, collected[state.pointee.count - 1].frame)
      }
      put(message.bytes, size: message.size, at: place)
    }
  }

  @_noLocks
  private func put(_ bytes: (UInt8, UInt8, UInt8), size: UInt8, at frame: Int) {
    collected[state.pointee.count] = MIDIEvent(frame: frame, bytes: bytes, size: size)
    state.pointee.count += 1
    guard size == 3, bytes.0 & 0xe0 == 0x80 else { return }
    let note = Int(bytes.0 & 15) << 7 | Int(bytes.1 & 127)
    isSounding[note] = bytes.0 >= 0x90 && bytes.2 > 0
  }
}
