private import CKernels

/// Raises the sample rate to two, four or eight times and lowers it again, for processing that adds
/// harmonics.
///
/// Linear phase, with a latency of whole frames. Up to 20 kHz at 44.1 kHz, levels change by less
/// than 0.001 dB; images and aliases are at least 100 dB down. Allocated on the control thread,
/// used on the render thread. The output does not depend on the block sizes.
struct Oversampler: ~Copyable {
  /// 2, 4 or 8.
  package let factor: Int
  /// The latency of `up` and `down` together, in frames.
  package let latency: Int
  private let maximumFrameCount: Int
  private let first: HalfBandStage
  private let second: HalfBandStage
  private let third: HalfBandStage
  /// Scratch memory for the rates between the lowest and the highest.
  private let scratch: SampleBuffer

  /// The taps per side of each stage. The first stage has to fall between 20 kHz and 24.1 kHz; the
  /// others have a wider transition band.
  private static let pairCounts = (38, 8, 5)

  /// - Parameters:
  ///   - factor: 2, 4 or 8; other values are rounded up to the next one, at most 8.
  ///   - vectorLevel: The instruction set to use: 0 is the one that every processor has, nil the
  ///     best available one. The output bits are the same.
  package init(
    factor: Int, channelCount: Int, maximumFrameCount: Int, vectorLevel: Int? = nil
  ) {
    let times = Self.factor(factor)
    self.factor = times
    self.maximumFrameCount = maximumFrameCount
    let best = fx_vector_level()
    let level = vectorLevel.map { min(Int32(clamping: $0), best) } ?? best
    let paddings = Self.paddings(times)
    func stage(_ pairCount: Int, _ padding: Int, _ rate: Int) -> HalfBandStage {
      HalfBandStage(
        pairCount: pairCount, padding: padding, channelCount: times > rate ? channelCount : 0,
        maximumFrameCount: times > rate ? rate * maximumFrameCount : 0, vectorLevel: level)
    }
    first = stage(Self.pairCounts.0, paddings.0, 1)
    second = stage(Self.pairCounts.1, paddings.1, 2)
    third = stage(Self.pairCounts.2, 0, 4)
    scratch = SampleBuffer(count: times * maximumFrameCount)
    var eighths = 4 * first.latency
    if times > 2 { eighths += 2 * second.latency }
    if times > 4 { eighths += third.latency }
    latency = eighths / 8
  }

  private static func factor(_ factor: Int) -> Int { factor <= 2 ? 2 : factor <= 4 ? 4 : 8 }

  /// The extra delays of the lower stages that make the total latency a whole number of frames.
  private static func paddings(_ factor: Int) -> (Int, Int) {
    func latency(_ pairCount: Int) -> Int { 2 * pairCount - 1 }
    guard factor > 2 else { return (0, 0) }
    // In samples of twice the rate; a third stage adds half a sample more.
    guard factor > 4 else { return (latency(pairCounts.1) % 2, 0) }
    let both = latency(pairCounts.1) + (latency(pairCounts.2) + 1) / 2
    return (both % 2, 1)
  }

  /// The bytes that an oversampler allocates.
  package static func byteCount(factor: Int, channelCount: Int, maximumFrameCount: Int) -> Int {
    let times = self.factor(factor)
    func stage(_ pairCount: Int, _ rate: Int) -> Int {
      HalfBandStage.byteCount(
        pairCount: pairCount, channelCount: times > rate ? channelCount : 0,
        maximumFrameCount: times > rate ? rate * maximumFrameCount : 0)
    }
    return stage(pairCounts.0, 1) + stage(pairCounts.1, 2) + stage(pairCounts.2, 4)
      + SampleBuffer.byteCount(count: times * maximumFrameCount)
  }

  // MARK: - Realtime

  /// Writes `factor` samples for each of at most `maximumFrameCount` frames.
  @_noLocks
  package func up(
    _ input: UnsafePointer<Float>, channel: Int, frameCount: Int,
    to output: UnsafeMutablePointer<Float>
  ) {
    guard factor > 2 else {
      return first.up(input, channel: channel, frameCount: frameCount, to: output)
    }
    let doubled = scratch.samples
    first.up(input, channel: channel, frameCount: frameCount, to: doubled)
    guard factor > 4 else {
      return second.up(doubled, channel: channel, frameCount: 2 &* frameCount, to: output)
    }
    let fourfold = doubled + 2 &* maximumFrameCount
    second.up(doubled, channel: channel, frameCount: 2 &* frameCount, to: fourfold)
    third.up(fourfold, channel: channel, frameCount: 4 &* frameCount, to: output)
  }

  /// Writes one frame for every `factor` samples.
  @_noLocks
  package func down(
    _ input: UnsafePointer<Float>, channel: Int, frameCount: Int,
    to output: UnsafeMutablePointer<Float>
  ) {
    guard factor > 2 else {
      return first.down(input, channel: channel, frameCount: frameCount, to: output)
    }
    let doubled = scratch.samples
    if factor > 4 {
      let fourfold = doubled + 2 &* maximumFrameCount
      third.down(input, channel: channel, frameCount: 4 &* frameCount, to: fourfold)
      second.down(fourfold, channel: channel, frameCount: 2 &* frameCount, to: doubled)
    } else {
      second.down(input, channel: channel, frameCount: 2 &* frameCount, to: doubled)
    }
    first.down(doubled, channel: channel, frameCount: frameCount, to: output)
  }

  /// True when silence in gives silence out, see `UnitEntry.isAtRest`.
  package var isAtRest: Bool {
    @_noLocks get { first.isAtRest && second.isAtRest && third.isAtRest }
  }

  @_noLocks
  package func reset() {
    first.clear()
    second.clear()
    third.clear()
  }
}
