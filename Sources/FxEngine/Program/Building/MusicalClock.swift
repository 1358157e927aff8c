package import FxAudio
import Synchronization

/// A change of the musical time by a performer; it takes effect at the start of a block.
package enum TimeChange: BitwiseCopyable, Sendable, Hashable {
  /// A new tempo from here on, in beats per minute, instead of the chain's tempo map.
  case tempo(Double)
  /// False stops the musical time; true resumes it.
  case rolling(Bool)
  /// Sets the current beat.
  case beat(Double)
}

/// The musical time of a performance, which all its programs share: the chain's tempo map with the
/// performer's changes.
///
/// Created and freed on the control thread. The render thread reads it, and changes it between
/// blocks.
package final class MusicalClock: @unchecked Sendable {
  // Sendable: the pointers never change; their memory belongs to the render thread, except the
  // ring.
  package let map: TempoMap?
  let track: MusicalTrack

  /// A nil map means that the chain names no tempo: 120 beats per minute.
  package init(_ map: TempoMap?, sampleRate: Double) {
    self.map = map
    let known = map ?? TempoMap(tempo: MusicalTime.usualTempo)
    let spans = known.spans.map { $0.at(sampleRate: sampleRate) }
    let capacity = spans.count + MusicalTrack.changeCount
    let memory = UnsafeMutablePointer<TempoSpan>.allocate(capacity: capacity)
    memory.initialize(repeating: spans[0], count: capacity)
    for (index, span) in spans.enumerated() { memory[index] = span }
    let state = UnsafeMutablePointer<MusicalTime.State>.allocate(capacity: 1)
    state.initialize(
      to: MusicalTime.State(
        spans: memory, count: spans.count, sampleRate: sampleRate, isKnown: map != nil))
    let changes = UnsafeMutablePointer<TimeChange>.allocate(capacity: MusicalTrack.slotCount)
    changes.initialize(repeating: .rolling(true), count: MusicalTrack.slotCount)
    let pause = UnsafeMutablePointer<MusicalTrack.Pause>.allocate(capacity: 1)
    pause.initialize(to: MusicalTrack.Pause())
    let shown = UnsafeMutablePointer<MusicalTrack.Shown>.allocate(capacity: 1)
    shown.initialize(to: MusicalTrack.Shown())
    track = MusicalTrack(
      state: state, capacity: capacity, pause: pause, shown: shown, changes: changes,
      positions: .make(slotCount: MusicalTrack.slotCount))
  }

  deinit {
    track.state.pointee.spans.deallocate()
    track.state.deallocate()
    track.pause.deallocate()
    track.shown.deinitialize(count: 1)
    track.shown.deallocate()
    track.changes.deallocate()
    track.positions.destroy()
  }

  /// The musical time that units read.
  var time: MusicalTime { MusicalTime(UnsafePointer(track.state)) }

  /// The musical time of the latest block.
  package var now: MusicalMoment {
    let shown = track.shown
    let metre = shown.pointee.metre.load(ordering: .relaxed)
    return MusicalMoment(
      tempo: Double(bitPattern: shown.pointee.tempo.load(ordering: .relaxed)),
      bar: shown.pointee.bar.load(ordering: .relaxed),
      beatInBar: Double(bitPattern: shown.pointee.beatInBar.load(ordering: .relaxed)),
      metre: Metre(beatsPerBar: metre >> 8, beatUnit: metre & 255),
      isRolling: shown.pointee.isRolling.load(ordering: .relaxed),
      isKnown: shown.pointee.isKnown.load(ordering: .relaxed))
  }

  /// Requests a change from the next block on. False while too many changes are waiting.
  package func send(_ change: TimeChange) -> Bool {
    let slot = track.positions.freeSlot
    guard slot >= 0 else { return false }
    track.changes[slot] = change
    track.positions.produce()
    return true
  }
}

/// The musical time of one moment.
package struct MusicalMoment: Sendable, Hashable {
  /// Beats per minute.
  package let tempo: Double
  /// From 0.
  package let bar: Int
  package let beatInBar: Double
  package let metre: Metre
  package let isRolling: Bool
  /// False if neither the chain nor a performer has set a tempo.
  package let isKnown: Bool
}

/// The render thread's view of a clock.
struct MusicalTrack: BitwiseCopyable, @unchecked Sendable {
  // Sendable: see `MusicalClock`.
  struct Pause: BitwiseCopyable {
    /// Spans of the map after a pause. They wait for its end.
    var waitingCount = 0
    var startFrame = 0
  }

  /// Values that any thread may read; each is valid on its own.
  struct Shown: ~Copyable {
    let tempo = Atomic<UInt64>(0)
    let beatInBar = Atomic<UInt64>(0)
    let bar = Atomic<Int>(0)
    let metre = Atomic<Int>(0)
    let isRolling = Atomic<Bool>(true)
    let isKnown = Atomic<Bool>(false)
  }

  let state: UnsafeMutablePointer<MusicalTime.State>
  let capacity: Int
  let pause: UnsafeMutablePointer<Pause>
  let shown: UnsafeMutablePointer<Shown>
  let changes: UnsafeMutablePointer<TimeChange>
  let positions: RingPositions

  /// Changes kept for units that lag behind, in addition to the map.
  static var changeCount: Int { 64 }
  static var slotCount: Int { 64 }

  // MARK: - Realtime

