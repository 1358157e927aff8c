/// The MIDI that a unit plays: that of the chain's `midi` key, live MIDI, that of other nodes and that of
/// the program.
///
/// A unit with `UnitSpec.takesMIDI` makes one in `init`, begins it with each block, and takes the messages
/// in the order of their frames:
///
///     midi.begin(block)
///     var start = 0
///     while let event = midi.next() {
///       play(block, from: start, to: event.frame)
///       start = event.frame
///       handle(event.meaning)
///     }
///     play(block, from: start, to: block.frameCount)
///
/// Messages that are known in advance arrive at their frames however the blocks are split. After a jump in
/// the timeline, sounding notes end, and the controllers, bends and programs that hold there are sent first.
/// Live messages are heard one block later, with their distances in time kept. Of more than 512 messages of
/// one block, the rest follows in the next one.
public struct MIDIInput: ~Copyable {
  private static let capacity = 512

  private let memory: UnsafeMutableRawPointer
  private let feed: MIDIFeed
  private var others = EventList(start: nil, byteCount: 0)
  /// The next message of the feed, and the byte offset of the next event of other nodes.
  private var index = 0
  private var place = 0
  private var frameCount = 0

  /// - Parameter preparation: that of the unit.
  public init(_ preparation: Preparation) {
    let size = MIDIFeed.byteCount(knownCount: preparation.events.count, capacity: Self.capacity)
    memory = .allocate(byteCount: size, alignment: 16)
    feed = MIDIFeed(
      preparation.events, preparation.inbox?.ring, sampleRate: preparation.sampleRate,
      capacity: Self.capacity, at: memory)
  }

  deinit { memory.deallocate() }

  // MARK: - Realtime

  /// Collects the messages of a block. Those of the block before that were not taken are lost.
  @_noLocks
  public mutating func begin(_ block: RenderBlock) {
    others = block.events
    frameCount = block.frameCount
    index = 0
    place = 0
    feed.begin(frameCount: frameCount)
    _ = feed.advance(to: block.frame, offset: 0, frameCount: frameCount, isLast: true)
  }

  /// The next message, with its frame in the block; nil after the last.
  @_noLocks
  public mutating func next() -> MIDIEvent? {
    let other = waiting()
    guard index < feed.count else {
      step()
      return other
    }
    let own = feed.event(index)
    if let other, other.frame < own.frame || other.frame == own.frame && other.rank < own.rank {
      step()
      return other
    }
    index += 1
    return own
  }

  /// The next message of other nodes, which stays.
  @_noLocks
  private mutating func waiting() -> MIDIEvent? {
    while let header = others.event(at: place) {
      if header.type == EventHeader.midi, header.size > 0, header.size <= 3,
        let bytes = others.bytes(at: place)
      {
        let second = header.size > 1 ? (bytes + 1).load(as: UInt8.self) : 0
        let third = header.size > 2 ? (bytes + 2).load(as: UInt8.self) : 0
        let last = frameCount > 0 ? frameCount - 1 : 0
        let frame = header.frame > 0 ? (header.frame < last ? header.frame : last) : 0
        return MIDIEvent(
          frame: frame, bytes: (bytes.load(as: UInt8.self), second, third),
          size: UInt8(truncatingIfNeeded: header.size))
      }
      place += header.stride
    }
    return nil
  }

  /// Passes the event of other nodes that waits, if there is one.
  @_noLocks
  private mutating func step() {
    if let header = others.event(at: place) { place += header.stride }
  }
}
