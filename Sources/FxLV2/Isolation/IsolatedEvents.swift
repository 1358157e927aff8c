import CRealtime
import FxAudio

/// MIDI on its way to a plugin in a process of its own and back, on the render thread. Other atoms
/// stay here: their numbers mean something else there.
struct IsolatedEvents {
  /// Bytes of events that a block may have on either way.
  static let capacity = 1 << 15

  private let exchange: HostExchange
  private let ring: MIDIRing?
  /// The event input that live MIDI goes to.
  private let input: UInt32
  private let sampleRate: Double
  /// When the block began that is played live now, by the monotonic clock.
  private var liveStart = 0.0
  private var blockFrames = 0

  init(_ exchange: HostExchange, _ ring: MIDIRing?, input: Int, sampleRate: Double) {
    self.exchange = exchange
    self.ring = ring
    self.input = UInt32(input)
    self.sampleRate = sampleRate
  }

  // MARK: - Realtime

  /// Notes when a block begins.
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

  /// Puts what comes in a part of a block into a slot, where that part begins at a frame.
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

  /// Takes what has been played before a frame of the block. Messages keep their distance from one
  /// another: each is a block late.
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

  /// Gives what a slot's plugin has given from a frame on.
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