  /// True when a change is waiting.
  var isWaiting: Bool {
    @_noLocks get { positions.filledSlot >= 0 }
  }

  /// Applies the waiting changes, at the frame of a block's start.
  @_noLocks
  func receive(at frame: Int) {
    while true {
      let slot = positions.filledSlot
      guard slot >= 0 else { break }
      let change = changes[slot]
      positions.consume()
      apply(change, at: frame)
    }
    show(frame)
  }

  /// Stops or resumes at a frame, the start of the next block.
  @_noLocks
  func roll(_ isRolling: Bool, at frame: Int) { apply(.rolling(isRolling), at: frame) }

  @_noLocks
  private func show(_ frame: Int) {
    let now = MusicalTime(UnsafePointer(state)).stretch(at: frame)
    let place = now.span.place(ofBeat: now.beat(at: frame))
    let metre = now.span.metre
    shown.pointee.tempo.store(now.tempo(at: frame).bitPattern, ordering: .relaxed)
    shown.pointee.beatInBar.store(place.beat.bitPattern, ordering: .relaxed)
    shown.pointee.bar.store(place.bar, ordering: .relaxed)
    shown.pointee.metre.store(metre.beatsPerBar << 8 | metre.beatUnit, ordering: .relaxed)
    shown.pointee.isRolling.store(now.span.isRolling, ordering: .relaxed)
    shown.pointee.isKnown.store(state.pointee.isKnown, ordering: .relaxed)
  }

  @_noLocks
  private func apply(_ change: TimeChange, at frame: Int) {
    let now = MusicalTime(UnsafePointer(state)).stretch(at: frame)
    let (beat, tempo) = (now.beat(at: frame), now.tempo(at: frame))
    switch change {
    case .tempo(let tempo):
      // The new tempo replaces the rest of the map.
      pause.pointee.waitingCount = 0
      cut(at: frame)
      append(now.span, frame, beat: beat, tempo: tempo, isRolling: now.span.isRolling)
      state.pointee.isKnown = true
    case .beat(let beat):
      pause.pointee.waitingCount = 0
      cut(at: frame)
      append(now.span, frame, beat: beat, tempo: tempo, isRolling: now.span.isRolling)
    case .rolling(let isRolling):
      guard isRolling != now.span.isRolling else { return }
      if isRolling {
        goOn(now.span, at: frame, beat: beat)
      } else {
        stop(now.span, at: frame, beat: beat, tempo: tempo)
      }
    }
    state.pointee.revision &+= 1
  }

  /// Removes the spans that begin at a frame or later, except the first span.
  @_noLocks
  private func cut(at frame: Int) {
    let spans = state.pointee.spans
    while state.pointee.count > 1, spans[state.pointee.count - 1].firstFrame >= frame {
      state.pointee.count -= 1
    }
  }

  /// Inserts a span after those that readers see, and before those that wait for the pause to end.
  @_noLocks
  private func append(
    _ model: TempoSpan, _ frame: Int, beat: Double, tempo: Double, slope: Double = 0,
    isRolling: Bool
  ) {
    let spans = state.pointee.spans
    let all = state.pointee.count + pause.pointee.waitingCount
    var count = state.pointee.count
    if all == capacity {
      // The oldest span is dropped.
      for index in 1..<all { spans[index - 1] = spans[index] }
      if count > 0 { count -= 1 } else { pause.pointee.waitingCount -= 1 }
    }
    var index = count + pause.pointee.waitingCount
    while index > count {
      spans[index] = spans[index - 1]
      index -= 1
    }
    var span = TempoSpan(
      start: Double(frame) / state.pointee.sampleRate, beat: beat, tempo: tempo, slope: slope,
      metre: model.metre, bar: model.bar, barBeat: model.barBeat, isRolling: isRolling)
    span.firstFrame = frame
    spans[count] = span
    state.pointee.count = count + 1
  }

  /// Stops the musical time; later spans of the map wait.
  @_noLocks
  private func stop(_ span: TempoSpan, at frame: Int, beat: Double, tempo: Double) {
    let before = state.pointee.count
    var first = before
    while first > 0, state.pointee.spans[first - 1].firstFrame > frame { first -= 1 }
    pause.pointee.waitingCount = before - first
    pause.pointee.startFrame = frame
    state.pointee.count = first
    append(span, frame, beat: beat, tempo: tempo, slope: span.slope, isRolling: false)
  }

  /// Resumes where it stopped; waiting spans move later by the length of the pause.
  @_noLocks
  private func goOn(_ span: TempoSpan, at frame: Int, beat: Double) {
    // A stopped span keeps its tempo.
    let stood = span.tempo
    append(span, frame, beat: beat, tempo: stood, slope: span.slope, isRolling: true)
    let spans = state.pointee.spans
    let late = frame - pause.pointee.startFrame
    for index in 0..<pause.pointee.waitingCount {
      let place = state.pointee.count + index
      let waiting = spans[place]
      var moved = TempoSpan(
        start: waiting.start + Double(late) / state.pointee.sampleRate, beat: waiting.beat,
        tempo: waiting.tempo, slope: waiting.slope, metre: waiting.metre, bar: waiting.bar,
        barBeat: waiting.barBeat, isRolling: true)
      moved.firstFrame = waiting.firstFrame + late
      spans[place] = moved
    }
    state.pointee.count += pause.pointee.waitingCount
    pause.pointee.waitingCount = 0
  }
}
