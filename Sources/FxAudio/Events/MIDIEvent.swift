/// A MIDI channel message of up to three bytes at a frame: of the unit's own timeline in
/// `Preparation.events`, of the block in `MIDIInput`.
public struct MIDIEvent: Sendable, Hashable, BitwiseCopyable {
  public var frame: Int
  /// Status, then data; unused bytes are 0.
  public var bytes: (UInt8, UInt8, UInt8)
  /// 1 to 3.
  public var size: UInt8

  /// The start of a note.
  ///
  /// - Parameters:
  ///   - note: the key, 0 to 127; 60 is middle C, 69 is 440 Hz.
  ///   - velocity: 1 to 127.
  ///   - channel: 0 to 15.
  public static func noteOn(_ note: UInt8, velocity: UInt8 = 100, channel: UInt8 = 0) -> MIDIEvent {
    MIDIEvent(frame: 0, bytes: (0x90 | channel & 15, note & 127, max(velocity & 127, 1)), size: 3)
  }

  /// The end of a note.
  public static func noteOff(_ note: UInt8, velocity: UInt8 = 64, channel: UInt8 = 0) -> MIDIEvent {
    MIDIEvent(frame: 0, bytes: (0x80 | channel & 15, note & 127, velocity & 127), size: 3)
  }

  /// A controller's value: 1 is the modulation wheel, 64 the sustain pedal.
  public static func controller(
    _ number: UInt8, _ value: UInt8, channel: UInt8 = 0
  ) -> MIDIEvent {
    MIDIEvent(frame: 0, bytes: (0xb0 | channel & 15, number & 127, value & 127), size: 3)
  }

  /// Why these bytes are no channel message; nil for one.
  package static func mistake(in bytes: [UInt8]) -> String? {
    if let status = bytes.first, (0x80...0xef).contains(status),
      bytes.count == ((0xc0...0xdf).contains(status) ? 2 : 3),
      bytes.dropFirst().allSatisfy({ $0 < 128 })
    {
      return nil
    }
    return "a MIDI message is a status of 128 to 239 and its data of 0 to 127: [176, 74, 64]"
  }

  public static func == (left: MIDIEvent, right: MIDIEvent) -> Bool {
    left.frame == right.frame && left.bytes == right.bytes && left.size == right.size
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(frame)
    hasher.combine(bytes.0)
    hasher.combine(bytes.1)
    hasher.combine(bytes.2)
    hasher.combine(size)
  }

  // MARK: - Realtime

  @_noLocks
  public init(frame: Int, bytes: (UInt8, UInt8, UInt8), size: UInt8) {
    self.frame = frame
    self.bytes = bytes
    self.size = size
  }

  /// What a message means to an instrument.
  public enum Meaning: BitwiseCopyable {
    /// Note 0 to 127, velocity 1 to 127.
    case noteOn(note: Int, velocity: Int)
    /// Also the start of a note with velocity 0. Release velocity 0 to 127.
    case noteOff(note: Int, velocity: Int)
    /// Number 0 to 127, value 0 to 127.
    case controller(number: Int, value: Int)
    /// -1 to 1; what that is in semitones, the instrument says: usually ±2.
    case pitchBend(Float)
    /// The pressure of one key, 0 to 127.
    case keyPressure(note: Int, pressure: Int)
    /// The pressure of all keys of the channel, 0 to 127.
    case pressure(Int)
    /// 0 to 127.
    case program(Int)
    case other
  }

  /// The channel, 0 to 15.
  public var channel: Int {
    @_noLocks get { Int(bytes.0 & 15) }
  }

  /// The message read.
  public var meaning: Meaning {
    @_noLocks get {
      let (first, second) = (Int(bytes.1 & 127), Int(bytes.2 & 127))
      switch bytes.0 & 0xf0 {
      case 0x80: return .noteOff(note: first, velocity: second)
      case 0x90:
        return second == 0
          ? .noteOff(note: first, velocity: 64) : .noteOn(note: first, velocity: second)
      case 0xa0: return .keyPressure(note: first, pressure: second)
      case 0xb0: return .controller(number: first, value: second)
      case 0xc0: return .program(first)
      case 0xd0: return .pressure(first)
      case 0xe0:
        let value = second << 7 | first
        return .pitchBend(
          value < 8192 ? Float(value - 8192) / 8192 : Float(value - 8192) / 8191)
      default: return .other
      }
    }
  }

  /// See `MIDIRank`.
  package var rank: Int {
    @_noLocks get { MIDIRank.rank(bytes.0, size > 2 ? bytes.2 : 0) }
  }

  /// Writes the bytes.
  @_noLocks
  package func store(at place: UnsafeMutableRawPointer) {
    place.storeBytes(of: bytes.0, as: UInt8.self)
    if size > 1 { (place + 1).storeBytes(of: bytes.1, as: UInt8.self) }
    if size > 2 { (place + 2).storeBytes(of: bytes.2, as: UInt8.self) }
  }
}
