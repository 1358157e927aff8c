import FxAudio

/// Delays by a fraction of a frame, and filters.
struct FilterCauses {
  let pair: AlignedPair
  let energy: Double
  let estimates: [TransferEstimate]

  /// - Parameter energy: The energy of the difference.
  init(_ pair: AlignedPair, energy: Double) {
    self.pair = pair
    self.energy = energy
    let size = TransferEstimate.windowFrameCount
    let window = (0..<size).map {
      Float(0.5 - 0.5 * Math.cos(2 * .pi * Double($0) / Double(size)))
    }
    guard let transform = FourierTransform(length: size) else {
      estimates = []
      return
    }
    let found = (0..<min(pair.channelCount, 8)).compactMap { channel in
      TransferEstimate(
        expected: pair.expected[channel], difference: pair.difference(ofChannel: channel),
        transform: transform, window: window)
    }
    estimates = found.count == pair.channelCount ? found : []
  }

  var candidates: [Candidate] {
    guard !estimates.isEmpty else { return [] }
    return [fractionalLag, filter].compactMap { $0 }
  }

  /// The difference of the two sounds with the same weight for every frequency; 0 for equal sounds.
  var unlikeness: Double {
    estimates.reduce(0) { max($0, Self.unweighted($1.whole, 0)) }
  }

  private var differing: [Int] {
    let energies = estimates.map { $0.restOfFilter.all }
    let highest = energies.max() ?? 0
    return energies.indices.filter { energies[$0] > 1e-6 * highest }
  }

  // MARK: - Filter

  private var filter: Candidate? {
    var (left, all) = (0.0, 0.0)
    for estimate in estimates {
      let rest = estimate.restOfFilter
      left += rest.left
      all += rest.all
    }
    guard all > 0 else { return nil }
    let names = pair.names(of: differing)
    let words =
      "\(names.isEmpty ? "" : "\(names): ")a filter\(bandWords.isEmpty ? "" : ": \(bandWords)")"
    return Candidate(
      kind: .filter, words: words, rank: 5, energy: energy * left / all, wholeReduction: 15)
  }

  /// The gain in the third-octave band that the filter changes most.
  private var bandWords: String {
    guard
      let channel = differing.max(by: {
        estimates[$0].restOfFilter.all < estimates[$1].restOfFilter.all
      }),
      let thirds = ThirdOctaves(sampleRate: pair.sampleRate)?.thirds
    else { return "" }
    let whole = estimates[channel].whole
    let floor = (whole.expected.max() ?? 0) * 1e-9
    let width = pair.sampleRate / Double(TransferEstimate.windowFrameCount)
    var bands: [(hertz: Double, decibels: Double)] = []
    for third in thirds {
      let first = Int((third.hertz * 0.891 / width).rounded(.up))
      let end = min(Int((third.hertz / 0.891 / width).rounded(.up)), whole.expected.count)
      guard end > first else { continue }
      var (then, now) = (0.0, 0.0)
      for bin in first..<end where whole.expected[bin] > floor {
        then += whole.expected[bin]
        now += whole.expected[bin] + 2 * whole.real[bin] + whole.difference[bin]
      }
      guard then > 0 else { continue }
      bands.append((third.hertz, max(10 * Math.log2(max(now / then, 1e-12)) * 0.301_03, -99)))
    }
    let largest = bands.sorted { abs($0.decibels) > abs($1.decibels) }.prefix(1)
    return largest.filter { abs($0.decibels) >= 0.005 }.map {
      "\($0.decibels < 0 ? "-" : "+")\(Figures.change($0.decibels)) at \(Figures.frequency($0.hertz))"
    }.joined(separator: ", ")
  }

  // MARK: - Parts of a frame

  /// One fractional lag for all frequencies, loud or quiet.
  private var fractionalLag: Candidate? {
    var (left, all) = (0.0, 0.0)
    var lags: [Double] = []
    for channel in estimates.indices {
      let whole = estimates[channel].whole
      let energy = whole.difference.reduce(0, +)
      all += energy
      guard differing.contains(channel) else {
        lags.append(0)
        left += energy
        continue
      }
      let lag = Self.bestLag(whole)
      guard abs(lag) > 1e-3, Self.unweighted(whole, lag) < 0.1 * Self.unweighted(whole, 0) else {
        return nil
      }
      lags.append(lag)
      left += Self.left(whole, lag)
    }
    guard all > 0, let lag = differing.first.map({ lags[$0] }) else { return nil }
    let names = pair.names(of: differing)
    let length = Figures.duration(lag / pair.sampleRate)
    let words =
      "\(names.isEmpty ? "" : "\(names) is ")\(Figures.fixed(abs(lag), places: 2)) frames (\(length)) "
      + (lag > 0 ? "later" : "earlier")
    return Candidate(
      kind: .fractionalLag, words: words, rank: 2, energy: energy * left / all, wholeReduction: 15)
  }

  /// The energy of the difference that a lag leaves.
  private static func left(_ half: TransferEstimate.Half, _ lag: Double) -> Double {
    var left = 0.0
    forEachBin(half, lag) { bin, real, imaginary in
      left +=
        half.difference[bin] - 2 * (real * half.real[bin] + imaginary * half.imaginary[bin])
        + (real * real + imaginary * imaginary) * half.expected[bin]
    }
    return max(left, 0)
  }

  /// The same with equal weight for every frequency that has enough energy.
  private static func unweighted(_ half: TransferEstimate.Half, _ lag: Double) -> Double {
    let floor = (half.expected.max() ?? 0) * 1e-11
    var (left, count) = (0.0, 0.0)
    forEachBin(half, lag) { bin, real, imaginary in
      let power = half.expected[bin]
      guard power > floor else { return }
      // Without coherence the bin has no information.
      let (ownReal, ownImaginary) = (power + half.real[bin], half.imaginary[bin])
      let actual = power + 2 * half.real[bin] + half.difference[bin]
      guard ownReal * ownReal + ownImaginary * ownImaginary > 0.8 * power * actual else { return }
      let errorReal = half.real[bin] / power - real
      let errorImaginary = half.imaginary[bin] / power - imaginary
      left += min(errorReal * errorReal + errorImaginary * errorImaginary, 4)
      count += 1
    }
    return count > 0 ? left / count : 0
  }

  private static func bestLag(_ half: TransferEstimate.Half) -> Double {
    var best = 0.0
    var reach = 1.0
    while reach > 5e-4 {
      let tries = (-10...10).map { best + Double($0) / 10 * reach }
      best = tries.min { left(half, $0) < left(half, $1) } ?? best
      reach /= 5
    }
    return best
  }

  /// The transfer function of a sound's delayed copy minus the sound: `e^(-iωτ) - 1`.
  private static func forEachBin(
    _ half: TransferEstimate.Half, _ lag: Double, _ body: (Int, Double, Double) -> Void
  ) {
    let step = -Double.pi * lag / Double(half.expected.count - 1)
    let (stepReal, stepImaginary) = (Math.cos(step), Math.sin(step))
    var (real, imaginary) = (1.0, 0.0)
    for bin in half.expected.indices {
      body(bin, real - 1, imaginary)
      (real, imaginary) = (
        real * stepReal - imaginary * stepImaginary, real * stepImaginary + imaginary * stepReal
      )
    }
  }
}
