/// What plays, where, and how long it has.
public struct LiveStatus: Sendable, Hashable {
  /// The chain's name, if it has one.
  public var name: String?
  /// The chain's file.
  public var path: String
  /// What plays, or records alone.
  public var device: String
  /// What records, where it is another.
  public var captureDevice: String?
  /// Frames a second.
  public var sampleRate: Double
  public var blockFrames: Int
  public var periodFrames: Int
  public var bufferFrames: Int
  /// Frames rendered since the start.
  public var frames: Int
  /// Frames by which the chain is late.
  public var latencyFrames: Int
  /// Nodes that pass their input on.
  public var bypassed: [String]
  /// What is muted and soloed, as requests name it.
  public var muted: [String]
  public var soloed: [String]
  /// Where the chain's players are.
  public var players: [LivePlayer]

  /// Seconds rendered since the start.
  public var seconds: Double { sampleRate > 0 ? Double(frames) / sampleRate : 0 }
}
