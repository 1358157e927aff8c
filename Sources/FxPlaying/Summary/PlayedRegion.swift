/// A region of a player, as it is played.
public struct PlayedRegion: Sendable, Hashable {
  /// The node of the player.
  public var player: String
  /// The region's name; nil if it has none.
  public var id: String?
  public var file: String
  /// Its first frame on the player's timeline.
  public var frame: Int
  /// The length in frames; nil without an end.
  public var frames: Int?
  /// Frames a second.
  public var sampleRate: Double

  package init(
    player: String, id: String?, file: String, frame: Int, frames: Int?, sampleRate: Double
  ) {
    self.player = player
    self.id = id
    self.file = file
    self.frame = frame
    self.frames = frames
    self.sampleRate = sampleRate
  }

  public var seconds: Double { Double(frame) / sampleRate }
  /// The length in seconds; nil without an end.
  public var durationSeconds: Double? { frames.map { Double($0) / sampleRate } }
}
