private import CKernels

/// Two, four or eight times the sample rate and the way back, for what makes harmonics.
///
/// Linear phase, a whole number of frames late. Up to 20 kHz at 44.1 kHz levels change by less than
/// 0.001 dB; images and aliases are at least 100 dB down. Allocated on the control thread, used on
/// the render thread; what comes out does not depend on the blocks.
package struct Oversampler: ~Copyable {
  /// 2, 4 or 8.
  package let factor: Int
  /// Frames by which a signal is late that went up and down.
  package let latency: Int
  private let maximumFrameCount: Int
  private let first: HalfBandStage
  private let second: HalfBandStage
  private let third: HalfBandStage
  /// Two blocks of the rate below the highest.
  private let scratch: SampleBuffer

  /// Taps a side by stage: the first has to fall between 20 kHz and 24.1 kHz, the others have room.
  private static let pairCounts = (38, 8, 5)

  /// - Parameters:
  ///   - factor: 2, 4 or 8; others are taken for the next one above.
  ///   - vectorLevel: The instruction set to use, 0 the one that every processor has; nil takes the
  ///     best there is. The bits are the same.
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

  /// Samples by which the lower stages are later, so that all of them are a whole number of frames.
  private static func paddings(_ factor: Int) -> (Int, Int) {
    func latency(_ pairCount: Int) -> Int { 2 * pairCount - 1 }
    guard factor > 2 else { return (0, 0) }
    // In samples of twice the rate; a third stage takes half of one more.
    guard factor > 4 else { return (latency(pairCounts.1) % 2, 0) }
    let both = latency(pairCounts.1) + (latency(pairCounts.2) + 1) / 2
    return (both % 2, 1)
  }

  /// What an oversampler allocates.
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

  /// Writes one frame for `factor` samples each.
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

  /// True when it is at rest: silence in gives silence out, as `UnitEntry.isAtRest` says.
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
