import FxAudio

/// Frames by which one sound may be later than another: guesses, to be tried out.
struct LagSearch {
  private let expected: Sound
  private let actual: Sound

  /// Of sounds longer than this only the loudest stretch is looked at.
  private static let wholeFrameCount = 1 << 20
  private static let stretchFrameCount = 1 << 18
  private static let peakCount = 6

  init(expected: Sound, actual: Sound) {
    self.expected = expected
    self.actual = actual
  }

  /// What the first samples that are not silent say, and the first that are loud.
  var onsets: [Int] {
    ([0, 1e-4, 0.5] as [Float]).compactMap { part in
      guard let then = onset(expected, part), let now = onset(actual, part) else { return nil }
      return now - then
    }
  }

  private func onset(_ sound: Sound, _ part: Float) -> Int? {
    let threshold = sound.peak * part
    return sound.channels.compactMap { $0.firstIndex { abs($0) > threshold } }.min()
  }

  // MARK: - Cross-correlation

  /// Where the loudest channel is most like any of the expected ones, upright or inverted: by the
  /// cross-correlation, and by its phase alone (Knapp and Carter, "The generalized correlation
  /// method for estimation of time delay", 1976), which has one narrow peak where sounds are tonal.
  var correlationPeaks: [Int] {
    guard let loudest = loudestChannel, expected.frameCount > 0 else { return [] }
    let windows = windows(in: loudest)
    guard
      let transform = FourierTransform(
        length: FourierTransform.length(atLeast: windows.actual.count + windows.expected.count))
    else { return [] }
    let now = transform.spectrum(Self.stretch(loudest, windows.actual, transform.length))
    let offset = windows.actual.lowerBound - windows.expected.lowerBound
    var found: [(lag: Int, height: Float)] = []
    for channel in expected.channels.prefix(8) {
      let then = transform.spectrum(Self.stretch(channel, windows.expected, transform.length))
      for isWhitened in [true, false] {
        let correlation = transform.samples(Self.product(now, then, isWhitened: isWhitened))
        let highest = correlation.reduce(0) { max($0, abs($1)) }
        guard highest > 0 else { continue }
        for position in Self.peaks(correlation) {
          let shift = position > transform.length / 2 ? position - transform.length : position
          found.append((shift + offset, abs(correlation[position]) / highest))
        }
      }
    }
    return found.sorted { ($0.height, -abs($0.lag)) > ($1.height, -abs($1.lag)) }.map(\.lag)
  }

  private var loudestChannel: [Float]? {
    actual.channels.max { Self.energy($0, $0.indices) < Self.energy($1, $1.indices) }
  }

  private func windows(in loudest: [Float]) -> (expected: Range<Int>, actual: Range<Int>) {
    guard max(expected.frameCount, actual.frameCount) > Self.wholeFrameCount else {
      return (0..<expected.frameCount, 0..<actual.frameCount)
    }
    let length = min(Self.stretchFrameCount, actual.frameCount)
    let starts = Swift.stride(from: 0, through: actual.frameCount - length, by: length)
    let best =
      starts.map { (start: $0, energy: Self.energy(loudest, $0..<$0 + length)) }
      .max { $0.energy < $1.energy }?.start ?? 0
    let reach = min(max(Int(min(actual.sampleRate, 1e6) * 1.1), 1 << 17), 1 << 20)
    let first = min(max(best - reach, 0), expected.frameCount - 1)
    let end = min(max(best + length + reach, first + 1), expected.frameCount)
    return (first..<end, best..<best + length)
  }

  private static func energy(_ samples: [Float], _ frames: Range<Int>) -> Float {
    samples.withUnsafeBufferPointer { samples in
      var sum: Float = 0
      for frame in frames { sum += samples[frame] * samples[frame] }
      return sum
    }
  }

  private static func stretch(_ samples: [Float], _ frames: Range<Int>, _ length: Int) -> [Float] {
    var stretch = [Float](repeating: 0, count: length)
    stretch.replaceSubrange(0..<frames.count, with: samples[frames])
    return stretch
  }

  /// The spectrum of the cross-correlation.
  private static func product(
    _ now: [FourierTransform.Bin], _ then: [FourierTransform.Bin], isWhitened: Bool
  ) -> [FourierTransform.Bin] {
    var product = zip(now, then).map { now, then in
      FourierTransform.Bin(
        real: now.real * then.real + now.imaginary * then.imaginary,
        imaginary: now.imaginary * then.real - now.real * then.imaginary)
    }
    guard isWhitened else { return product }
    let magnitudes = product.map { Float(Math.squareRoot($0.power)) }
    // Bins without a sound in them have no phase.
    let floor = max((magnitudes.max() ?? 0) * 1e-6, .leastNormalMagnitude)
    for index in product.indices {
      let scale = 1 / (magnitudes[index] + floor)
      product[index].real *= scale
      product[index].imaginary *= scale
    }
    return product
  }

  /// The highest local maxima of the magnitude.
  private static func peaks(_ samples: [Float]) -> [Int] {
    var peaks: [(position: Int, height: Float)] = []
    samples.withUnsafeBufferPointer { samples in
      let count = samples.count
      var least: Float = 0
      for position in 0..<count {
        let height = abs(samples[position])
        guard height > least, height >= abs(samples[position == 0 ? count - 1 : position - 1]),
          height >= abs(samples[position == count - 1 ? 0 : position + 1])
        else { continue }
        peaks.append((position, height))
        peaks.sort { $0.height > $1.height }
        if peaks.count > peakCount {
          peaks.removeLast()
          least = peaks[peakCount - 1].height
        }
      }
    }
    return peaks.map(\.position)
  }
}
