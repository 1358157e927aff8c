import FxAudio

/// Finds possible lags of one sound behind another, which the caller then checks.
struct LagSearch {
  private let expected: Sound
  private let actual: Sound

  /// Of a sound longer than this, only the loudest stretch is compared, which has a quarter of this
  /// length.
  private let wholeFrameCount: Int
  private static let peakCount = 6
  private static let probeFrameCount = 4096

  /// The loudest channel of the actual sound, and its loudest frames.
  private let loudest: [Float]
  private let probe: Range<Int>

  init(expected: Sound, actual: Sound, wholeFrameCount: Int = 1 << 20) {
    self.wholeFrameCount = wholeFrameCount
    self.expected = expected
    self.actual = actual
    let energies = actual.channels.map { Self.energy($0, $0.indices) }
    let index = energies.indices.max { energies[$0] < energies[$1] }
    loudest = index.map { actual.channels[$0] } ?? []
    probe = Self.loudestFrames(of: loudest, count: Self.probeFrameCount)
  }

  private static func loudestFrames(of samples: [Float], count: Int) -> Range<Int> {
    let length = min(count, samples.count)
    guard length > 0 else { return 0..<0 }
    let starts = Swift.stride(from: 0, through: samples.count - length, by: length)
    let best =
      starts.map { (start: $0, energy: energy(samples, $0..<$0 + length)) }
      .max { $0.energy < $1.energy }?.start ?? 0
    return best..<best + length
  }

  /// False when the loudest frames match no expected channel at this lag. A full check is then
  /// unnecessary.
  func isLikely(_ lag: Int) -> Bool {
    let first = max(probe.lowerBound, lag)
    let end = min(probe.upperBound, expected.frameCount + lag)
    guard end - first >= probe.count / 2, end > first else { return true }
    return expected.channels.contains { channel in
      let frames = first - lag..<end - lag
      let product = Alignment.product(loudest, first..<end, channel, frames)
      let own = Alignment.product(loudest, first..<end, loudest, first..<end)
      let other = Alignment.product(channel, frames, channel, frames)
      return product * product > 0.99 * own * other
    }
  }

  /// The lags of the first sample that is not silent, and of the first loud samples.
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

  /// The lags at which the loudest channel is most similar to any expected channel, with either
  /// polarity. It uses the cross-correlation, and also its phase alone (Knapp and Carter, "The
  /// generalized correlation method for estimation of time delay", 1976), which has one narrow peak
  /// for tonal sounds.
  var correlationPeaks: [Int] {
    guard !loudest.isEmpty, expected.frameCount > 0 else { return [] }
    let windows = windows
    guard
      let transform = FourierTransform(
        length: FourierTransform.length(atLeast: windows.actual.count + windows.expected.count))
    else { return [] }
    let now = transform.spectrum(Self.stretch(loudest, windows.actual, transform.length))
    var found: [(lag: Int, height: Float)] = []
    for channel in expected.channels.prefix(8) {
      let then = transform.spectrum(Self.stretch(channel, windows.expected, transform.length))
      for isWhitened in [true, false] {
        let correlation = transform.samples(Self.product(now, then, isWhitened: isWhitened))
        let highest = correlation.reduce(0) { max($0, abs($1)) }
        guard highest > 0 else { continue }
        for position in Self.peaks(correlation) {
          found.append(
            (windows.lag(position, transform.length), abs(correlation[position]) / highest))
        }
      }
    }
    return found.sorted { ($0.height, -abs($0.lag)) > ($1.height, -abs($1.lag)) }.map(\.lag)
  }

  /// The lag of the loudest actual channel against the loudest expected one, by the phase of the
  /// correlation alone. `certainty`, from 0 to 1, says how much the peak is higher than all others.
  /// nil for silence.
  var certainLag: (lag: Int, certainty: Double, isInverted: Bool)? {
    let energies = expected.channels.map { Self.energy($0, $0.indices) }
    guard let source = energies.indices.max(by: { energies[$0] < energies[$1] }),
      energies[source] > 0,
      !loudest.isEmpty
    else { return nil }
    let windows = windows
    guard
      let transform = FourierTransform(
        length: FourierTransform.length(atLeast: windows.actual.count + windows.expected.count))
    else { return nil }
    let now = transform.spectrum(Self.stretch(loudest, windows.actual, transform.length))
    let then = transform.spectrum(
      Self.stretch(expected.channels[source], windows.expected, transform.length))
    let samples = transform.samples(Self.product(now, then, isWhitened: true))
    guard let best = samples.indices.max(by: { abs(samples[$0]) < abs(samples[$1]) }),
      samples[best] != 0
    else { return nil }
    // Positions within two frames belong to the same peak.
    var next: Float = 0
    for position in samples.indices {
      let distance = abs(position - best)
      guard min(distance, samples.count - distance) > 2 else { continue }
      next = max(next, abs(samples[position]))
    }
    return (
      windows.lag(best, transform.length), Double(1 - next / abs(samples[best])), samples[best] < 0
    )
  }

  /// The frames of each sound that are correlated.
  private struct Windows {
    var expected: Range<Int>
    var actual: Range<Int>

    /// The lag for a position in a correlation of this length.
    func lag(_ position: Int, _ length: Int) -> Int {
      let shift = position >= actual.count ? position - length : position
      return shift + actual.lowerBound - expected.lowerBound
    }
  }

  private var windows: Windows {
    guard max(expected.frameCount, actual.frameCount) > wholeFrameCount else {
      return Windows(expected: 0..<expected.frameCount, actual: 0..<actual.frameCount)
    }
    let stretch = Self.loudestFrames(of: loudest, count: wholeFrameCount / 4)
    let second = actual.sampleRate > 0 ? min(actual.sampleRate, 900_000) : 0
    let reach = max(Int(second * 1.1), wholeFrameCount / 8)
    let first = min(max(stretch.lowerBound - reach, 0), expected.frameCount - 1)
    let end = min(max(stretch.upperBound + reach, first + 1), expected.frameCount)
    return Windows(expected: first..<end, actual: stretch)
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
    // Bins without energy have no phase.
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
