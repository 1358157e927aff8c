/// Samples in memory: channels × frames of 32-bit float, full scale at ±1, which do not change.
///
/// Copies share the samples.
public struct PCMBuffer: Sendable {
  public let format: SampleFormat
  /// Frames of each channel.
  public let frameCount: Int
  private let storage: Storage

  /// The memory of one or more buffers: one channel after another.
  private final class Storage: @unchecked Sendable {
    // Sendable: written only before the first buffer is made of it.
    let samples: UnsafeMutablePointer<Float>

    init(count: Int) {
      samples = .allocate(capacity: max(count, 1))
      samples.initialize(repeating: 0, count: max(count, 1))
    }

    deinit { samples.deallocate() }
  }

  /// Copies planar samples.
  ///
  /// - Parameters:
  ///   - channels: `format.channels` arrays of equal length.
  ///   - format: their format.
  /// - Throws: `ChainFailure` of kind `request` for another number of channels or different lengths.
  public init(_ channels: [[Float]], format: SampleFormat) throws(ChainFailure) {
    try format.check()
    try format.check(channels)
    self.init(format, frameCount: channels[0].count) { storage, count in
      for (index, samples) in channels.enumerated() {
        samples.withUnsafeBufferPointer { samples in
          guard let start = samples.baseAddress else { return }
          storage[index].update(from: start, count: count)
        }
      }
    }
  }

  /// Makes a buffer and lets a closure write its samples, which are zeros before.
  ///
  /// - Parameters:
  ///   - format: the format of the samples.
  ///   - frameCount: frames of each channel, 0 to 2^31.
  ///   - write: receives one buffer of `frameCount` samples for each channel.
  public init<Mistake: Error>(
    format: SampleFormat, frameCount: Int,
    _ write: (_ channels: [UnsafeMutableBufferPointer<Float>]) throws(Mistake) -> Void
  ) throws {
    try format.check()
    guard (0...1 << 31).contains(frameCount) else {
      throw ChainFailure.outOfRange("no buffer has \(frameCount) frames")
    }
    storage = Storage(count: format.channels * frameCount)
    self.format = format
    self.frameCount = frameCount
    let start = storage.samples
    try write(
      (0..<format.channels).map {
        UnsafeMutableBufferPointer(start: start + $0 * frameCount, count: frameCount)
      })
  }

  init(
    _ format: SampleFormat, frameCount: Int,
    _ write: (_ channels: [UnsafeMutablePointer<Float>], _ frameCount: Int) -> Void
  ) {
    storage = Storage(count: format.channels * frameCount)
    self.format = format
    self.frameCount = frameCount
    let start = storage.samples
    write((0..<format.channels).map { start + $0 * frameCount }, frameCount)
  }

  /// Seconds.
  public var duration: Double { Double(frameCount) / format.sampleRate }

  /// The samples of each channel, copied.
  public var channels: [[Float]] {
    (0..<format.channels).map { channel in withSamples(of: channel) { Array($0) } }
  }

  /// Reads the samples of a channel without copying them.
  ///
  /// - Parameters:
  ///   - channel: 0 to `format.channels` - 1; a channel that does not exist has no samples.
  ///   - read: gets the samples, which are valid during the call.
  public func withSamples<Result, Mistake: Error>(
    of channel: Int, _ read: (UnsafeBufferPointer<Float>) throws(Mistake) -> Result
  ) throws(Mistake) -> Result {
    let isThere = (0..<format.channels).contains(channel)
    return try withExtendedLifetime(storage) { () throws(Mistake) in
      try read(
        UnsafeBufferPointer(
          start: storage.samples + (isThere ? channel * frameCount : 0),
          count: isThere ? frameCount : 0))
    }
  }

  /// A pointer to the samples of each channel.
  func withChannels(_ read: (UnsafePointer<UnsafePointer<Float>>) -> Void) {
    let table = (0..<format.channels).map { planarSamples + $0 * frameCount }
    withExtendedLifetime(storage) {
      table.withUnsafeBufferPointer { if let table = $0.baseAddress { read(table) } }
    }
  }

  /// The samples, one channel after another; valid as long as a buffer of them exists.
  var planarSamples: UnsafePointer<Float> { UnsafePointer(storage.samples) }
}

extension PCMBuffer: Equatable {
  /// True for the same format and the same bits.
  public static func == (left: PCMBuffer, right: PCMBuffer) -> Bool {
    guard left.format == right.format, left.frameCount == right.frameCount else { return false }
    return (0..<left.format.channels * left.frameCount).allSatisfy {
      left.planarSamples[$0].bitPattern == right.planarSamples[$0].bitPattern
    }
  }
}
