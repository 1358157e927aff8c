import FxDiagnostics

/// Which sound device is used, and how.
public struct LiveSettings: Sendable {
  /// In place of `default`, to play on and to record from.
  public var device: String?
  /// In place of `device` to record from. Given, it is recorded from even where nothing is played.
  public var captureDevice: String?
  /// Channels that are recorded, where the chain does not say; nil for two, or as many as there are.
  public var captureChannels: Int?
  /// Seconds that converters and cables add to the round trip and no driver reports; nil for what the
  /// chain says. They are taken out of files of what is recorded.
  public var hardwareLatency: Double?
  /// Frames of a period of the device; nil for the block size, or what suits.
  public var period: Int?
  /// Periods of the device's buffer, at least 2; nil for 3.
  public var periods: Int?
  /// A device that goes away is waited for; nil to do so where the sound has no end of its own.
  public var waitsForDevice: Bool?

  /// Every change that takes effect is written here, to be replayed.
  public var log: LiveLog.Destination?

  /// The chain's files are read again when they have been written.
  public var watchesFiles = false
  /// Numbers of the processors that the render thread may run on; none for all.
  public var processors: [Int] = []

  /// The level of what is heard, in decibels.
  public var volume = 0.0
  /// Seconds of silence after which nothing is rendered until there is sound again; nil for never.
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

  /// Refuses numbers that no device has.
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
