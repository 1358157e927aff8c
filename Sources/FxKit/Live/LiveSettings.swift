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

  package static let periodSizes = 1...65536
  package static let periodCounts = 2...64

  package static let hardwareLatencies = 0.0...1.0
  package static let processorNumbers = 0...1023
  static func check(volume: Double) throws(ChainFailure) {
    guard (-120...20).contains(volume) else {
      throw .outOfRange("a volume is -120 to 20 dB, not \(shortNumber(volume))")
    }
  }

  static func check(rest: Double) throws(ChainFailure) {
    guard (0...86400).contains(rest) else {
      throw .outOfRange("a rest begins after 0 to 86400 s, not \(shortNumber(rest))")
    }
  }

  /// Refuses values that are out of range.
  func check() throws(ChainFailure) {
    try Self.check(volume: volume)
    if let rest { try Self.check(rest: rest) }
    if let period, !Self.periodSizes.contains(period) {
      throw .outOfRange("a period is 1 to 65536 frames, not \(period)")
    }
    if let periods, !Self.periodCounts.contains(periods) {
      throw .outOfRange("a buffer is 2 to 64 periods, not \(periods)")
    }
    if let captureChannels, !(1...1024).contains(captureChannels) {
      throw .outOfRange("a device records 1 to 1024 channels, not \(captureChannels)")
    }
    if let hardwareLatency, !Self.hardwareLatencies.contains(hardwareLatency) {
      throw .outOfRange("a hardware latency is 0 to 1 s, not \(shortNumber(hardwareLatency))")
    }
    if let processor = processors.first(where: { !Self.processorNumbers.contains($0) }) {
      throw .outOfRange("processors have numbers from 0 to 1023, not \(processor)")
    }
  }
}
