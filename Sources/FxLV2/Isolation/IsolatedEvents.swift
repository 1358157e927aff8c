import CRealtime
import FxAudio

/// Transfers MIDI to and from a plugin in a separate process, on the render thread. Other atoms are
/// not transferred: their type numbers differ between processes.
struct IsolatedEvents {
  /// Bytes of events per block in each direction.
  static let capacity = 1 << 15

  private let exchange: HostExchange
  private let ring: MIDIRing?
  /// The event input that receives live MIDI.
  private let input: UInt32
  private let sampleRate: Double
  /// The start of the current live block, by the monotonic clock.
  private var liveStart = 0.0
  private var blockFrames = 0

  init(_ exchange: HostExchange, _ ring: MIDIRing?, input: Int, sampleRate: Double) {
    self.exchange = exchange
    self.ring = ring
    self.input = UInt32(input)
    self.sampleRate = sampleRate
  }

  // MARK: - Realtime

  /// Stores the start time of a block.
  @_noLocks
  mutating func begin(_ frameCount: Int) {
    guard ring != nil else { return }
    blockFrames = frameCount
    liveStart = fx_monotonic_seconds() - Double(frameCount) / sampleRate
  }

  @_noLocks
  func clear(_ slot: Int) {
    if exchange.sizes.eventCapacity > 0 { exchange.events(slot).clear() }
  }

  /// Copies the events of a part of a block into a slot; in the slot, the part starts at frame
  /// `start`.
  @_noLocks
  func gather(
    _ block: RenderBlock, _ offset: Int, _ count: Int, into slot: Int, at start: Int
  ) {
    guard exchange.sizes.eventCapacity > 0 else { return }
    let target = exchange.events(slot)
    var place = 0
    while var event = block.events.event(at: place) {
      let bytes = block.events.bytes(at: place)
      place += event.stride
      guard let bytes, event.frame >= offset, event.frame < offset + count,
        event.type == EventHeader.midi
      else { continue }
      takeLive(before: event.frame, offset, count, target, at: start)
      event.frame = event.frame - offset + start
      _ = target.append(event, bytes)
    }
    takeLive(before: offset + count, offset, count, target, at: start)
  }

  /// Takes the live messages before a frame of the block. They are delayed by one block, so that
  /// their distances in time are kept.
  @_noLocks
  private func takeLive(
    before frame: Int, _ offset: Int, _ count: Int, _ target: EventBuffer, at start: Int
  ) {
    guard let ring else { return }
    let isLast = frame >= blockFrames
    let end = isLast ? Double.infinity : liveStart + Double(frame) / sampleRate
    while let played = ring.receive(before: end) {
      let exact = (played.seconds - liveStart) * sampleRate - Double(offset)
      let place = exact > 0 ? (exact < Double(count) ? Int(exact) : count - 1) : 0
      let header = EventHeader(
        frame: start + place, type: EventHeader.midi, port: input, size: Int(played.size))
      _ = target.append(
        header, (played.bytes.0, played.bytes.1, played.bytes.2, 0))
    }
  }

  /// Passes on the plugin's events of a slot, from frame `start` of the slot on.
  @_noLocks
  func give(
    _ slot: Int, from start: Int, _ block: RenderBlock, _ offset: Int, _ count: Int
  ) {
    guard exchange.sizes.eventCapacity > 0, let given = block.givenEvents else { return }
    let list = exchange.givenEvents(slot).list
    var place = 0
    while var event = list.event(at: place) {
      let bytes = list.bytes(at: place)
      place += event.stride
      guard let bytes, event.frame >= start, event.frame < start + count,
        event.type == EventHeader.midi
      else { continue }
      event.frame = event.frame - start + offset
      _ = given.append(event, bytes)
    }
  }
}
