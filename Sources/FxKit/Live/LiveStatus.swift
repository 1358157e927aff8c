/// The playing chain, its device, and how long it has played.
public struct LiveStatus: Sendable, Hashable {
  /// The chain's name, if it has one.
  public var name: String?
  /// The chain's file.
  public var path: String
  /// The playback device, or the recording device if nothing is played.
  public var device: String
  /// The recording device, if it differs.
  public var captureDevice: String?
  /// Frames a second.
  public var sampleRate: Double
  public var blockFrames: Int
  public var periodFrames: Int
  public var bufferFrames: Int
  /// Frames rendered since the start.
  public var frames: Int
  /// The chain's latency in frames.
  public var latencyFrames: Int
  /// The bypassed nodes.
  public var bypassed: [String]
  /// The muted and the soloed nodes and strips, by their names in requests.
  public var muted: [String]
  public var soloed: [String]
  /// The positions of the chain's players.
  public var players: [LivePlayer]

  /// Seconds rendered since the start.
  public var seconds: Double { sampleRate > 0 ? Double(frames) / sampleRate : 0 }
}
