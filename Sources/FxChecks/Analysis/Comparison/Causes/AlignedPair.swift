/// The matching frames of two sounds, the same number of each.
struct AlignedPair {
  /// The expected sound, with all known causes applied to it.
  var expected: [[Float]]
  let actual: [[Float]]
  let sampleRate: Double
  /// Maps positions in this pair to the actual sound: the piece from `position` on starts at
  /// `frame`.
  let pieces: [(position: Int, frame: Int)]

  var channelCount: Int { actual.count }
  var count: Int { actual.first?.count ?? 0 }

  /// A run of the actual sound with the lag at which it matches the expected one: one lag, or one
  /// for each channel.
  struct Run {
    /// In the actual sound.
    var frames: Range<Int>
    var lags: [Int]
  }

  init(_ expected: Sound, _ actual: Sound, runs: [Run]) {
    var (then, now) = (
      [[Float]](repeating: [], count: actual.channelCount),
      [[Float]](repeating: [], count: actual.channelCount)
    )
    var pieces: [(position: Int, frame: Int)] = []
    for run in runs {
      let (least, most) = (run.lags.min() ?? 0, run.lags.max() ?? 0)
      let first = max(run.frames.lowerBound, most)
      let end = min(run.frames.upperBound, actual.frameCount, expected.frameCount + least)
      guard first < end else { continue }
      pieces.append((now.first?.count ?? 0, first))
      for channel in actual.channels.indices {
        let lag = run.lags[min(channel, run.lags.count - 1)]
        then[channel] += expected.channels[channel][first - lag..<end - lag]
        now[channel] += actual.channels[channel][first..<end]
      }
    }
    self.expected = then
    self.actual = now
    self.pieces = pieces
    sampleRate = expected.sampleRate
  }

  /// The frame of the actual sound at a position.
  func frame(at position: Int) -> Int {
    guard let piece = pieces.last(where: { $0.position <= position }) else { return position }
    return piece.frame + position - piece.position
  }

  /// `frame 4711 (0.098 s)`.
  func place(_ position: Int) -> String {
    let frame = frame(at: position)
    return "frame \(frame) (\(Figures.time(Double(frame) / sampleRate)))"
  }

  /// The names of some channels, like `right`; empty when these are all channels.
  func names(of channels: [Int]) -> String {
    guard channels.count < channelCount else { return "" }
    let names = channels.map { Comparison.channelName($0, of: channelCount) }
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// In the actual sound.
  var soundEnergy: Double {
    actual.reduce(0) { $0 + Alignment.product($1, $1.indices, $1, $1.indices) }
  }

  /// The energy and peak of the remaining difference.
  var rest: (energy: Double, peak: Float) {
    var rest: (energy: Double, peak: Float) = (0, 0)
    for channel in actual.indices {
      let (energy, peak) = Self.difference(actual[channel], expected[channel])
      rest.energy += energy
      rest.peak = max(rest.peak, peak)
    }
    return rest
  }

  private static func difference(_ one: [Float], _ other: [Float]) -> (Double, Float) {
    one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in
        var sums = SIMD4<Double>()
        var peaks = SIMD4<Float>()
        let whole = one.count / 4 * 4
        for frame in stride(from: 0, to: whole, by: 4) {
          let difference =
            SIMD4(one[frame], one[frame + 1], one[frame + 2], one[frame + 3])
            - SIMD4(other[frame], other[frame + 1], other[frame + 2], other[frame + 3])
          let wide = SIMD4<Double>(difference)
          sums += wide * wide
          peaks = pointwiseMax(peaks, pointwiseMax(difference, -difference))
        }
        var (energy, peak) = (sums.sum(), peaks.max())
        for frame in whole..<one.count {
          let difference = one[frame] - other[frame]
          energy += Double(difference) * Double(difference)
          peak = max(peak, abs(difference))
        }
        return (energy, peak)
      }
    }
  }

  /// The actual sound minus the expected one.
  func difference(ofChannel channel: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: count) { made, size in
      size = count
      actual[channel].withUnsafeBufferPointer { now in
        expected[channel].withUnsafeBufferPointer { then in
          for frame in 0..<size { made[frame] = now[frame] - then[frame] }
        }
      }
    }
  }
}
