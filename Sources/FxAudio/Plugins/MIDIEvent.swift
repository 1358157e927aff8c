/// A MIDI channel message of up to three bytes at an absolute frame of the unit's own timeline.
public struct MIDIEvent: Sendable, Hashable, BitwiseCopyable {
  public var frame: Int
  /// Status, then data; unused bytes are 0.
  public var bytes: (UInt8, UInt8, UInt8)
  /// 1 to 3.
  public var size: UInt8

  public init(frame: Int, bytes: (UInt8, UInt8, UInt8), size: UInt8) {
    self.frame = frame
    self.bytes = bytes
    self.size = size
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
}
