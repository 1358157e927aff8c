/// A region of a player has begun to sound, or has been played to its end.
public struct RegionEvent: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    case began = "region-began"
    case ended = "region-ended"
  }

  public var kind: Kind
  public var region: PlayedRegion
}

/// A region to add to a player during a performance.
public struct QueuedRegion: Sendable, Hashable {
  public enum Time: Sendable, Hashable {
    /// After the last region of the schedule.
    case last
    /// As soon as possible.
    case now
    /// At a time of the player's timeline, in seconds.
    case seconds(Double)
  }

  public var file: String
  public var time = Time.last
  /// The node of the player; nil if the chain has one player.
  public var player: String?
  /// The region's name for `remove` and for events; nil for a generated name.
  public var id: String?
  /// Decibels.
  public var gain = 0.0

  public init(file: String) { self.file = file }
}

/// The position and the regions of a player.
public struct LivePlayer: Sendable, Hashable {
  /// A region that is sounding.
  public struct Sounding: Sendable, Hashable {
    public var region: PlayedRegion
    /// Seconds since it began.
    public var playedSeconds: Double
  }

  /// The player's node.
  public var node: String
  /// The position on its timeline, in seconds.
  public var seconds: Double
  public var sounding: [Sounding]
  /// The number of regions that have not begun.
  public var waiting: Int
}
