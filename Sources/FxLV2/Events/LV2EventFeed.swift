import CLilv
import FxAudio

/// Collects the events for the next run of a plugin: MIDI, the musical time, and events of other nodes.
struct LV2EventFeed: BitwiseCopyable {
  private struct State {
    /// Events from other nodes, and the run's offset in the block.
    var block = EventList(start: nil, byteCount: 0)
    var blockOffset = 0
    var frameCount = 0
    var wantsPosition = false
    /// The revision of the musical time in the last run.
    var revision = 0
    /// Number of frames of the run that get a position.
    var positionCount = 0
  }

  private let midi: MIDIFeed
  private let position: LV2TimePosition?
  /// The frames of the run that get a position, with the musical time there.
  private let places: UnsafeMutablePointer<LV2TimePosition.Place>
  private let midiType: LV2_URID
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
    let known = takesMIDI ? preparation.events : []
    let capacity =
      ports.filter(\.takesMIDI)
      .map { LV2EventPort.messageLimit(capacity: $0.capacity, layout: $0.layout) }.min() ?? 1
    midi = MIDIFeed(
      known, takesMIDI ? preparation.inbox?.ring : nil, sampleRate: preparation.sampleRate,
      capacity: capacity,
      at: memory.bytes(MIDIFeed.byteCount(knownCount: known.count, capacity: capacity)))
    position =
      hasTime
      ? LV2TimePosition(
        sampleRate: preparation.sampleRate, template: memory.bytes(LV2TimePosition.eventSize))
      : nil
    places = memory.values(LV2TimePosition.Place.none, count: LV2TimePosition.maximumCount)
    midiType = URIDMap.shared.map(LV2URI.midiEvent)
    state = memory.values(State(), count: 1)
  }

  // MARK: - Realtime

  /// Stores the events of a block, and begins it.
  @_noLocks
  func begin(_ block: EventList, frameCount: Int) {
    state.pointee.block = block
    midi.begin(frameCount: frameCount)
  }

  /// Collects the events of the run that starts at an absolute frame and at `offset` in the block.
  @_noLocks
  func advance(
    to frame: Int, offset: Int, frameCount: Int, isLast: Bool, _ time: MusicalTime
  ) {
    if midi.advance(to: frame, offset: offset, frameCount: frameCount, isLast: isLast) {
      state.pointee.wantsPosition = position != nil
    }
    state.pointee.blockOffset = offset
    state.pointee.frameCount = frameCount
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
      for index in 0..<midi.count {
        let message = midi.event(index)
        while next < placeCount, message.frame >= places[next].offset {
          others.append(before: places[next].offset)
          position?.append(to: port, places[next])
          next += 1
        }
        others.append(before: message.frame, rank: message.rank)
        port.append(message, type: midiType)
      }
    }
    while next < placeCount {
      others.append(before: places[next].offset)
      position?.append(to: port, places[next])
      next += 1
    }
    others.appendRest()
  }
}
