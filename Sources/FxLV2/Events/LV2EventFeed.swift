import CLilv
import CRealtime
import FxAudio

/// Collects the events for the next run of a plugin: the chain's MIDI, live MIDI and the musical
/// time.
///
/// The chain's MIDI depends only on the frames, never on how they are split into runs. At the first
/// run and after a jump, sounding notes are ended and the current state of the channels is sent:
/// programs, controllers, pitch bends, pressures. Notes that began earlier are not sent. Messages
/// that do not fit into a buffer move to the first frame of the next run.
struct LV2EventFeed: BitwiseCopyable {
  /// A message and its frame within a run.
  struct Message: BitwiseCopyable {
    let offset: Int
    let bytes: (UInt8, UInt8, UInt8)
    let size: UInt8

    // MARK: - Realtime

    var rank: Int {
      @_noLocks get { MIDIRank.rank(bytes.0, size > 2 ? bytes.2 : 0) }
    }

    @_noLocks
    func store(at place: UnsafeMutableRawPointer) {
      place.storeBytes(of: bytes.0, as: UInt8.self)
      if size > 1 { (place + 1).storeBytes(of: bytes.1, as: UInt8.self) }
      if size > 2 { (place + 2).storeBytes(of: bytes.2, as: UInt8.self) }
    }
  }

  private struct State {
    /// The first frame of the next run, unless there is a jump.
    var expected = 0
    var hasStarted = false
    /// The next event; the next event to chase and the end of the events to chase; the next note to
    /// end.
    var cursor = 0
    var chase = 0
    var chaseEnd = 0
    var chaseFrame = 0
    var release = LV2EventFeed.noteCount
    var messageCount = 0
    /// Events from other nodes, and the run's offset in the block.
    var block = EventList(start: nil, byteCount: 0)
    var blockOffset = 0
    var frameCount = 0
    /// The start of the current live block, by the monotonic clock.
    var liveStart = 0.0
    var wantsPosition = false
    /// The revision of the musical time in the last run.
    var revision = 0
    /// Number of frames of the run that get a position.
    var positionCount = 0
  }

  private static let noteCount = 16 << 7

  private let events: UnsafeMutableBufferPointer<LV2TimedEvent>
  private let ring: MIDIRing?
  private let position: LV2TimePosition?
  /// The frames of the run that get a position, with the musical time there.
  private let places: UnsafeMutablePointer<LV2TimePosition.Place>
  private let midiType: LV2_URID
  private let sampleRate: Double
  private let messages: UnsafeMutablePointer<Message>
  private let messageLimit: Int
  /// By channel and note number.
  private let isSounding: UnsafeMutablePointer<Bool>
  private let state: UnsafeMutablePointer<State>

  /// nil for a plugin that receives no events. `memory` owns the buffers.
  init?(_ description: LV2Description, _ preparation: Preparation, in memory: LV2Memory) {
    let ports = LV2Memory.eventShapes(of: description).map(\.shape)
    let takesMIDI = ports.contains(where: \.takesMIDI)
    let hasMIDI = takesMIDI && (!preparation.events.isEmpty || preparation.inbox != nil)
    let hasTime =
      ports.contains(where: \.takesTime)
      && (preparation.tempo != nil || preparation.isLive)
    guard hasMIDI || hasTime || !preparation.eventInputs.isEmpty else { return nil }
    events = memory.buffer(takesMIDI ? LV2TimedEvent.all(preparation.events) : [])
    ring = takesMIDI ? preparation.inbox?.ring : nil
    position =
      hasTime
      ? LV2TimePosition(
        sampleRate: preparation.sampleRate, template: memory.bytes(LV2TimePosition.eventSize))
      : nil
    places = memory.values(LV2TimePosition.Place.none, count: LV2TimePosition.maximumCount)
    midiType = URIDMap.shared.map(LV2URI.midiEvent)
    sampleRate = preparation.sampleRate
    messageLimit =
      ports.filter(\.takesMIDI)
      .map { LV2EventPort.messageLimit(capacity: $0.capacity, layout: $0.layout) }.min() ?? 0
    messages = memory.values(
      Message(offset: 0, bytes: (0, 0, 0), size: 0), count: max(messageLimit, 1))
    isSounding = memory.values(false, count: LV2EventFeed.noteCount)
    state = memory.values(State(), count: 1)
  }

  // MARK: - Realtime

  /// Stores the events of a block. For live messages, the block starts `frameCount` frames before
  /// now.
  @_noLocks
  func begin(_ block: EventList, frameCount: Int) {
    state.pointee.block = block
    guard ring != nil else { return }
    state.pointee.liveStart = fx_monotonic_seconds() - Double(frameCount) / sampleRate
  }

  /// Collects the events of the run that starts at an absolute frame and at `offset` in the block.
  @_noLocks
  func advance(
    to frame: Int, offset: Int, frameCount: Int, isLast: Bool, _ time: MusicalTime
  ) {
    state.pointee.messageCount = 0
    if !state.pointee.hasStarted || frame != state.pointee.expected { locate(frame) }
    state.pointee.expected = frame + frameCount
    state.pointee.blockOffset = offset
    state.pointee.frameCount = frameCount
    takeReleases()
    takeState()
    takeEvents(from: frame, frameCount: frameCount)
    takeLive(offset: offset, frameCount: frameCount, isLast: isLast)
    state.pointee.positionCount = 0
    if position != nil, time.isKnown { takePositions(from: frame, frameCount: frameCount, time) }
  }

