import FxChain

/// The sound devices of a performance, and how they are used.
public struct LiveSettings: Sendable {
  /// The device that replaces `default`, for playback and recording.
  public var device: String?
  /// The device to record from, instead of `device`. If set, fxrun records from it even if nothing
  /// is played.
  public var captureDevice: String?
  /// Recorded channels if the chain does not say; nil for two, or fewer if the device has fewer.
  public var captureChannels: Int?
  /// Seconds that converters and cables add to the round trip, which no driver reports; nil for the
  /// chain's value. Files compensate for it.
  public var hardwareLatency: Double?
  /// Frames of a device period; nil for the block size, or a default for the kind of use.
  public var period: Int?
  /// Periods of the device's buffer, at least 2; nil for 3, or 4 if the chain only records.
  public var periods: Int?
  /// Whether fxrun waits for a device that goes away; nil waits if the sound has no end of its own.
  public var waitsForDevice: Bool?

  /// The log of all changes that take effect, for a replay.
  public var log: LiveLog.Destination?

  /// Whether the chain's files are read again when they have been written.
  public var watchesFiles = false
  /// Numbers of the processors that the render thread may run on; none for all.
  public var processors: [Int] = []

  /// The level of the device output, in decibels.
  public var volume = 0.0
  /// Seconds of silence after which rendering stops until there is sound again; nil for never.
  public var rest: Double?

  public init() {}

  /// Refuses values that are out of range.
  func check() throws(ChainFailure) {
    if let processor = processors.first(where: { !(0...1023).contains($0) }) {
      throw .outOfRange("processors have numbers from 0 to 1023, not \(processor)")
    }
  }
}
