/// How a parser finds the place of a frame.
public enum SoundSeekPrecision: String, Sendable, Hashable, Codable, CaseIterable {
  /// Audio continues with exactly this frame. A format may need bytes from several offsets.
  case exact
  /// Audio continues at the first offset. Where the place of the frame is not known, it is an estimate.
  case estimate
}

/// Where a parser continues after a seek.
public struct SoundSeek: Sendable, Hashable, Codable {
  /// The offset of the next bytes to parse.
  public var offset: Int
  /// The frame with which audio continues, or is assumed to continue.
  public var frame: Int
  /// False if `offset` was estimated: then audio continues near `frame`. FLAC and Ogg store positions, so that the frame of
  /// their next audio is right; that of MPEG audio stays assumed.
  public var isExact: Bool

  package init(offset: Int, frame: Int, isExact: Bool) {
    self.offset = offset
    self.frame = frame
    self.isExact = isExact
  }
}

/// What a seek of a parser looks for, and what is known about the stream.
package struct SeekTarget: Sendable {
  package let frame: Int
  let isEstimate: Bool
  let places: PacketMap
  let properties: SoundProperties?

  package init(
    frame: Int, isEstimate: Bool, places: PacketMap, properties: SoundProperties?
  ) {
    self.frame = frame
    self.isEstimate = isEstimate
    self.places = places
    self.properties = properties
  }
}