  /// Finds the frames that get a position: the first frame after a start, a jump or a new revision;
  /// each change of tempo or metre; and the first frame of a run during a tempo ramp. None is
  /// before frame 0.
  @_noLocks
  private func takePositions(from frame: Int, frameCount: Int, _ time: MusicalTime) {
    let end = frame + frameCount
    guard end > 0 else { return }
    let first = frame < 0 ? 0 : frame
    var stretch = time.stretch(at: first)
    if state.pointee.wantsPosition || state.pointee.revision != time.revision
      || stretch.span.slope != 0 || stretch.span.firstFrame == first
    {
      place(first, from: frame, stretch)
    }
    state.pointee.revision = time.revision
    while stretch.end < end, state.pointee.positionCount < LV2TimePosition.maximumCount {
      let next = stretch.end
      stretch = time.stretch(at: next)
      place(next, from: frame, stretch)
    }
    // The next run begins with the last of the changes that do not fit.
    state.pointee.wantsPosition = stretch.end < end
  }

  @_noLocks
  private func place(_ frame: Int, from start: Int, _ stretch: MusicalStretch) {
    places[state.pointee.positionCount] = LV2TimePosition.Place(
      offset: frame - start, frame: frame, time: stretch)
    state.pointee.positionCount += 1
  }

  /// Fills an input port's empty buffer with the events of the run, sorted by frame.
  @_noLocks
  func fill(_ port: LV2EventPort) {
    guard port.isInput else { return }
    var others = LV2EventCursor(
      state.pointee.block, offset: state.pointee.blockOffset, frameCount: state.pointee.frameCount,
      into: port, midiType: midiType)
    let placeCount = port.takesTime ? state.pointee.positionCount : 0
    var next = 0
    if port.takesMIDI {
      for index in 0..<state.pointee.messageCount {
        while next < placeCount, messages[index].offset >= places[next].offset {
          others.append(before: places[next].offset)
          position?.append(to: port, places[next])
          next += 1
        }
        others.append(before: messages[index].offset, rank: messages[index].rank)
        port.append(messages[index], type: midiType)
      }
    }
    while next < placeCount {
      others.append(before: places[next].offset)
      position?.append(to: port, places[next])
      next += 1
    }
    others.appendRest()
  }

  /// Restarts at a frame.
  @_noLocks
  private func locate(_ frame: Int) {
    state.pointee.release = state.pointee.hasStarted ? 0 : LV2EventFeed.noteCount
    state.pointee.hasStarted = true
    state.pointee.wantsPosition = position != nil
    var low = 0
    var high = events.count
    while low < high {
      let middle = (low + high) / 2
      if events[middle].event.frame < frame { low = middle + 1 } else { high = middle }
    }
    state.pointee.cursor = low
    state.pointee.chase = 0
    state.pointee.chaseEnd = low
    state.pointee.chaseFrame = frame
  }

  @_noLocks
  private func takeReleases() {
    while state.pointee.release < LV2EventFeed.noteCount,
      state.pointee.messageCount < messageLimit
    {
      let note = state.pointee.release
      state.pointee.release += 1
      guard isSounding[note] else { continue }
      put((0x80 | UInt8(note >> 7), UInt8(note & 127), 64), size: 3, at: 0)
    }
  }

  @_noLocks
  private func takeState() {
    guard state.pointee.release >= LV2EventFeed.noteCount else { return }
    while state.pointee.chase < state.pointee.chaseEnd, state.pointee.messageCount < messageLimit {
      let timed = events[state.pointee.chase]
      state.pointee.chase += 1
      guard timed.lasts(until: state.pointee.chaseFrame) else { continue }
      put(timed.event.bytes, size: timed.event.size, at: 0)
    }
  }

  @_noLocks
  private func takeEvents(from frame: Int, frameCount: Int) {
    guard state.pointee.chase >= state.pointee.chaseEnd else { return }
    while state.pointee.cursor < events.count, state.pointee.messageCount < messageLimit {
      let event = events[state.pointee.cursor].event
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
    while state.pointee.messageCount < messageLimit, let message = ring.receive(before: end) {
      let late = (message.seconds - start) * sampleRate
      var place = late > 0 ? (late < Double(frameCount) ? Int(late) : frameCount - 1) : 0
      if state.pointee.messageCount > 0 {
        place = max(place, messages[state.pointee.messageCount - 1].offset)
      }
      put(message.bytes, size: message.size, at: place)
    }
  }

  @_noLocks
  private func put(_ bytes: (UInt8, UInt8, UInt8), size: UInt8, at offset: Int) {
    messages[state.pointee.messageCount] = Message(offset: offset, bytes: bytes, size: size)
    state.pointee.messageCount += 1
    guard size == 3, bytes.0 & 0xe0 == 0x80 else { return }
    let note = Int(bytes.0 & 15) << 7 | Int(bytes.1 & 127)
    isSounding[note] = bytes.0 >= 0x90 && bytes.2 > 0
  }
}
