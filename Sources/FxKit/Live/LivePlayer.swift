/// A region of a player, as it is played.
public struct PlayedRegion: Sendable, Hashable {
  /// The node of the player.
  public var player: String
  /// Its name; nil where the chain gives none.
  public var id: String?
  public var file: String
  /// Its first frame, of the player's time line.
  public var frame: Int
  /// How long it is; nil without an end.
  public var frames: Int?
  /// Frames a second.
  public var sampleRate: Double

  public var seconds: Double { Double(frame) / sampleRate }
  /// How long it lasts; nil without an end.
  public var durationSeconds: Double? { frames.map { Double($0) / sampleRate } }
}

/// A region of a player has begun to sound, or has been played to its end.
public struct RegionEvent: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    case began = "region-began"
    case ended = "region-ended"
  }

  public var kind: Kind
  public var region: PlayedRegion
}

/// A region to be played while a performance goes on.
public struct QueuedRegion: Sendable, Hashable {
  public enum Time: Sendable, Hashable {
    /// Behind the last region of the schedule.
    case last
    /// As soon as it can.
    case now
    /// Seconds of the player's time line.
    case seconds(Double)
  }

  public var file: String
  public var time = Time.last
  /// The node of the player; nil where there is one.
  public var player: String?
  /// A name, for `remove` and for events; nil for one that is made up.
  public var id: String?
  /// Decibels.
  public var gain = 0.0

  public init(file: String) { self.file = file }
}

/// Where a player is.
public struct LivePlayer: Sendable, Hashable {
  /// A region that sounds.
  public struct Sounding: Sendable, Hashable {
    public var region: PlayedRegion
    /// Seconds since it began.
    public var playedSeconds: Double
  }

  /// Its node.
  public var node: String
  /// Of its time line.
  public var seconds: Double
  public var sounding: [Sounding]
  /// Regions that have not begun.
  public var waiting: Int
}
