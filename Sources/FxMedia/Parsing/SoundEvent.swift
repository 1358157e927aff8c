/// What a parser of a sound reports.
public enum SoundEvent: Sendable, Hashable {
  /// More properties of the sound are known than before.
  case properties(SoundProperties)
  case packet(SoundPacket)
  /// At this byte, data are missing or are not sound.
  case discontinuity(offset: Int)
  /// Decoded samples from a frame on: channels × frames, full scale at ±1. The encoder's delay
  /// and padding are removed.
  case audio(frame: Int, channels: [[Float]])
  /// A message for the user; parsing continues.
  case warning(String)
}
